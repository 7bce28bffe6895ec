// Follows control from clock read to clock read, and counts the instructions on the way.
#include "tool/placement/Placement.h"

#include "tool/placement/ClockReads.h"
#include "tool/placement/Flow.h"
#include "tool/placement/ReadPairs.h"

#include <algorithm>

namespace kperf::placement {
namespace {

/// Whether a region is open in front of an instruction: both bits where that depends on the path, none where no path is known.
enum : std::uint8_t { kIsClosed = 1, kIsOpen = 2 };
using State = std::uint8_t;

constexpr std::size_t kNone = ~std::size_t{0};

using Edges = std::vector<std::vector<std::size_t>>;

/// The starts, and what they lead to by edges to where `isOpen` says so.
template <typename Predicate> std::vector<bool> reachable(const std::vector<std::size_t> &starts, const Edges &edges, Predicate isOpen) {
  std::vector<bool> found(edges.size(), false);
  std::vector<std::size_t> work = starts;
  for (const std::size_t start : starts)
    found[start] = true;
  while (!work.empty()) {
    const std::size_t at = work.back();
    work.pop_back();
    for (const std::size_t to : edges[at])
      if (!found[to] && isOpen(to)) {
        found[to] = true;
        work.push_back(to);
      }
  }
  return found;
}

class FunctionPlacement {
public:
  FunctionPlacement(const Function &function, std::span<const UserPlaces> places, std::span<const Region> given,
                    std::string_view architecture)
      : function(function), places(places), given(given), architecture(architecture), regions(withBeginLines(function, places, given)) {}

  KernelPlacement run() {
    reads = clockReads(function, places, regions);
    if (reads.empty())
      return {};
    pairReads(function, regions, reads);
    flow = readFlow(function);
    readAt.assign(function.instructions.size(), kNone);
    predecessors.resize(function.instructions.size());
    for (std::size_t from = 0; from < predecessors.size(); ++from)
      for (const std::size_t to : flow.successors[from])
        predecessors[to].push_back(from);
    for (std::size_t index = 0; index < reads.size(); ++index)
      readAt[reads[index].instruction] = index;
    before.assign(regions.size(), {});
    areClocked.assign(regions.size(), false);
    for (std::size_t at = 0; at < function.instructions.size(); ++at)
      isProbe.push_back(placesOf(at).isProbe);
    isCounted = isProbe;
    std::vector<RegionPlacement> found(regions.size());
    for (const std::size_t region : innermostFirst())
      if (isSpan(regions[region].kind)) {
        dropMarks(region);
        found[region] = place(region);
      }
    std::erase_if(found, [](const RegionPlacement &each) { return each.instructions == 0 && !each.isClocked; });
    return {.regions = std::move(found), .other = otherWork(function, isCounted)};
  }

private:
  std::vector<std::size_t> innermostFirst() const {
    std::vector<std::size_t> order(regions.size());
    for (std::size_t index = 0; index < order.size(); ++index)
      order[index] = index;
    std::ranges::stable_sort(order, {}, [&](std::size_t index) { return regions[index].endLine - regions[index].line; });
    return order;
  }

  /// By instruction: whether its clock read at the region's begin leads there, or it leads to one. The rest is of the copy without probes
  /// that some blocks run; not so where no path is known.
  std::vector<bool> probedCode(std::size_t region) const {
    std::vector<std::size_t> begins;
    for (const ClockRead &read : reads)
      if (read.roles[region] == ClockRole::Begin || read.roles[region] == ClockRole::BeginOrEnd)
        begins.push_back(read.instruction);
    const auto everywhere = [](std::size_t) { return true; };
    std::vector<bool> probed = reachable(begins, flow.successors, everywhere);
    const std::vector<bool> leads = reachable(begins, predecessors, everywhere);
    const std::vector<bool> known = reachable(flow.entries, flow.successors, everywhere);
    for (std::size_t index = 0; index < probed.size(); ++index)
      probed[index] = probed[index] || leads[index] || !known[index];
    return probed;
  }

  const UserPlaces &placesOf(std::size_t instruction) const { return places[function.instructions[instruction].places]; }

