// Opens a trace: header, index of sections, and the tables that everything else refers to.
#include "decoder/trace/Trace.h"
#include "decoder/trace/FileSignature.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/SectionStream.h"

#include <cstring>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kMaxSections = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxDevices = 4096;
constexpr std::uint64_t kMaxRegions = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxSites = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxStringBytes = std::uint64_t{256} << 20;
constexpr std::uint64_t kMaxStringLength = std::uint64_t{4} << 20; ///< twice what Linux allows a command line
constexpr std::uint64_t kMaxHeldBytes = std::uint64_t{1} << 30;

template <typename T> std::span<std::byte> bytesOf(T &value) { return std::as_writable_bytes(std::span(&value, 1)); }

} // namespace

Error Trace::error(std::uint64_t offset, std::string message, std::string found, std::string expected) const {
  return {
      .message = std::move(message), .found = std::move(found), .expected = std::move(expected), .offset = offset, .file = source.name()};
}

Expected<Trace> Trace::open(const std::string &path) {
  Expected<ByteSource> source = ByteSource::open(path);
  if (!source)
    return failure(source.error());
  return read(std::move(*source));
}

Expected<Trace> Trace::read(ByteSource source) {
  Trace trace(std::move(source));
  Status status = trace.readHeader();
  if (status)
    status = trace.index();
  if (status)
    status = trace.loadTables();
  if (status)
    status = trace.checkTables();
  if (!status)
    return failure(status.error());
  return trace;
}

Status Trace::readHeader() {
  std::byte start[16] = {};
  const std::size_t count = std::min<std::uint64_t>(sizeof(start), source.size());
  if (Status status = source.read(0, std::span(start, count)); !status)
    return status;
  if (Status status = checkMagic(std::span(start, count)); !status) {
    status.error().file = source.name();
    return status;
  }
  if (source.size() < sizeof(fileHeader))
    return failure(
        error(0, "the file header is cut off", fmt::format("{} bytes", source.size()), fmt::format("at least {}", sizeof(fileHeader))));
  if (Status status = source.read(0, bytesOf(fileHeader)); !status)
    return status;
  // The marker comes first: with the wrong byte order every other number is wrong too.
  if (fileHeader.endianMarker != format::kEndianMarker)
    return failure(error(offsetof(format::FileHeader, endianMarker),
                         fileHeader.endianMarker == __builtin_bswap32(format::kEndianMarker)
                             ? "the trace was written on a big-endian machine"
                             : "the endian marker is damaged",
                         fmt::format("{:#010x}", fileHeader.endianMarker), fmt::format("{:#010x}", format::kEndianMarker)));
  if (fileHeader.versionMajor == 0 || fileHeader.versionMajor > format::kVersionMajor) {
    Error wrong =
        error(offsetof(format::FileHeader, versionMajor), "the trace has a format version that this kperf cannot read",
              fmt::format("{}.{}", fileHeader.versionMajor, fileHeader.versionMinor), fmt::format("at most {}.x", format::kVersionMajor));
    wrong.remedy = "use a kperf at least as new as the one that built the program";
    return failure(std::move(wrong));
  }
  const std::uint32_t bytes = fileHeader.headerBytes;
  if (bytes < sizeof(fileHeader) || bytes % 8 != 0 || bytes > 65536)
    return failure(error(offsetof(format::FileHeader, headerBytes), "the file header has an impossible size", std::to_string(bytes),
                         fmt::format("{} or a little more, a multiple of 8", sizeof(fileHeader))));
  if (isStrict() && !decoder::name(fileHeader.target))
    return failure(error(offsetof(format::FileHeader, target), "unknown target",
                         std::to_string(static_cast<std::uint32_t>(fileHeader.target)), "0 to 3"));
  return {};
}

Status Trace::index() {
  whole = std::min<std::uint64_t>(fileHeader.headerBytes, source.size());
  while (true) {
    const std::uint64_t left = source.size() - whole;
    format::SectionHeader head{};
    if (left < sizeof(head)) {
      incompleteReason = left == 0 ? fmt::format("it ends at byte {} without an End section", whole)
                                   : fmt::format("it ends within the section header at byte {}", whole);
      return {};
    }
    if (Status status = source.read(whole, bytesOf(head)); !status)
      return status;
    const Section section{head.kind, whole, head.bytes, head.checksum};
    if (head.bytes > left - sizeof(head) || section.end() > source.size()) {
      incompleteReason = fmt::format("the {} section at byte {} says it has {} bytes, and the file has {} more", named(head.kind), whole,
                                     head.bytes, left - sizeof(head));
      return {};
    }
    if (isStrict() && head.reserved != 0)
      return failure(error(whole + offsetof(format::SectionHeader, reserved), "a reserved member of a section header is not zero",
                           fmt::format("{:#x}", head.reserved), "0"));
    if (sectionList.size() == kMaxSections)
      return failure(error(whole, "too many sections", fmt::format("more than {}", kMaxSections), "fewer"));
    sectionList.push_back(section);
    whole = section.end();
    if (head.kind == format::SectionKind::End)
      return checkEnd(section);
  }
}

