// Finds clock reads by their text, and regions by the line that a probe was put on.
#include "tool/placement/ClockReads.h"

#include "tool/placement/Registers.h"

#include <algorithm>
#include <filesystem>
#include <map>

namespace kperf::placement {
namespace {

bool readsClock(std::string_view text) { return text.find("SR_CLOCKLO") != std::string_view::npos; }

/// Of 64 bits, as where a whole kernel begins and ends.
bool readsWholeClock(std::string_view text) {
  return readsClock(text) && text.find("CS2R") != std::string_view::npos && text.find("CS2R.32") == std::string_view::npos;
}

bool isAt(const std::optional<SourceLine> &place, const Region &region, std::uint32_t line) {
  return place && place->line == line && isSameFile(place->file, region.file);
}

/// What a record is tagged with.
struct Tag {
  format::RecordKind kind{};
  std::size_t region = 0; ///< index
};

class RoleFinder {
public:
  RoleFinder(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions)
      : function(function), places(places), regions(regions) {
    for (std::size_t index = 0; index < regions.size(); ++index)
      byId.emplace(regions[index].id, index);
  }

  std::vector<ClockRead> find() {
    for (std::size_t index = 0; index < function.instructions.size(); ++index)
      if (isOfProbe(index) && readsWholeClock(function.instructions[index].text))
        leaving.push_back(placesOf(index).lines.front());
    for (std::size_t index = 0; index < function.instructions.size(); ++index)
      if (isOfProbe(index) && mayBeRegions(index) && !readsWholeClock(function.instructions[index].text))
        addRead(index);
    for (std::size_t region = 0; region < regions.size(); ++region) {
      if (isSpan(regions[region].kind) && std::ranges::none_of(reads, [&](const ClockRead &read) { return isBegin(read.roles[region]); }))
        shareBegin(region);
      else if (regions[region].line == regions[region].endLine)
        shareBeginOfLine(region);
    }
    return std::move(reads);
  }

private:
  const UserPlaces &placesOf(std::size_t instruction) const { return places[function.instructions[instruction].places]; }
  bool isOfProbe(std::size_t instruction) const { return placesOf(instruction).isProbe && !placesOf(instruction).lines.empty(); }

  /// Whether it reads the clock, and not to choose the accesses that are counted.
  bool mayBeRegions(std::size_t instruction) const {
    return readsClock(function.instructions[instruction].text) && !placesOf(instruction).isMemoryProbe && !isForAccesses(instruction);
  }

  /// Whether a memory probe takes what it reads: ptxas gives a read that follows another one that one's line.
  bool isForAccesses(std::size_t read) const {
    const std::string_view reg = destinationOf(function.instructions[read].text);
    for (std::size_t at = read + 1; at < function.instructions.size(); ++at) {
      if (isReadBy(function.instructions[at].text, reg))
        return placesOf(at).isMemoryProbe;
      if (destinationOf(function.instructions[at].text) == reg)
        return false;
    }
    return false;
  }

  void addRead(std::size_t index) {
    ClockRead read{.instruction = index, .line = placesOf(index).lines.front(), .roles = {}};
    const std::vector<Tag> tags = tagsBehind(index);
    const auto event = std::ranges::find_if(tags, [](const Tag &tag) { return tag.kind != format::RecordKind::Span; });
    if (event != tags.end()) { // ptxas mixes up the lines of copies of the one function that a range begins and ends by
      const Region &region = regions[event->region];
      const std::uint32_t line = event->kind == format::RecordKind::Begin ? region.line : region.endLine;
      read.isMislined = !isAt(read.line, region, line);
      read.line = {region.file, line};
    }
    const auto ended = std::ranges::find_if(
        tags, [&](const Tag &tag) { return tag.kind == format::RecordKind::Span && endsBetweenLines(read, regions[tag.region]); });
    for (std::size_t region = 0; region < regions.size(); ++region)
      if (event != tags.end() && !isStrictlyNested(regions[region]))
        read.roles.push_back(roleByTags(tags, region));
      else
        read.roles.push_back(ended != tags.end() ? roleAtEnd(regions[ended->region], regions[region]) : roleOf(read, regions[region]));
    if (!reads.empty())
      repair(reads.back(), read);
    reads.push_back(std::move(read));
  }

