// Finds region tables by their symbols, and fat binaries by their first bytes.
#include "tool/placement/Program.h"
#include "decoder/io/TextFile.h"
#include "runtime/driver/TableText.h"
#include "tool/placement/ElfImage.h"

#include <kperf/abi/module.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace kperf::placement {
namespace {

using decoder::Expected;

constexpr std::string_view kHostTable = "_ZN5kperf6detailL10regionRowsE", kDeviceTable = "kperf_table_regions";

void add(std::vector<Region> &regions, const kperf_region &row, std::string name, std::string function, std::string file,
         std::string_view source) {
  const auto kind = static_cast<format::RegionKind>(row.kind);
  if (std::ranges::any_of(regions, [&](const Region &known) { return known.id == row.id; }))
    return; // of a header that several objects include
  const std::uint32_t next = kind == format::RegionKind::Wait || kind == format::RegionKind::Signal ? 0 : row.sync;
  regions.push_back({row.id, kind, std::move(name), std::move(function), std::move(file), row.line, std::max(row.line, row.end_line),
                     next ? next : row.frame_next,
                     source.substr(std::min(source.find_first_not_of(" \t"), source.size())).starts_with('#')});
}

/// The text up to its NUL, where it has one.
std::string_view textAt(const ElfImage &image, std::optional<ElfImage::Place> place) {
  const std::string_view bytes = place ? image.bytesFrom(*place) : std::string_view();
  return bytes.substr(0, std::min(bytes.find('\0'), bytes.size()));
}

void readHostTable(const ElfImage &image, const ElfImage::Symbol &table, std::vector<Region> &regions) {
  for (std::uint64_t at = 0; at + sizeof(kperf_region) <= table.bytes; at += sizeof(kperf_region)) {
    const ElfImage::Place row{table.place.section, table.place.offset + at};
    const std::string_view bytes = image.bytesFrom(row);
    if (bytes.size() < sizeof(kperf_region))
      return;
    kperf_region region{};
    std::memcpy(static_cast<void *>(&region), bytes.data(), sizeof(region));
    const auto text = [&](std::size_t offset) { return std::string(textAt(image, image.target({row.section, row.offset + offset}))); };
    add(regions, region, text(offsetof(kperf_region, name)), text(offsetof(kperf_region, function)), text(offsetof(kperf_region, file)),
        text(offsetof(kperf_region, source)));
  }
}

bool readDeviceTable(std::string_view text, std::vector<Region> &regions) {
  driver::TableText table;
  if (!table.readRegions(text))
    return false;
  for (const kperf_region &row : table.regions())
    add(regions, row, row.name, row.function, row.file, row.source);
  return true;
}

/// Each begins with a magic number, a version of 16 bits, the size of this header and of what follows.
std::vector<std::string> fatBinariesOf(std::string_view bytes) {
  static constexpr std::string_view magic = "\x50\xed\x55\xba\x01";
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = bytes.find(magic, at)) != std::string_view::npos;) {
    struct {
      std::uint32_t magic;
      std::uint16_t version, headerBytes;
      std::uint64_t bytes;
    } header{};
    const std::string_view rest = bytes.substr(at);
    if (rest.size() >= sizeof(header))
      std::memcpy(&header, rest.data(), sizeof(header));
    const bool isWhole = header.headerBytes == sizeof(header) && header.bytes > 0 && header.bytes <= rest.size() - sizeof(header);
    if (isWhole)
      found.emplace_back(rest.substr(0, sizeof(header) + header.bytes));
    at += isWhole ? sizeof(header) + header.bytes : magic.size();
  }
  return found;
}

/// Of what nvcc compiled with -rdc=true the program has what the linker made, which runs, and with that what it was made from: that only
/// where there is nothing else, as in an object file.
std::vector<std::string> fatBinariesOf(const ElfImage &image, std::string_view bytes) {
  const std::string_view unlinked = image.sectionNamed("__nv_relfatbin");
  const auto begin = unlinked.empty() ? bytes.size() : static_cast<std::size_t>(unlinked.data() - bytes.data());
  std::vector<std::string> found = fatBinariesOf(bytes.substr(0, begin));
  std::ranges::move(fatBinariesOf(bytes.substr(begin + unlinked.size())), std::back_inserter(found));
  return found.empty() ? fatBinariesOf(unlinked) : found;
}

decoder::Error withoutRegions(const std::string &path, const ElfImage &image) {
  if (!image.hasSymbols())
    return {.message = "its table of regions can't be found",
            .found = "no symbols",
            .expected = "a program that is not stripped",
            .remedy = "name the file that strip was given, or link without -s",
            .file = path};
  return {.message = "the program has no regions of kperf",
          .expected = "one that kperf-cc built, with probes=region",
          .remedy = "kperf-cc nvcc -O3 -lineinfo kernel.cu -o program",
          .file = path};
}

} // namespace

bool isSpan(format::RegionKind kind) {
  using enum format::RegionKind;
  return kind == Scope || kind == Range || kind == Pragma || kind == Automatic || kind == Wait;
}

Expected<Program> readProgram(const std::string &path) {
  const auto bytes = decoder::readTextFile(path, kMaxBytes);
  if (!bytes)
    return decoder::failure(bytes.error());
  const auto image = ElfImage::read(*bytes);
  if (!image)
    return decoder::failure({.message = "not a program",
                             .expected = "an ELF file of 64 bits: an executable, a shared library, an object file or a cubin",
                             .file = path});
  Program program;
  program.isCubin = image->isDeviceCode();
  for (const ElfImage::Symbol &table : image->symbolsNamed(kHostTable))
    readHostTable(*image, table, program.regions);
  for (const ElfImage::Symbol &table : image->symbolsNamed(kDeviceTable))
    if (!readDeviceTable(textAt(*image, table.place), program.regions))
      return decoder::failure({.message = "its table of regions can't be read",
                               .expected = "one that this version of kperf-cc wrote",
                               .remedy = "build it again",
                               .file = path});
  if (std::ranges::none_of(program.regions, [](const Region &region) { return isSpan(region.kind); }))
    return decoder::failure(withoutRegions(path, *image));
  if (program.isCubin)
    program.binaries.push_back(*bytes);
  else
    program.binaries = fatBinariesOf(*image, *bytes);
  if (program.binaries.empty())
    return decoder::failure({.message = "the program has no code for an NVIDIA GPU",
                             .expected = "one that nvcc built",
                             .remedy = "kperf-cc nvcc -O3 -lineinfo kernel.cu -o program",
                             .file = path});
  return program;
}

} // namespace kperf::placement