  bool holds(const Region &outer, const Region &inner) const {
    return &outer != &inner && outer.file == inner.file && outer.line <= inner.line && inner.endLine <= outer.endLine;
  }

  /// Whether the read ends a region that this one holds, which may be open there.
  bool belongsToInner(std::size_t region, const ClockRead &read) const {
    for (std::size_t inner = 0; inner < regions.size(); ++inner)
      if (!before[inner].empty() && holds(regions[region], regions[inner]) && (before[inner][read.instruction] & kIsOpen) &&
          (read.roles[inner] == ClockRole::LastLine || read.roles[inner] == ClockRole::Body || read.roles[inner] == ClockRole::BeginOrEnd))
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
    case ClockRole::LastLine:
    case ClockRole::Body:
      return belongsToInner(region, read) ? state : State{kIsClosed};
    case ClockRole::BeginOrEnd:
      return static_cast<State>((state & kIsClosed ? kIsOpen : 0) | (state & kIsOpen ? kIsClosed : 0));
    case ClockRole::None:
      break;
    }
    return state;
  }

  /// A read in the region's body from where control can come to its last line, without a new begin, ends nothing.
  void dropMarks(std::size_t region) {
    std::vector<std::size_t> last;
    for (const ClockRead &read : reads)
      if (read.roles[region] == ClockRole::LastLine || read.endOf == region)
        last.push_back(read.instruction);
    const std::vector<bool> leads = reachable(
        last, predecessors, [&](std::size_t at) { return readAt[at] == kNone || reads[readAt[at]].roles[region] != ClockRole::Begin; });
    for (ClockRead &read : reads)
      if (read.roles[region] == ClockRole::Body && leads[read.instruction])
        read.roles[region] = ClockRole::None;
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
      const bool isStraight =
          std::ranges::all_of(std::span(flow.successors).subspan(from, to - from), [](const auto &next) { return next.size() == 1; });
      if (isStraight)
        std::fill(states.begin() + static_cast<std::ptrdiff_t>(from) + 1, states.begin() + static_cast<std::ptrdiff_t>(to) + 1, kIsClosed);
    }
  }

