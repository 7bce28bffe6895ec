// Prints everything in a trace as text that packText() turns back into the same bytes: the order of sections.
#include "decoder/text/Dump.h"
#include "decoder/trace/CanonicalStrings.h"
#include "decoder/text/Dumper.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/text/TextDefaults.h"
#include "decoder/text/TextLine.h"

namespace kperf::decoder {

std::string Dumper::string(std::uint64_t offset) const {
  const std::string_view text = trace.string(offset);
  if (offset != 0 && hasOwnStrings && ownStrings.find(text) != offset)
    return fmt::format("@{}", offset);
  return quotedText(text);
}

Status Dumper::run() {
  const Expected<bool> canonical = hasCanonicalStrings(trace);
  if (!canonical)
    return failure(canonical.error());
  hasOwnStrings = !*canonical;
  if (hasOwnStrings)
    for (std::string_view left = trace.strings(); !left.empty();) {
      const std::string_view text = left.substr(0, left.find('\0'));
      ownStrings.append(text);
      left.remove_prefix(text.size() + 1);
    }
  header();
  std::optional<format::SectionKind> last;
  for (const Section &part : trace.sections()) {
    const bool needsHead = part.bytes == 0 || last == part.kind;
    last = part.kind;
    if (needsHead && part.kind != format::SectionKind::Warps &&
        part.kind != format::SectionKind::References && part.kind != format::SectionKind::Strings &&
        name(part.kind)) {
      print("section {}", name(part.kind));
      endLine();
    }
    if (Status status = section(part); !status)
      return status;
  }
  if (!trace.incomplete().empty()) {
    print("incomplete");
    endLine();
  }
  return {};
}

Status Dumper::section(const Section &part) {
  switch (part.kind) {
  case format::SectionKind::Program:
    program();
    return {};
  case format::SectionKind::Strings:
    if (hasOwnStrings)
      strings(part);
    return {};
  case format::SectionKind::Devices:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::DeviceRecord); ++i)
      device(trace.devices()[deviceIndex++]);
    return {};
  case format::SectionKind::Regions:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::RegionRecord); ++i)
      region(trace.regions()[regionIndex++]);
    return {};
  case format::SectionKind::Sites:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::SiteRecord); ++i)
      site(trace.sites()[siteIndex++]);
    return {};
  case format::SectionKind::MachineAccesses:
    for (std::uint64_t i = 0; i < part.bytes / sizeof(format::MachineAccessRecord); ++i)
      machineAccess(trace.machineAccesses()[machineIndex++]);
    return {};
  case format::SectionKind::SiteCounters:
  case format::SectionKind::References:
  case format::SectionKind::Summaries:
  case format::SectionKind::SummedLengths:
  case format::SectionKind::Launches:
  case format::SectionKind::Warps:
  case format::SectionKind::Losses:
  case format::SectionKind::Kernels:
    return trace.visitSection(part, *this);
  case format::SectionKind::End:
    return {};
  }
  return unknown(part);
}

void Dumper::header() {
  const format::FileHeader &file = trace.header();
  print("kperf {}.{}", file.versionMajor, file.versionMinor);
  if (file.target != TextDefaults::target)
    print(" target={}", named(file.target));
  field("created", file.createdUnixNs, std::uint64_t{0});
  if (file.buildId != 0)
    print(" build={:#x}", file.buildId);
  endLine();
}

void Dumper::strings(const Section &section) {
  print("strings");
  endLine();
  std::string_view left = trace.strings().substr(stringsAt, section.bytes);
  stringsAt += section.bytes;
  while (!left.empty()) {
    const std::string_view text = left.substr(0, left.find('\0'));
    print("  {}", quotedText(text));
    endLine();
    left.remove_prefix(text.size() + 1);
  }
}

Status Dumper::unknown(const Section &section) {
  const auto payload = trace.payload(section);
  if (!payload)
    return failure(payload.error());
  print("section {:#x}", static_cast<std::uint32_t>(section.kind));
  endLine();
  for (std::size_t at = 0; at < payload->size(); ++at) {
    if (at % 32 == 0)
      print("  hex ");
    print("{:02x}", std::to_integer<unsigned>((*payload)[at]));
    if (at % 32 == 31 || at + 1 == payload->size())
      endLine();
  }
  return {};
}

Status dumpTrace(const Trace &trace, Output &out) { return Dumper(trace, out).run(); }

} // namespace kperf::decoder
