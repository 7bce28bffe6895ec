// Prints everything in a trace as text that packText() turns back into the same bytes: the order of sections.
#include "decoder/text/Dump.h"
#include "decoder/text/Dumper.h"
#include "decoder/trace/CanonicalStrings.h"
#include "decoder/trace/Writer.h"

namespace kperf::decoder {

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
    if (needsHead && part.kind != format::SectionKind::Warps && part.kind != format::SectionKind::References &&
        part.kind != format::SectionKind::Strings && name(part.kind)) {
      printer.print("section {}", name(part.kind));
      printer.endLine();
    }
    if (Status status = section(part); !status)
      return status;
  }
  if (!trace.incomplete().empty()) {
    printer.print("incomplete");
    printer.endLine();
  }
  return {};
}

Status Dumper::section(const Section &part) {
  const auto table = [&]<typename Row>(std::span<const Row> rows, std::size_t &next) -> Status {
    const std::size_t count = part.bytes / sizeof(Row);
    lines(rows.subspan(std::exchange(next, next + count), count));
    return {};
  };
  switch (part.kind) {
  case format::SectionKind::Program:
    lines(std::span(&*trace.program(), 1));
    return {};
  case format::SectionKind::Strings:
    if (hasOwnStrings)
      strings(part);
    return {};
  case format::SectionKind::Devices:
    return table(trace.devices(), deviceIndex);
  case format::SectionKind::DeviceLimits:
    return table(trace.deviceLimits(), limitIndex);
  case format::SectionKind::Regions:
    return table(trace.regions(), regionIndex);
  case format::SectionKind::Sites:
    return table(trace.sites(), siteIndex);
  case format::SectionKind::MachineAccesses:
    return table(trace.machineAccesses(), machineIndex);
  case format::SectionKind::SiteCounters:
  case format::SectionKind::References:
  case format::SectionKind::Summaries:
  case format::SectionKind::SummedLengths:
  case format::SectionKind::MarkProbes:
  case format::SectionKind::SampledLaunches:
  case format::SectionKind::LaunchTimes:
  case format::SectionKind::HostRanges:
  case format::SectionKind::Clocks:
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
  printer.print("kperf");
  printer.fields<Schema<format::FileHeader>>(trace.header(), currentHeader());
  printer.endLine();
}

void Dumper::strings(const Section &section) {
  printer.print("strings");
  printer.endLine();
  std::string_view left = trace.strings().substr(stringsAt, section.bytes);
  stringsAt += section.bytes;
  while (!left.empty()) {
    const std::string_view text = left.substr(0, left.find('\0'));
    printer.print("  {}", quotedText(text));
    printer.endLine();
    left.remove_prefix(text.size() + 1);
  }
}

Status Dumper::unknown(const Section &section) {
  const auto payload = trace.payload(section);
  if (!payload)
    return failure(payload.error());
  printer.print("section {:#x}", static_cast<std::uint32_t>(section.kind));
  printer.endLine();
  for (std::size_t at = 0; at < payload->size(); ++at) {
    if (at % 32 == 0)
      printer.print("  hex ");
    printer.print("{:02x}", std::to_integer<unsigned>((*payload)[at]));
    if (at % 32 == 31 || at + 1 == payload->size())
      printer.endLine();
  }
  return {};
}

Status dumpTrace(const Trace &trace, Output &out) { return Dumper(trace, out).run(); }

} // namespace kperf::decoder
