// Finds clock reads by their text, and regions by the line that a probe was put on.
#include "tool/placement/ClockReads.h"

#include <algorithm>

namespace kperf::placement {
namespace {

/// The kernel's own two reads are of 64 bits, and so is what a program reads by clock64().
bool readsClock(std::string_view text) {
  return text.find("SR_CLOCKLO") != std::string_view::npos &&
         (text.find("CS2R.32") != std::string_view::npos || text.find("CS2R") == std::string_view::npos);
}

bool isAt(const ClockRead &read, const Region &region, std::uint32_t line) {
  return read.line && read.line->line == line && isSameFile(read.line->file, region.file);
}

bool isStrictlyNested(const Region &region) { return region.kind != format::RegionKind::Range; }

class RoleFinder {
public:
  RoleFinder(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions)
      : function(function), places(places), regions(regions) {}

  std::vector<ClockRead> find() {
    for (std::size_t index = 0; index < function.instructions.size(); ++index)
      if (const UserPlaces &place = placesOf(index); place.isProbe && !place.lines.empty() && readsClock(function.instructions[index].text))
        addRead(index);
    return std::move(reads);
  }

private:
  const UserPlaces &placesOf(std::size_t instruction) const { return places[function.instructions[instruction].places]; }

  void addRead(std::size_t index) {
    ClockRead read{index, placesOf(index).lines.front(), {}};
    for (const Region &region : regions)
      read.roles.push_back(roleOf(read, region));
    if (!reads.empty())
      repair(reads.back(), read);
    reads.push_back(std::move(read));
  }

  ClockRole roleOf(const ClockRead &read, const Region &region) const {
    const bool isOneLine = region.line == region.endLine;
    if (isAt(read, region, region.line))
      return !isOneLine ? ClockRole::Begin : isStrictlyNested(region) ? ClockRole::BeginOrEnd : ClockRole::Begin;
    if (isAt(read, region, region.endLine))
      return isStrictlyNested(region) ? ClockRole::LastLine : ClockRole::End;
    if (!isStrictlyNested(region))
      return ClockRole::None;
    if (!touches(placesOf(read.instruction), region, region.line, region.endLine))
      return ClockRole::End; // what nests has ended where another one begins or ends
    const bool isInBody = read.line->line > region.line && read.line->line < region.endLine && isSameFile(read.line->file, region.file);
    const bool isOthers = std::ranges::any_of(regions, [&](const Region &other) { return isAt(read, other, other.line); });
    return isInBody && !isOthers ? ClockRole::Body : ClockRole::None;
  }

  /// Where ptxas lost the place of a read, or gave it that of the read before.
  void repair(const ClockRead &before, ClockRead &read) const {
    const bool isLost = !function.instructions[read.instruction].isPlaced;
    const bool isCopy =
        read.instruction == before.instruction + 1 && placesOf(read.instruction).lines == placesOf(before.instruction).lines;
    for (std::size_t index = 0; index < regions.size(); ++index) {
      const Region &region = regions[index];
      if (isLost && region.next != 0 && before.roles[index] == ClockRole::Begin) {
        read.roles.assign(regions.size(), ClockRole::None);
        read.roles[index] = ClockRole::End;
        for (std::size_t other = 0; other < regions.size(); ++other)
          if (regions[other].id == region.next)
            read.roles[other] = ClockRole::Begin;
        return;
      }
      const bool isEnd = before.roles[index] == ClockRole::LastLine && !endsTwice(before);
      if (isCopy && (isEnd || before.roles[index] == ClockRole::Begin))
        if (const auto next = regionBehind(region, isEnd))
          read.roles[*next] = regions[*next].line == regions[*next].endLine ? ClockRole::BeginOrEnd : ClockRole::Begin;
    }
  }

  /// Whether two regions end on the read's line: then two reads are due there.
  bool endsTwice(const ClockRead &read) const {
    return std::ranges::count_if(regions, [&](const Region &region) { return isAt(read, region, region.endLine); }) > 1;
  }

  /// The first region behind its end, or behind its begin in it.
  std::optional<std::size_t> regionBehind(const Region &region, bool isBehindEnd) const {
    std::optional<std::size_t> next;
    for (std::size_t index = 0; index < regions.size(); ++index) {
      const Region &other = regions[index];
      const bool isThere = isBehindEnd ? other.line > region.endLine : other.line > region.line && other.line <= region.endLine;
      if (isSpan(other.kind) && other.file == region.file && other.function == region.function && isThere &&
          (!next || other.line < regions[*next].line))
        next = index;
    }
    return next;
  }

  const Function &function;
  std::span<const UserPlaces> places;
  std::span<const Region> regions;
  std::vector<ClockRead> reads;
};

bool isProbeHeader(std::string_view file) {
  static constexpr std::string_view rooms[] = {"abi/", "clang/", "cuda/", "format", "gpu/", "hip/", "hip_on_cuda/", "host/", "rules/"};
  static constexpr std::string_view folder = "/kperf/";
  const std::size_t at = file.rfind(folder);
  if (at == std::string_view::npos)
    return false;
  if (file.substr(0, at).ends_with("/include"))
    return true;
  const std::string_view rest = file.substr(at + folder.size());
  return std::ranges::any_of(rooms, [&](std::string_view room) { return rest.starts_with(room); });
}

} // namespace

bool isSameFile(std::string_view absolute, std::string_view given) {
  while (given.starts_with("./"))
    given.remove_prefix(2);
  while (given.starts_with("../")) // its own folder's name isn't known
    given.remove_prefix(3);
  if (!absolute.ends_with(given) || given.empty())
    return false;
  return absolute.size() == given.size() || given.starts_with('/') || absolute[absolute.size() - given.size() - 1] == '/';
}

std::vector<UserPlaces> userPlaces(const Listing &listing, std::span<const Region> regions) {
  enum class Owner : std::uint8_t { User, Table, Probe };
  std::map<std::string_view, Owner> owners;
  const auto ownerOf = [&](std::string_view file) {
    const auto [known, isNew] = owners.try_emplace(file, Owner::User);
    if (isNew && isProbeHeader(file))
      known->second = Owner::Probe;
    else if (isNew && std::ranges::any_of(regions, [&](const Region &region) { return isSameFile(file, region.file); }))
      known->second = Owner::Table;
    return known->second;
  };
  std::vector<UserPlaces> out(listing.places.size());
  for (std::size_t index = 0; index < out.size(); ++index) {
    bool isDecided = false;
    for (const SourceLine &place : listing.places[index]) {
      const Owner owner = ownerOf(place.file);
      if (owner == Owner::Probe && isDecided)
        break;
      if (owner == Owner::Probe)
        out[index] = {.lines = {}, .isProbe = true};
      else
        out[index].lines.push_back(place);
      isDecided |= owner == Owner::Table;
    }
  }
  return out;
}

bool touches(const UserPlaces &places, const Region &region, std::uint32_t first, std::uint32_t last) {
  return std::ranges::any_of(places.lines, [&](const SourceLine &place) {
    return place.line >= first && place.line <= last && isSameFile(place.file, region.file);
  });
}

std::vector<ClockRead> clockReads(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions) {
  return RoleFinder(function, places, regions).find();
}

} // namespace kperf::placement
