// Finds the waits that had not ended when their warps were last seen.
#include "decoder/sync/StuckWaits.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <set>

namespace kperf::decoder {

using format::SyncObject;
using format::SyncOperation;

namespace {

/// Kinds of rows that are kept; blocks that would make more are left out.
constexpr std::size_t kMaxKinds = 4096;
/// Places of missing warps that one row names.
constexpr std::size_t kMaxPlaces = 4;

/// "warp 3", "warps 1, 2, 5": of indices in their order, at most eight.
std::string listed(const std::vector<std::uint32_t> &indices, std::string_view warp) {
  constexpr std::size_t kMax = 8;
  std::string out = fmt::format("{}{}", warp, indices.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(indices.size(), kMax); ++i)
    out += fmt::format("{} {}", i ? "," : "", indices[i]);
  return out + (indices.size() > kMax ? fmt::format(" and {} more", indices.size() - kMax) : "");
}

bool isArrival(SyncOperation operation) {
  return operation == SyncOperation::Arrive || operation == SyncOperation::ArriveIssue || operation == SyncOperation::Barrier;
}

} // namespace

void StuckWaits::add(const SyncBlock &block) {
  if (block.isFinished || found.size() >= kMaxKinds)
    return;
  std::map<Object, std::vector<std::uint32_t>> waiting; // warps, as indices in the block's
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    const auto &open = block.warps[i].open;
    const auto last = std::ranges::find_if(open.rbegin(), open.rend(),
                                           [&](const Span &span) { return regions.kinds()[span.region] == format::RegionKind::Wait; });
    if (last != open.rend())
      waiting[{regions[last->region].object, regions.objectIn(last->region, last->lanes)}].push_back(i);
  }
  for (const auto &[object, warps] : waiting)
    addAt(block, object, warps);
}

void StuckWaits::addAt(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &waiting) {
  const auto &open = block.warps[waiting.front()].open;
  const auto wait = std::ranges::find_if(open.rbegin(), open.rend(),
                                         [&](const Span &span) { return regions.kinds()[span.region] == format::RegionKind::Wait; });
  Kind kind{block.kernel, wait->region, waiting.size(), {}, {}, ""};
  const auto isWhole = [](const SyncWarp &warp) { return warp.why == UnknownReason::None || warp.why == UnknownReason::Unfinished; };
  if (block.why != UnknownReason::None)
    kind.missing = fmt::format("not known: {}", text(block.why, regions.terms()));
  else if (const auto part = std::ranges::find_if_not(block.warps, isWhole); part != block.warps.end())
    kind.missing = fmt::format("not known: {}", text(part->why, regions.terms()));
  else if (object.kind == SyncObject::BlockBarrier)
    countWarps(block, object, waiting, kind);
  else if (object.kind == SyncObject::SharedBarrier && object.value != format::kNoAddress)
    countLanes(block, object, kind);
  Found &entry = found[kind];
  if (entry.blocks++ == 0)
    std::tie(entry.gridId, entry.block) = std::pair(block.gridId, block.block);
}

/// At a barrier of the block everybody is expected, but where some warps were never seen at it and others had left it before.
void StuckWaits::countWarps(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &waiting, Kind &kind) const {
  std::set<std::uint32_t> arrived(waiting.begin(), waiting.end()), known = arrived;
  std::uint64_t passed = 0; // when anybody last left it
  for (std::uint32_t i = 0; i < block.warps.size(); ++i)
    for (const Span &span : block.warps[i].spans)
      if (const Region &region = regions[span.region];
          region.kind == format::RegionKind::Wait && Object{region.object, span.lanes} == object) {
        passed = std::max(passed, span.end);
        known.insert(i);
      }
  for (const Arrival &arrival : arrivalsAt(block, object, passed))
    arrived.insert(arrival.warp);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t i = 0; i < block.warps.size(); ++i)
    if (!arrived.contains(i) && (passed == 0 || known.contains(i)))
      missing.push_back(i);
  kind.arrived = arrived.size();
  kind.expected = arrived.size() + missing.size();
  kind.missing = describe(block, object, missing);
}

/// Of a barrier in shared memory the arrivals since its last phase was complete; how many it takes, its initialisation says.
void StuckWaits::countLanes(const SyncBlock &block, Object object, Kind &kind) const {
  const auto expected = expectedAt(block, object);
  const std::vector<Arrival> all = arrivalsAt(block, object, expected ? expected->first : 0);
  if (!expected) {
    std::vector<std::uint32_t> never;
    for (std::uint32_t i = 0; i < block.warps.size(); ++i)
      if (std::ranges::find(all, i, &Arrival::warp) == all.end())
        never.push_back(i);
    kind.missing =
        never.empty() ? "" : describe(block, object, never) + (never.size() == 1 ? ": it never arrived" : ": they never arrived");
    return;
  }
  std::uint64_t sum = 0;
  std::set<std::uint32_t> arrived, before;
  for (const Arrival &arrival : all) {
    const std::uint64_t left = expected->second - sum;
    arrived.insert(arrival.warp);
    sum += arrival.lanes;
    if (arrival.lanes < left)
      continue;
    before.insert(arrived.begin(), arrived.end());
    sum = expected->second > 0 ? sum % expected->second : 0;
    arrived.clear();
    if (sum > 0)
      arrived.insert(arrival.warp);
  }
  kind.arrived = sum;
  kind.expected = expected->second;
  std::vector<std::uint32_t> missing; // of those that arrived in phases before, else of all
  for (std::uint32_t i = 0; i < block.warps.size(); ++i)
    if (!arrived.contains(i) && (before.empty() || before.contains(i)))
      missing.push_back(i);
  kind.missing = describe(block, object, missing);
}

