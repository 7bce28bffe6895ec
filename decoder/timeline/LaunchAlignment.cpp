// A launch lies within the kernel's extent as the other tool has it, which bounds the shift between the clocks on both sides. Shifts that
// put one launch into one kernel are tried: from there on, launch by launch, each must be in a kernel by the shift of the last one that
// was. The one that puts most launches into kernels is taken.
#include "decoder/timeline/LaunchAlignment.h"
#include "decoder/span/ShortName.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>

namespace kperf::decoder {
namespace {

/// What a launch may stand out of its kernel: both clocks have ticks, of up to 1 us.
constexpr std::int64_t kToleranceNs = 2000;
/// By which one clock may be faster than another: crystals keep to 50 millionths, each.
constexpr double kMaxDrift = 1e-4;
/// By which the host's and the device's clocks may be misjudged against each other: the first launch of a program loads its code.
constexpr std::int64_t kMaxAwayNs = 500'000'000;
constexpr std::size_t kMaxTried = 65536, kAnchors = 8, kNeighbours = 16, kMaxWork = 200'000'000;

using Key = std::tuple<std::string, std::array<std::uint32_t, 3>, std::array<std::uint32_t, 3>>;

/// Kernels that may be each other's, by begin.
struct Group {
  std::vector<const KernelRun *> others;
  std::vector<std::size_t> launches; ///< indexes
};

/// The shifts, from and to, that put a launch into a kernel.
struct Bounds {
  std::int64_t from, to;
  std::int64_t middle() const { return from + (to - from) / 2; }
};

/// Of each launch; nothing where it is in no kernel.
using AllBounds = std::vector<std::optional<Bounds>>;

struct Candidate {
  std::int64_t shift;
  std::size_t anchor;     ///< the launch that is in a kernel by it
  std::size_t neighbours; ///< that are, too
};

/// Whether some launch is in another kernel.
bool isElsewhere(const AllBounds &one, const AllBounds &other) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i] && other[i] && (one[i]->from != other[i]->from || one[i]->to != other[i]->to))
      return true;
  return false;
}

std::string plainName(const std::string &name) {
  const std::string shortened = shortKernelName(name);
  return shortened.substr(0, shortened.find_first_of("<[ ("));
}

class Alignment {
public:
  Alignment(std::span<const KernelRun> launches, std::span<const KernelRun> others, std::optional<std::int64_t> near);
  LaunchAlignment run();

private:
  std::optional<Bounds> boundsOf(std::size_t launch, std::int64_t shift, std::int64_t tolerance = kToleranceNs) const;
  std::vector<Candidate> candidates() const;
  std::size_t follow(const Candidate &candidate, std::size_t enough, AllBounds &bounds);
  std::int64_t driftBetween(std::size_t one, std::size_t other) const;
  void place(AllBounds bounds);

  std::span<const KernelRun> launches;
  std::optional<std::int64_t> near;
  std::map<Key, Group> groups;
  std::vector<const Group *> groupOf; ///< of each launch
  std::size_t work = 0;
  LaunchAlignment out;
};

Alignment::Alignment(std::span<const KernelRun> launches, std::span<const KernelRun> others, std::optional<std::int64_t> near)
    : launches(launches), near(near) {
  const bool saysShape = std::ranges::all_of(others, [](const KernelRun &run) { return run.grid[0] > 0 && run.block[0] > 0; });
  const auto keyOf = [&](const KernelRun &run) {
    return saysShape ? Key{plainName(run.name), run.grid, run.block} : Key{plainName(run.name), {}, {}};
  };
  for (const KernelRun &run : others)
    groups[keyOf(run)].others.push_back(&run);
  for (auto &[key, group] : groups)
    std::ranges::sort(group.others, {}, &KernelRun::beginNs);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto found = groups.find(keyOf(launches[i]));
    groupOf.push_back(found == groups.end() ? nullptr : &found->second);
    if (found != groups.end())
      found->second.launches.push_back(i);
  }
}

/// Of the kernel that a launch is in with that shift.
std::optional<Bounds> Alignment::boundsOf(std::size_t index, std::int64_t shift, std::int64_t tolerance) const {
  if (!groupOf[index])
    return std::nullopt;
  const KernelRun &launch = launches[index];
  const auto &others = groupOf[index]->others;
  auto next = std::ranges::upper_bound(others, launch.beginNs + shift + tolerance, {}, &KernelRun::beginNs);
  for (int tried = 0; next != others.begin() && tried < 2; ++tried) {
    const KernelRun &other = **--next;
    if (launch.endNs + shift <= other.endNs + tolerance)
      return Bounds{other.beginNs - launch.beginNs, other.endNs - launch.endNs};
  }
  return std::nullopt;
}