  static bool isBegin(ClockRole role) { return role == ClockRole::Begin || role == ClockRole::BeginOrEnd; }

  /// A region without a read where it begins, begins with the read that the one before it ends with.
  void shareBegin(std::size_t index) {
    const Region &region = regions[index];
    for (std::size_t other = 0; other < regions.size(); ++other) {
      const Region &before = regions[other];
      const bool areRanges = before.kind == format::RegionKind::Range && region.kind == format::RegionKind::Range;
      const bool isAdjacent = region.line == before.endLine || region.line == before.endLine + 1;
      const bool isBehind = before.id != region.id && before.file == region.file && before.function == region.function &&
                            (before.next == region.id || (areRanges && isAdjacent));
      for (ClockRead &read : reads)
        if (isBehind && isAt(read.line, before, before.endLine) &&
            (read.roles[other] == ClockRole::End || read.roles[other] == ClockRole::LastLine || read.roles[other] == ClockRole::BeginOrEnd))
          read.roles[index] = ClockRole::Begin;
    }
  }

  /// A region of one line has one read there, not two, where it begins with the read that the one before it in the frame ends with.
  void shareBeginOfLine(std::size_t index) {
    const auto before = std::ranges::find(regions, regions[index].id, &Region::next);
    if (before == regions.end())
      return;
    const auto isEnd = [&](const ClockRead &read) { return isAt(read.line, *before, before->endLine) && !isBegin(read.roles[index]); };
    const auto isOwn = [&](const ClockRead &read) { return read.roles[index] == ClockRole::BeginOrEnd; };
    for (auto read = reads.begin(); read != reads.end(); ++read) {
      const auto behind = std::find_if_not(std::next(read), reads.end(), isOwn);
      if (isEnd(*read) && behind - read == 2)
        read->roles[index] = ClockRole::Begin;
    }
  }

  /// Of the records that the read is stored in, where their tags are put together between this read and the next one.
  std::vector<Tag> tagsBehind(std::size_t index) const {
    std::vector<Tag> tags;
    while (++index < function.instructions.size() && !mayBeRegions(index)) {
      const std::uint32_t word = immediateIn(function.instructions[index].text);
      const auto known = byId.find(word & format::kIdMask);
      const auto kind = static_cast<format::RecordKind>(word >> 24);
      if (known == byId.end() || !isSpan(regions[known->second].kind))
        continue;
      const bool isEvent = kind == format::RecordKind::Begin || kind == format::RecordKind::End;
      if (regions[known->second].kind == format::RegionKind::Range ? isEvent : kind == format::RecordKind::Span)
        tags.push_back({kind, known->second});
    }
    return tags;
  }

  static ClockRole roleByTags(const std::vector<Tag> &tags, std::size_t region) {
    const auto own = std::ranges::find(tags, region, &Tag::region);
    return own == tags.end() ? ClockRole::None : own->kind == format::RecordKind::Begin ? ClockRole::Begin : ClockRole::End;
  }

  /// Whether the read is on a line that does not say what it is: at a return, or where ptxas puts what ends with a loop or with the kernel.
  bool endsBetweenLines(const ClockRead &read, const Region &region) const {
    if (!read.line || read.line->line <= region.line || read.line->line == region.endLine || !isSameFile(read.line->file, region.file))
      return false;
    return !isBeginLine(read) || std::ranges::find(leaving, *read.line) != leaving.end();
  }

  static ClockRole roleAtEnd(const Region &ended, const Region &region) {
    const bool isInside = region.file == ended.file && region.line >= ended.line && region.endLine <= ended.endLine;
    return isInside && isStrictlyNested(region) ? ClockRole::End : ClockRole::None;
  }

  bool isBeginLine(const ClockRead &read) const {
    return std::ranges::any_of(
        regions, [&](const Region &other) { return other.kind != format::RegionKind::Kernel && isAt(read.line, other, other.line); });
  }

