// Follows control from clock read to clock read, and counts what stands on the way.
#include "tool/placement/Placement.h"

#include "tool/placement/ClockReads.h"
#include "tool/placement/Flow.h"

#include <algorithm>

namespace kperf::placement {
namespace {

/// Whether a region is open in front of an instruction: both bits where that depends on the path, none where no path is known.
enum : std::uint8_t { kIsClosed = 1, kIsOpen = 2 };
using State = std::uint8_t;

constexpr std::size_t kNone = ~std::size_t{0};

class FunctionPlacement {
public:
  FunctionPlacement(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions)
      : function(function), places(places), regions(regions) {}

  std::vector<RegionPlacement> run() {
    reads = clockReads(function, places, regions);
    if (reads.empty())
      return {};
    flow = readFlow(function);
    readAt.assign(function.instructions.size(), kNone);
    for (std::size_t index = 0; index < reads.size(); ++index)
      readAt[reads[index].instruction] = index;
    before.assign(regions.size(), {});
    std::vector<RegionPlacement> found(regions.size());
    for (const std::size_t region : innermostFirst())
      found[region] = place(region);
    std::erase_if(found, [](const RegionPlacement &each) { return each.instructions == 0 && !each.isClocked; });
    return found;
  }

private:
  std::vector<std::size_t> innermostFirst() const {
    std::vector<std::size_t> order(regions.size());
    for (std::size_t index = 0; index < order.size(); ++index)
      order[index] = index;
    std::ranges::stable_sort(order, {}, [&](std::size_t index) { return regions[index].endLine - regions[index].line; });
    return order;
  }

  const UserPlaces &placesOf(std::size_t instruction) const { return places[function.instructions[instruction].places]; }

  bool holds(const Region &outer, const Region &inner) const {
    return &outer != &inner && outer.file == inner.file && outer.line <= inner.line && inner.endLine <= outer.endLine;
  }

  /// Whether the read ends a region that this one holds, which may be open there.
  bool belongsToInner(std::size_t region, const ClockRead &read) const {
    for (std::size_t inner = 0; inner < regions.size(); ++inner)
      if (!before[inner].empty() && holds(regions[region], regions[inner]) && (before[inner][read.instruction] & kIsOpen) &&
          (read.roles[inner] == ClockRole::Leave || read.roles[inner] == ClockRole::BeginOrEnd))
        return true;
    return false;
  }

  State behind(std::size_t region, std::size_t instruction, State state) const {
    if (readAt[instruction] == kNone)
      return state;
    const ClockRead &read = reads[readAt[instruction]];
    switch (read.roles[region]) {
    case ClockRole::Begin:
      return kIsOpen;
    case ClockRole::End:
      return kIsClosed;
    case ClockRole::Leave:
      return belongsToInner(region, read) ? state : State{kIsClosed};
    case ClockRole::BeginOrEnd:
      return static_cast<State>((state & kIsClosed ? kIsOpen : 0) | (state & kIsOpen ? kIsClosed : 0));
    case ClockRole::None:
      break;
    }
    return state;
  }

  /// In front of each instruction.
  std::vector<State> statesOf(std::size_t region) const {
    std::vector<State> states(function.instructions.size(), 0);
    std::vector<std::size_t> work;
    const auto add = [&](std::size_t instruction, State state) {
      if ((states[instruction] | state) == states[instruction])
        return;
      states[instruction] |= state;
      work.push_back(instruction);
    };
    for (const std::size_t entry : flow.entries)
      add(entry, kIsClosed);
    while (!work.empty()) {
      const std::size_t instruction = work.back();
      work.pop_back();
      const State state = behind(region, instruction, states[instruction]);
      for (const std::size_t next : flow.successors[instruction])
        add(next, state);
    }
    return states;
  }

  /// Where a region before it ends with a read on the line of its own, there are two: it begins with the second one.
  void closeUpToLastBegin(std::size_t region, std::vector<State> &states) const {
    for (std::size_t index = 1; index < reads.size(); ++index) {
      const std::size_t from = reads[index - 1].instruction, to = reads[index].instruction;
      if (reads[index - 1].roles[region] != ClockRole::Begin || reads[index].roles[region] != ClockRole::Begin || states[to] != kIsOpen)
        continue;
      const bool isStraight = std::ranges::all_of(
          std::span(flow.successors).subspan(from, to - from), [](const auto &next) { return next.size() == 1; });
      if (isStraight)
        std::fill(states.begin() + static_cast<std::ptrdiff_t>(from) + 1, states.begin() + static_cast<std::ptrdiff_t>(to) + 1, kIsClosed);
    }
  }

  /// Whether both of its clock reads are there, as far as control comes to them.
  bool isClocked(std::size_t region, const std::vector<State> &states) const {
    bool begins = false, ends = false;
    for (const ClockRead &read : reads) {
      const State state = states[read.instruction], next = behind(region, read.instruction, state);
      begins |= (read.roles[region] == ClockRole::Begin || read.roles[region] == ClockRole::BeginOrEnd) && (next & kIsOpen);
      ends |= read.roles[region] != ClockRole::None && (state & kIsOpen) && (next & kIsClosed);
    }
    return begins && ends;
  }

  RegionPlacement place(std::size_t index) {
    const Region &region = regions[index];
    RegionPlacement out{.region = &region, .outsideAt = {}, .foreignAt = {}};
    std::vector<State> states = statesOf(index);
    out.isClocked = isClocked(index, states);
    before[index] = states;
    closeUpToLastBegin(index, states);
    const bool isBlock = (region.kind == format::RegionKind::Scope || region.kind == format::RegionKind::Range) && region.endLine > region.line;
    for (std::size_t at = 0; at < states.size(); ++at) {
      const UserPlaces &from = placesOf(at);
      if (from.isProbe || from.lines.empty() || function.instructions[at].text.starts_with("NOP"))
        continue;
      const bool isOwn = isBlock ? touches(from, region, region.line + 1, region.endLine - 1) : touches(from, region, region.line, region.endLine);
      if (isOwn)
        countOwn(out, region, from, states[at]);
      else if (out.isClocked && states[at] == kIsOpen && !touches(from, region, region.line, region.endLine))
        count(out.foreign, out.foreignAt, from.lines.back());
    }
    return out;
  }

  static void count(std::uint64_t &number, LineCounts &lines, const SourceLine &line) {
    ++number;
    ++lines[{line.file, line.line}];
  }

  static void countOwn(RegionPlacement &out, const Region &region, const UserPlaces &from, State state) {
    ++out.instructions;
    if (!out.isClocked)
      return;
    out.inside += state == kIsOpen;
    if (state != kIsClosed)
      return;
    const auto line = std::ranges::find_if(from.lines, [&](const SourceLine &each) {
      return each.line >= region.line && each.line <= region.endLine && isSameFile(each.file, region.file);
    });
    count(out.outside, out.outsideAt, *line);
  }

  const Function &function;
  std::span<const UserPlaces> places;
  std::span<const Region> regions;
  std::vector<ClockRead> reads;
  std::vector<std::size_t> readAt;         ///< by instruction: index of the clock read, or kNone
  Flow flow;
  std::vector<std::vector<State>> before;  ///< by region and instruction; empty where not yet known
};

} // namespace

std::vector<RegionPlacement> placementIn(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions) {
  return FunctionPlacement(function, places, regions).run();
}

} // namespace kperf::placement
