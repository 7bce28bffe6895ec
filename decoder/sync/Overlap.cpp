// Measures how long regions of the warps of a block, or of an SM, ran at the same time.
#include "decoder/sync/Overlap.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace kperf::decoder {
namespace {

/// Groups that were looked at too early and are remembered, to say so.
constexpr std::size_t kMaxSplitGroups = std::size_t{1} << 18;
/// Groups held at once, however short their stretches.
constexpr std::size_t kMaxGroups = std::size_t{1} << 18;

} // namespace

std::uint32_t KernelOverlap::placeOf(std::uint32_t region, bool isWait) {
  const auto known = placeOfRegion.find(region);
  if (known != placeOfRegion.end())
    return known->second;
  if (size() < kMax - 1) {
    placeOfRegion.emplace(region, size());
    waits |= std::uint64_t{isWait} << size();
    regions.push_back(region);
  } else if (size() < kMax) {
    regions.push_back(RegionSet::kNone);
  }
  return size() - 1;
}

void KernelOverlap::add(std::uint64_t places, std::uint64_t cycles) {
  if (places == 0)
    return;
  const std::uint64_t work = places & ~waits;
  coveredCycles += work != 0 ? cycles : 0;
  for (std::uint64_t left = places; left != 0; left &= left - 1) {
    const auto place = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint64_t others = work & ~(std::uint64_t{1} << place);
    totals[place] += cycles;
    (others == 0 ? alone : accompanied)[place] += cycles;
    both.resize(std::max<std::size_t>(both.size(), (place + 1) * kMax));
    both[place * kMax + place] += cycles;
    for (std::uint64_t other = others; other != 0; other &= other - 1)
      both[place * kMax + static_cast<std::uint32_t>(std::countr_zero(other))] += cycles;
  }
}

void OverlapGroups::add(const WarpGroupKey &key, std::uint64_t expected, const WarpSpans &warp) {
  const std::uint32_t kernel = key.kernel;
  if (held >= maxStretches || open.size() >= kMaxGroups)
    makeRoom();
  if (kernel >= kernels.size())
    kernels.resize(kernel + 1);
  Group &group = open[key];
  if (group.seen == 0 && split.contains(key))
    ++kernels[kernel].split;
  group.kernel = kernel;
  group.expected = expected;
  group.touched = ++clock;
  ++group.seen;
  group.begin = std::min(group.begin, warp.begin);
  group.end = std::max(group.end, warp.end);
  kernels[kernel].dropped += warp.counts.dropped;
  kernels[kernel].summed += warp.sums.size();
  const std::size_t before = group.stretches.size();
  addStretches(group, warp);
  held += group.stretches.size() - before;
  if (group.seen != group.expected)
    return;
  look(group);
  open.erase(key);
}

void OverlapGroups::addStretches(Group &group, const WarpSpans &warp) {
  KernelOverlap &overlap = kernels[group.kernel].overlap;
  const auto emit = [&](std::uint64_t begin, std::uint64_t end, std::uint32_t place) {
    if (begin < end)
      group.stretches.push_back({begin, end, place});
  };
  const auto isWait = [&](const Span &span) { return regions.kinds()[span.region] == format::RegionKind::Wait; };
  waits.clear();
  std::ranges::copy_if(warp.spans, std::back_inserter(waits), isWait);
  emit(warp.begin, warp.kept.openUntil, kUnknown);
  emit(warp.kept.openFrom, warp.end, kUnknown);
  stack.clear();
  std::uint64_t now = warp.begin;
  const auto skip = [&](std::uint64_t end) { // outside of all regions that were kept
    emit(now, std::min(end, warp.kept.enclosedUntil), kUnknown);
    emit(std::max(now, warp.kept.enclosedFrom), end, kUnknown);
  };
  const auto leave = [&] {
    emit(now, stack.back().end, stack.back().place);
    now = std::max(now, stack.back().end);
    stack.pop_back();
  };
  for (const Span &span : warp.spans) {
    const std::uint32_t place = overlap.placeOf(span.region, isWait(span));
    if (regions.kinds()[span.region] == format::RegionKind::Range) {
      // Without the waits in it. Those of one warp do not overlap, so that their ends are in order too.
      std::uint64_t from = span.begin;
      for (auto wait = std::ranges::partition_point(waits, [&](const Span &each) { return each.end <= span.begin; });
           wait != waits.end() && wait->begin < span.end; ++wait) {
        emit(from, std::min(wait->begin, span.end), place);
        from = std::max(from, wait->end);
      }
      emit(from, span.end, place);
      continue;
    }
    while (!stack.empty() && stack.back().end <= span.begin)
      leave();
    if (stack.empty())
      skip(span.begin);
    else
      emit(now, span.begin, stack.back().place);
    now = std::max(now, span.begin);
    // A wait that is a function or a loop may hold regions, such as the loop that polls: what is in them waits.
    const bool isInWait = !isWait(span) && !stack.empty() && span.end <= stack.back().end && overlap.isWait(stack.back().place);
    stack.push_back({span.end, isInWait ? stack.back().place : place});
  }
  while (!stack.empty())
    leave();
  skip(warp.end);
}

/// Goes along the edges of all stretches of a group. What ran while a region may have run that was dropped is no part of it.
void OverlapGroups::look(Group &group) {
  Kernel &kernel = kernels[group.kernel];
  ++kernel.groups;
  edges.clear();
  for (const Stretch &stretch : group.stretches) {
    const auto place = static_cast<std::int32_t>(stretch.place) + 1;
    edges.push_back({stretch.begin, place});
    edges.push_back({stretch.end, -place});
  }
  std::ranges::sort(edges, {}, &Edge::at);
  std::array<std::uint32_t, kUnknown + 1> warps{};
  std::unordered_map<std::uint64_t, std::uint64_t> cyclesOf; ///< by the places that run
  std::uint64_t places = 0, before = 0, unknown = 0, *sum = nullptr, sumOf = 0;
  for (const Edge &edge : edges) {
    if (warps[kUnknown] > 0) {
      unknown += edge.at - before;
    } else if (edge.at > before && places != 0) {
      if (!sum || sumOf != places) {
        sum = &cyclesOf[places]; // stays where it is when others come
        sumOf = places;
      }
      *sum += edge.at - before;
    }
    before = edge.at;
    const auto place = static_cast<std::uint32_t>(std::abs(edge.place)) - 1;
    warps[place] += edge.place > 0 ? 1 : -1u;
    if (place == kUnknown)
      continue;
    const std::uint64_t bit = std::uint64_t{1} << place;
    places = warps[place] > 0 ? places | bit : places & ~bit;
  }
  kernel.unknown += unknown;
  kernel.life += group.end - group.begin - unknown;
  for (const auto &[running, cycles] : cyclesOf)
    kernel.overlap.add(running, cycles);
  held -= group.stretches.size();
  group.stretches = {};
}

/// Looks at the half of the groups that had no warp for longest.
void OverlapGroups::makeRoom() {
  std::vector<std::pair<std::uint64_t, WarpGroupKey>> order;
  for (const auto &[key, group] : open)
    order.emplace_back(group.touched, key);
  std::ranges::sort(order, {}, &std::pair<std::uint64_t, WarpGroupKey>::first);
  order.resize((order.size() + 1) / 2);
  for (const auto &[touched, key] : order) {
    look(open.at(key));
    open.erase(key);
    if (split.size() < kMaxSplitGroups)
      split.insert(key);
  }
}

void OverlapGroups::finish() {
  for (auto &[key, group] : open)
    look(group);
  open.clear();
  split.clear();
}

} // namespace kperf::decoder