/// In the order of time, later than `since`: what signals, and what arrives itself and waits.
std::vector<StuckWaits::Arrival> StuckWaits::arrivalsAt(const SyncBlock &block, Object object, std::uint64_t since) const {
  std::vector<Arrival> out;
  for (std::uint32_t i = 0; i < block.warps.size(); ++i) {
    const SyncWarp &warp = block.warps[i];
    const auto take = [&](std::uint32_t region, std::uint32_t value, std::uint64_t at, std::uint64_t lanes) {
      if (at >= since && Object{regions[region].object, value} == object && isArrival(regions[region].operation))
        out.push_back({at, lanes, i});
    };
    for (const Mark &mark : warp.signals)
      take(mark.region, mark.payload, mark.at, static_cast<std::uint64_t>(std::popcount(mark.lanes)));
    for (const auto *spans : {&warp.spans, &warp.open})
      for (const Span &span : *spans)
        if (regions.kinds()[span.region] == format::RegionKind::Wait && object.kind == SyncObject::SharedBarrier)
          take(span.region, span.lanes, span.begin, regions.lanes());
  }
  std::ranges::stable_sort(out, {}, &Arrival::at);
  return out;
}

/// When the object was last told how many arrivals complete a phase, and how many.
std::optional<std::pair<std::uint64_t, std::uint64_t>> StuckWaits::expectedAt(const SyncBlock &block, Object object) const {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const SyncWarp &warp : block.warps)
    for (const Mark &mark : warp.signals) {
      const std::uint32_t arrivals = mark.payload >> format::kExpectedShift;
      const std::uint32_t value = (mark.payload & ((1u << format::kExpectedShift) - 1)) * regions.expectedUnit();
      if (regions[mark.region].operation == SyncOperation::Expect && Object{regions[mark.region].object, value} == object && arrivals > 0 &&
          arrivals < format::kMaxExpected && (!out || mark.at >= out->first))
        out = {mark.at, arrivals};
    }
  return out;
}

std::string StuckWaits::placeOf(const SyncWarp &warp, Object object) const {
  if (warp.isFinished)
    return "has left";
  if (!warp.open.empty()) {
    const Span &last = warp.open.back();
    const Region &region = regions[last.region];
    if (region.kind != format::RegionKind::Wait)
      return "in " + region.name;
    return Object{region.object, regions.objectIn(last.region, last.lanes)} == object ? "waits here" : "waits at " + region.name;
  }
  const auto last = std::ranges::max_element(warp.spans, {}, &Span::end);
  return last == warp.spans.end() ? "nothing of it is seen" : "last seen behind " + regions[last->region].name;
}

std::string StuckWaits::describe(const SyncBlock &block, Object object, const std::vector<std::uint32_t> &missing) const {
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> byPlace; // in the order of their first warps
  for (const std::uint32_t warp : missing) {
    const std::string place = placeOf(block.warps[warp], object);
    auto known = std::ranges::find(byPlace, place, &std::pair<std::string, std::vector<std::uint32_t>>::first);
    if (known == byPlace.end())
      known = byPlace.insert(known, {place, {}});
    known->second.push_back(block.warps[warp].index);
  }
  std::string out;
  std::size_t places = 0;
  for (const auto &[place, warps] : byPlace) {
    if (++places > kMaxPlaces)
      return out + "; others";
    out += fmt::format("{}{} ({})", out.empty() ? "" : "; ", listed(warps, regions.terms().warp), place);
  }
  return out;
}

void StuckWaits::list(std::uint32_t kernel, const std::string &name) {
  std::vector<const std::pair<const Kind, Found> *> order;
  for (const auto &entry : found)
    if (entry.first.kernel == kernel)
      order.push_back(&entry);
  std::ranges::stable_sort(order, std::greater<>(), [](const auto *entry) { return entry->second.blocks; });
  const auto cell = [](const std::optional<std::uint64_t> &value) { return value ? Cell(*value) : Cell(); };
  for (const auto *entry : order) {
    const auto &[kind, where] = *entry;
    const Region &region = regions[kind.region];
    const std::string place = region.location();
    const bool isOfWarps = region.object == SyncObject::BlockBarrier;
    table.rows.push_back({name, region.name, place.empty() ? Cell() : Cell(place.substr(place.rfind('/') + 1)), where.blocks, kind.warps,
                          cell(kind.arrived), cell(kind.expected),
                          kind.arrived ? Cell(isOfWarps ? fmt::format("{}s", regions.terms().warp) : std::string("lanes")) : Cell(),
                          kind.missing.empty() ? Cell() : Cell(kind.missing), where.gridId, where.block});
  }
}

} // namespace kperf::decoder