Status Trace::checkEnd(const Section &section) {
  format::EndRecord end{};
  if (section.bytes != sizeof(end))
    return failure(error(section.offset, "the End section has the wrong size", fmt::format("{} bytes", section.bytes),
                         fmt::format("{}", sizeof(end))));
  const Expected<std::vector<std::byte>> bytes = payload(section);
  if (!bytes)
    return failure(bytes.error());
  std::memcpy(&end, bytes->data(), sizeof(end));
  if (end.sections != sectionList.size() - 1)
    return failure(error(section.payload(), "sections are missing, or too many", std::to_string(sectionList.size() - 1),
                         std::to_string(end.sections)));
  if (whole != source.size())
    return failure(error(whole, "bytes follow the End section", fmt::format("{} bytes", source.size() - whole), "nothing"));
  warpsAtEnd = end.warps;
  return {};
}

Status Trace::loadTables() {
  for (const Section &section : sectionList) {
    Status status;
    switch (section.kind) {
    case format::SectionKind::Program:
      status = loadProgram(section);
      break;
    case format::SectionKind::Strings:
      status = loadStrings(section);
      break;
    case format::SectionKind::Devices:
      status = loadTable(section, deviceList, kMaxDevices);
      break;
    case format::SectionKind::DeviceLimits:
      status = loadTable(section, limitList, kMaxDevices);
      break;
    case format::SectionKind::Regions:
      status = loadTable(section, regionList, kMaxRegions);
      break;
    case format::SectionKind::Sites:
      status = loadTable(section, siteList, kMaxSites);
      break;
    case format::SectionKind::MachineAccesses:
      status = loadTable(section, machineList, kMaxSites);
      break;
    default:
      break;
    }
    if (!status)
      return status;
  }
  return {};
}

Status Trace::loadProgram(const Section &section) {
  std::vector<format::ProgramRecord> rows;
  if (Status status = loadTable(section, rows, 1); !status)
    return status;
  if (rows.size() != 1 || programRecord)
    return failure(error(section.offset, "a trace has one program", programRecord ? "a second one" : "an empty section", "one record"));
  programRecord = rows.front();
  return {};
}

template <typename T> Status Trace::loadTable(const Section &section, std::vector<T> &out, std::uint64_t most) {
  if (section.bytes % sizeof(T) != 0)
    return failure(error(section.offset, fmt::format("the size of a {} section is wrong", named(section.kind)),
                         fmt::format("{} bytes", section.bytes), fmt::format("a multiple of {}", sizeof(T))));
  const std::uint64_t count = section.bytes / sizeof(T);
  if (count > most - std::min<std::uint64_t>(out.size(), most))
    return failure(error(section.offset, fmt::format("too many rows in the {} sections", named(section.kind)),
                         std::to_string(out.size() + count), fmt::format("at most {}", most)));
  SectionStream stream(source, section);
  while (stream.left() > 0) {
    Expected<std::span<const std::byte>> piece = stream.take(sizeof(T));
    if (!piece)
      return failure(piece.error());
    std::memcpy(&out.emplace_back(), piece->data(), sizeof(T));
  }
  return stream.finish();
}

Status Trace::loadStrings(const Section &section) {
  if (section.bytes > kMaxStringBytes - stringTable.size())
    return failure(error(section.offset, "the strings are too large", fmt::format("{} bytes", section.bytes),
                         fmt::format("at most {} in all", kMaxStringBytes)));
  const Expected<std::vector<std::byte>> bytes = payload(section);
  if (!bytes)
    return failure(bytes.error());
  if (bytes->empty())
    return {};
  if (stringTable.empty() && bytes->front() != std::byte{0})
    return failure(error(section.payload(), "the first string is not the empty one",
                         fmt::format("{:#04x}", std::to_integer<unsigned>(bytes->front())), "0x00"));
  if (bytes->back() != std::byte{0})
    return failure(error(section.payload() + section.bytes - 1, "the last string of a section does not end",
                         fmt::format("{:#04x}", std::to_integer<unsigned>(bytes->back())), "0x00"));
  for (auto begin = bytes->begin(); begin != bytes->end();) {
    const auto end = std::find(begin, bytes->end(), std::byte{0});
    if (end - begin > static_cast<std::ptrdiff_t>(kMaxStringLength))
      return failure(error(section.payload() + (begin - bytes->begin()), "a string is too long", fmt::format("{} bytes", end - begin),
                           fmt::format("at most {}", kMaxStringLength)));
    begin = end + 1;
  }
  stringTable.append(reinterpret_cast<const char *>(bytes->data()), bytes->size());
  return {};
}

Expected<std::vector<std::byte>> Trace::payload(const Section &section) const {
  if (section.bytes > kMaxHeldBytes)
    return failure(error(section.offset, "a section is too large to be held in memory", fmt::format("{} bytes", section.bytes),
                         fmt::format("at most {}", kMaxHeldBytes)));
  std::vector<std::byte> out;
  out.reserve(section.bytes);
  SectionStream stream(source, section);
  while (stream.left() > 0) {
    const auto piece = stream.take(std::min<std::uint64_t>(stream.left(), SectionStream::kBufferBytes / 2));
    if (!piece)
      return failure(piece.error());
    out.insert(out.end(), piece->begin(), piece->end());
  }
  if (Status status = stream.finish(); !status)
    return failure(status.error());
  return out;
}

const format::DeviceRecord *Trace::device(std::uint32_t ordinal) const {
  const auto found = std::ranges::find(deviceList, ordinal, &format::DeviceRecord::device);
  return found == deviceList.end() ? nullptr : &*found;
}

std::string_view Trace::string(std::uint64_t offset) const {
  if (offset >= stringTable.size())
    return {};
  return stringTable.c_str() + offset; // every section ends with a NUL
}

} // namespace kperf::decoder