/// Those that put some launch of the rarest kernel, the first and the last among them, into one of its kernels: either side may have missed
/// others. Those come first whose neighbours fit.
std::vector<Candidate> Alignment::candidates() const {
  const Group *rarest = nullptr;
  for (const auto &[key, group] : groups)
    if (!group.launches.empty() && (!rarest || group.others.size() < rarest->others.size()))
      rarest = &group;
  std::vector<Candidate> out;
  if (!rarest)
    return out;
  const auto &own = rarest->launches;
  for (std::size_t anchor = 0; anchor < kAnchors; ++anchor) {
    const std::size_t index = own[anchor * (own.size() - 1) / (kAnchors - 1)];
    for (const KernelRun *other : rarest->others | std::views::take(kMaxTried)) {
      const Bounds bounds{other->beginNs - launches[index].beginNs, other->endNs - launches[index].endNs};
      if (bounds.from > bounds.to + 2 * kToleranceNs || (near && std::abs(bounds.middle() - *near) > kMaxAwayNs))
        continue;
      std::size_t neighbours = 0;
      for (std::size_t i = index - std::min(index, kNeighbours); i < std::min(index + kNeighbours, launches.size()); ++i)
        neighbours += boundsOf(i, bounds.middle()).has_value();
      out.push_back({bounds.middle(), index, neighbours});
    }
  }
  std::ranges::stable_sort(out, std::ranges::greater(), &Candidate::neighbours);
  return out;
}

/// How far the shift may change from one launch to the other.
std::int64_t Alignment::driftBetween(std::size_t one, std::size_t other) const {
  return std::llround(kMaxDrift * static_cast<double>(std::abs(launches[one].beginNs - launches[other].beginNs)));
}

/// How many launches are in kernels, from the anchor to both ends; 0 as soon as it is clear that there are less than `enough`.
std::size_t Alignment::follow(const Candidate &candidate, std::size_t enough, AllBounds &bounds) {
  bounds.assign(launches.size(), std::nullopt);
  std::size_t found = 0, missed = 0;
  const auto take = [&](std::size_t index, std::size_t &last, std::int64_t &shift) {
    ++work;
    const auto own = boundsOf(index, shift, kToleranceNs + driftBetween(index, last));
    bounds[index] = own;
    found += own.has_value();
    missed += !own;
    if (own) {
      shift = own->from <= own->to ? std::clamp(shift, own->from, own->to) : own->middle();
      last = index;
    }
    return missed + enough <= launches.size();
  };
  std::size_t last = candidate.anchor;
  std::int64_t shift = candidate.shift;
  for (std::size_t i = candidate.anchor; i < launches.size(); ++i)
    if (!take(i, last, shift))
      return 0;
  last = candidate.anchor;
  shift = candidate.shift;
  for (std::size_t i = candidate.anchor; i-- > 0;)
    if (!take(i, last, shift))
      return 0;
  return found;
}

/// Each launch's bounds hold for the others too, but for what the clocks drift in between.
void Alignment::place(AllBounds bounds) {
  std::optional<std::size_t> last;
  const auto tighten = [&](std::size_t i) {
    if (!bounds[i])
      return;
    if (last) {
      const std::int64_t drift = driftBetween(i, *last);
      const Bounds both{std::max(bounds[i]->from, bounds[*last]->from - drift), std::min(bounds[i]->to, bounds[*last]->to + drift)};
      if (both.from <= both.to)
        bounds[i] = both;
    }
    last = i;
  };
  for (std::size_t i = 0; i < launches.size(); ++i)
    tighten(i);
  last.reset();
  for (std::size_t i = launches.size(); i-- > 0;)
    tighten(i);
  std::vector<std::int64_t> middles;
  for (const auto &own : bounds)
    if (own) {
      middles.push_back(own->middle());
      out.maxErrorNs = std::max(out.maxErrorNs, (std::abs(own->to - own->from) + 1) / 2);
    }
  out.found = middles.size();
  if (middles.empty())
    return out.shiftsNs.assign(launches.size(), 0);
  std::int64_t shift = middles.front();
  for (const auto &own : bounds)
    out.shiftsNs.push_back(shift = own ? own->middle() : shift);
  const auto middle = middles.begin() + static_cast<std::ptrdiff_t>(middles.size() / 2);
  std::ranges::nth_element(middles, middle);
  out.shiftNs = *middle;
}

LaunchAlignment Alignment::run() {
  std::size_t most = 0;
  AllBounds best, bounds;
  for (const Candidate &candidate : candidates()) {
    if (work > kMaxWork) {
      out.isOneOfSeveral = true; // as far as is known
      break;
    }
    const std::size_t found = follow(candidate, std::max<std::size_t>(most, 1), bounds);
    if (found == 0)
      continue;
    out.isOneOfSeveral = found == most && (out.isOneOfSeveral || isElsewhere(bounds, best));
    if (found == most)
      continue;
    most = found;
    best = bounds;
  }
  if (most == 0)
    best.assign(launches.size(), std::nullopt);
  place(std::move(best));
  return std::move(out);
}

} // namespace

LaunchAlignment alignLaunches(std::span<const KernelRun> launches, std::span<const KernelRun> others, std::optional<std::int64_t> near) {
  return Alignment(launches, others, near).run();
}

} // namespace kperf::decoder