  /// A region of the same lines, or, where either is of one line, one that begins or ends on it, too: whose reads are whose? Of ranges
  /// alone it is told. kNone: there is none.
  std::size_t sharingLine(std::size_t index) const {
    const Region &region = regions[index];
    const auto isOnEdge = [](const Region &one, const Region &other) {
      const bool areRanges = !isStrictlyNested(one) && !isStrictlyNested(other);
      return !areRanges && one.line == one.endLine && (one.line == other.line || one.line == other.endLine);
    };
    for (std::size_t other = 0; other < regions.size(); ++other) {
      const Region &each = regions[other];
      if (other == index || !isSpan(each.kind) || each.file != region.file || each.next == region.id || region.next == each.id)
        continue;
      if ((each.line == region.line && each.endLine == region.endLine) || isOnEdge(region, each) || isOnEdge(each, region))
        return other;
    }
    return kNone;
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

  /// A region that was placed before is within this one where both are open.
  RegionCode codeOf(std::size_t region, const std::vector<State> &states) const {
    RegionCode code{.begins = {}, .closes = std::vector<bool>(states.size(), false), .isOthers = isProbe};
    for (const ClockRead &read : reads) {
      const bool opens = read.roles[region] == ClockRole::Begin || read.roles[region] == ClockRole::BeginOrEnd;
      const State next = behind(region, read.instruction, states[read.instruction]);
      if (opens && (next & kIsOpen))
        code.begins.push_back(read.instruction);
      code.closes[read.instruction] = next == kIsClosed;
    }
    for (std::size_t inner = 0; inner < regions.size(); ++inner)
      for (std::size_t at = 0; inner != region && areClocked[inner] && at < before[inner].size(); ++at)
        code.isOthers[at] = code.isOthers[at] || (before[inner][at] & kIsOpen);
    return code;
  }

  /// Whether none of the region's instructions is on a way from its begin to its end.
  bool isEmpty(std::size_t begin, const RegionCode &code, const Region &region) const {
    const auto isOpen = [&](std::size_t to) { return to == begin || !code.closes[to]; };
    const std::vector<bool> reached = reachable({begin}, flow.successors, isOpen);
    for (std::size_t at = 0; at < reached.size(); ++at)
      if (reached[at] && !placesOf(at).isProbe && isInBody(placesOf(at), region) && !isPadding(at))
        return false;
    return true;
  }

  RegionPlacement place(std::size_t index) {
    const Region &region = regions[index];
    RegionPlacement out{.region = &given[index], .outsideAt = {}, .foreignAt = {}};
    std::vector<State> states = statesOf(index);
    const std::size_t sharing = sharingLine(index);
    const bool isTold = sharing == kNone || isToldByRecords(index, reads);
    out.sharesLine = isTold ? nullptr : &given[sharing];
    areClocked[index] = out.isClocked = isTold && isClocked(index, states);
    before[index] = states;
    for (const ClockRead &read : reads)
      out.mislined += read.isMislined && read.roles[index] != ClockRole::None;
    closeUpToLastBegin(index, states);
    if (out.isClocked) {
      const RegionCode code = codeOf(index, states);
      out.work = workOf(function, flow, code, architecture, isCounted);
      out.copies = code.begins.size();
      out.emptyCopies =
          static_cast<std::uint64_t>(std::ranges::count_if(code.begins, [&](std::size_t begin) { return isEmpty(begin, code, region); }));
    }
    const std::vector<bool> isProbed = probedCode(index);
    for (std::size_t at = 0; at < states.size(); ++at) {
      const UserPlaces &from = placesOf(at);
      if ((out.isClocked && !isProbed[at]) || from.isProbe || from.lines.empty() || isPadding(at))
        continue;
      const bool isOpen = out.isClocked && states[at] == kIsOpen, isOnItsLines = touches(from, region, region.line, region.endLine);
      const bool isOnEdge = touches(from, region, region.line, region.line) || touches(from, region, region.endLine, region.endLine);
      if (out.isClocked && sharing != kNone && states[at] == kIsClosed && isOnEdge)
        continue; // the other one's, or its neighbour's
      if (isInBody(from, region) || (isOpen && isOnItsLines) || (!out.isClocked && isOnItsLines && !hasLinesBetween(region)))
        countOwn(out, region, from, states[at]);
      else if (isOpen)
        count(out.foreign, out.foreignAt, shownLine(from, region));
    }
    return out;
  }

  /// On the lines of an annotation other code may stand too, in front of it or behind.
  static bool isInBody(const UserPlaces &from, const Region &region) {
    const bool isAnnotated = region.kind == format::RegionKind::Scope || (region.kind == format::RegionKind::Range && !region.isPragma);
    return touches(from, region, region.line + isAnnotated, region.endLine - isAnnotated);
  }

  static bool hasLinesBetween(const Region &region) { return region.endLine - region.line > 1; }

  /// What stands behind a function's last instruction is not run.
  bool isPadding(std::size_t at) const {
    const auto &next = flow.successors[at];
    return function.instructions[at].text.starts_with("NOP") || (next.size() == 1 && next.front() == at);
  }

  /// The outermost one in the region's file, if there is one.
  static const SourceLine &shownLine(const UserPlaces &from, const Region &region) {
    for (std::size_t index = from.lines.size(); index-- > 0;)
      if (isSameFile(from.lines[index].file, region.file))
        return from.lines[index];
    return from.lines.back();
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
  std::span<const Region> given;
  std::string_view architecture;
  std::vector<Region> regions; ///< the same, with the lines of their probes
  std::vector<ClockRead> reads;
  std::vector<std::size_t> readAt; ///< by instruction: index of the clock read, or kNone
  Flow flow;
  Edges predecessors;
  std::vector<bool> areClocked;           ///< by region: isClocked(), of those that were placed
  std::vector<bool> isProbe;              ///< by instruction
  std::vector<bool> isCounted;            ///< by instruction: it is work of a region, or a probe's, which is nobody's
  std::vector<std::vector<State>> before; ///< by region and instruction; empty where not yet known
};

} // namespace

KernelPlacement placementIn(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions,
                            std::string_view architecture) {
  return FunctionPlacement(function, places, regions, architecture).run();
}

} // namespace kperf::placement