  ClockRole roleOf(const ClockRead &read, const Region &region) const {
    if (isAt(read.line, region, region.line))
      return region.line < region.endLine ? ClockRole::Begin : isAlone(region) ? ClockRole::BeginOrEnd : ClockRole::None;
    if (isAt(read.line, region, region.endLine))
      return isStrictlyNested(region) ? ClockRole::LastLine : ClockRole::End;
    if (!isStrictlyNested(region))
      return ClockRole::None;
    if (!touches(placesOf(read.instruction), region, region.line, region.endLine))
      return ClockRole::End; // what nests has ended where another one begins or ends
    const bool isInBody = read.line->line > region.line && read.line->line < region.endLine && isSameFile(read.line->file, region.file);
    const bool isRanges = std::ranges::any_of(
        regions, [&](const Region &other) { return other.kind == format::RegionKind::Range && isAt(read.line, other, other.endLine); });
    return isInBody && !isRanges && !isBeginLine(read) ? ClockRole::Body : ClockRole::None;
  }

  /// Whether no other range begins or ends on the line of a range of one line: where that is so, a read there may be that one's.
  bool isAlone(const Region &region) const {
    return isStrictlyNested(region) || std::ranges::none_of(regions, [&](const Region &other) {
             return other.kind == format::RegionKind::Range && other.id != region.id && other.file == region.file &&
                    (other.line == region.line || other.endLine == region.line);
           });
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
      if (!isCopy || (!isEnd && before.roles[index] != ClockRole::Begin))
        continue;
      if (const auto next = regionBehind(region, isEnd))
        read.roles[*next] = regions[*next].line == regions[*next].endLine ? ClockRole::BeginOrEnd : ClockRole::Begin;
      else if (!isEnd) // with no other one in it, it ends: what it holds has been moved out of it
        read.roles[index] = ClockRole::End;
    }
  }

  /// Whether two regions end on the read's line: then two reads are due there.
  bool endsTwice(const ClockRead &read) const {
    return std::ranges::count_if(regions, [&](const Region &region) { return isAt(read.line, region, region.endLine); }) > 1;
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
  std::map<std::uint32_t, std::size_t> byId; ///< index in `regions`
  std::vector<SourceLine> leaving;           ///< where whole kernels begin and end
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

/// Of a probe's headers: gpu/memory/AccessSample.h, cuda/memory/CountSteps.h.
bool isMemoryHeader(std::string_view file) { return file.substr(file.rfind("/kperf/")).find("/memory/") != std::string_view::npos; }

} // namespace

bool isSameFile(std::string_view absolute, std::string_view given) {
  // a header that is reached through ".." is named so by the table, and in full by the line table
  if (given.find("/../") != std::string_view::npos || absolute.find("/../") != std::string_view::npos)
    return isSameFile(std::filesystem::path(absolute).lexically_normal().string(),
                      std::filesystem::path(given).lexically_normal().string());
  while (given.starts_with("./"))
    given.remove_prefix(2);
  while (given.starts_with("../")) // its own folder's name isn't known
    given.remove_prefix(3);
  if (!absolute.ends_with(given) || given.empty())
    return false;
  return absolute.size() == given.size() || given.starts_with('/') || absolute[absolute.size() - given.size() - 1] == '/';
}

bool isStrictlyNested(const Region &region) { return region.kind != format::RegionKind::Range; }

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
        out[index] = {.lines = {}, .isProbe = true, .isMemoryProbe = out[index].isMemoryProbe || isMemoryHeader(place.file)};
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

std::vector<Region> withBeginLines(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions) {
  std::vector<Region> out(regions.begin(), regions.end());
  for (Region &region : out) {
    if (region.kind != format::RegionKind::Pragma && !region.isPragma)
      continue;
    std::uint32_t first = region.endLine;
    for (const Instruction &instruction : function.instructions) {
      for (const SourceLine &from : places[instruction.places].lines)
        if (from.line > region.line && from.line < first && isSameFile(from.file, region.file))
          first = from.line;
    }
    region.line = first;
  }
  return out;
}

std::vector<ClockRead> clockReads(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions) {
  return RoleFinder(function, places, regions).find();
}

} // namespace kperf::placement
