// Follows the words of records from the instruction that stores them back to those that made them.
#include "tool/placement/ReadPairs.h"

#include "tool/placement/Registers.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace kperf::placement {
namespace {

/// Of one entry, in indices of reads and of regions.
struct ReadPair {
  std::size_t begin, end, region;
};

constexpr std::size_t kMaxWay = 4096; ///< instructions from a word to the store

/// The first of the four registers that the instruction stores.
std::optional<unsigned> storedQuad(std::string_view text) {
  const std::size_t at = text.rfind(", R");
  if (text.find("ST") == std::string_view::npos || text.find(".128") == std::string_view::npos || at == std::string_view::npos)
    return {};
  unsigned number = 0;
  const std::string_view digits = text.substr(at + 3);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && number % 4 == 0 ? std::optional(number) : std::nullopt;
}

class PairFinder {
public:
  PairFinder(const Function &function, std::span<const Region> regions, std::span<const ClockRead> reads)
      : function(function), regions(regions), reads(reads) {}

  std::vector<ReadPair> find() const {
    std::vector<ReadPair> pairs;
    for (std::size_t at = 0; at < function.instructions.size(); ++at)
      if (const auto quad = storedQuad(function.instructions[at].text)) {
        const auto begin = readOf(definitionOf(*quad, at)), end = readOf(definitionOf(*quad + 1, at));
        const auto region = regionOf(definitionOf(*quad + 3, at));
        if (begin && end && region && *begin < *end)
          pairs.push_back({*begin, *end, *region});
      }
    return pairs;
  }

private:
  /// The instruction in front of `at` that wrote the register last.
  std::optional<std::size_t> definitionOf(unsigned number, std::size_t at) const {
    const std::string name = fmt::format("R{}", number);
    for (std::size_t way = 0; at-- > 0 && way < kMaxWay; ++way)
      if (destinationOf(function.instructions[at].text) == name)
        return at;
    return {};
  }

  std::optional<std::size_t> readOf(std::optional<std::size_t> instruction) const {
    const auto found = instruction ? std::ranges::find(reads, *instruction, &ClockRead::instruction) : reads.end();
    return found == reads.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - reads.begin()));
  }

  std::optional<std::size_t> regionOf(std::optional<std::size_t> instruction) const {
    const std::uint32_t tag = instruction ? immediateIn(function.instructions[*instruction].text) : 0;
    const auto found = std::ranges::find(regions, tag & format::kIdMask, &Region::id);
    const bool isEntry =
        found != regions.end() && isSpan(found->kind) && tag >> format::kKindShift == std::uint32_t(format::RecordKind::Span);
    return isEntry ? std::optional(static_cast<std::size_t>(found - regions.begin())) : std::nullopt;
  }

  const Function &function;
  std::span<const Region> regions;
  std::span<const ClockRead> reads;
};

bool encloses(const Region &outer, const Region &inner) {
  return outer.file == inner.file && outer.line <= inner.line && inner.endLine <= outer.endLine;
}

} // namespace

void pairReads(const Function &function, std::span<const Region> regions, std::vector<ClockRead> &reads) {
  const std::vector<ReadPair> pairs = PairFinder(function, regions, reads).find();
  std::vector<bool> isTold(regions.size(), false);
  for (const ReadPair &pair : pairs)
    isTold[pair.region] = true;
  // Of others a line said that they begin or end here, or that all have ended, of which those around the region have not.
  const auto clear = [&](ClockRead &read, const Region &own) {
    read.isStored = true;
    for (std::size_t other = 0; other < regions.size(); ++other)
      if (isTold[other] && (read.roles[other] != ClockRole::End || encloses(regions[other], own)))
        read.roles[other] = ClockRole::None;
  };
  for (const ReadPair &pair : pairs) {
    clear(reads[pair.begin], regions[pair.region]);
    clear(reads[pair.end], regions[pair.region]);
  }
  for (const ReadPair &pair : pairs) {
    reads[pair.begin].roles[pair.region] = ClockRole::Begin;
    reads[pair.end].roles[pair.region] = ClockRole::End;
    reads[pair.end].endOf = pair.region;
    const auto next = std::ranges::find(regions, regions[pair.region].next, &Region::id);
    if (next != regions.end())
      reads[pair.end].roles[static_cast<std::size_t>(next - regions.begin())] = ClockRole::Begin;
  }
}

bool isToldByRecords(std::size_t region, std::span<const ClockRead> reads) {
  const auto isEdge = [&](const ClockRead &read) { return read.roles[region] != ClockRole::None && read.roles[region] != ClockRole::End; };
  return std::ranges::any_of(reads, isEdge) &&
         std::ranges::all_of(reads, [&](const ClockRead &read) { return read.isStored || !isEdge(read); });
}

} // namespace kperf::placement
