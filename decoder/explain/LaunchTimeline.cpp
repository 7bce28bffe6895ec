// Measures how well the blocks of each launch fill the device.
#include "decoder/explain/LaunchTimeline.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kperf::decoder {
namespace {

/// What a trace says of launches besides their warps.
class ListedLaunches final : public TraceVisitor {
public:
  void launches(std::span<const format::LaunchRecord> rows) override {
    for (const format::LaunchRecord &row : rows) {
      if (row.flags & (format::kLaunchCaptured | format::kLaunchUnrecorded)) // it runs later, or ran in another run
        continue;
      hasUnprobed |= (row.flags & format::kLaunchPlain) != 0;
      ++byDevice[row.device];
    }
  }
  void losses(std::span<const format::LossRecord> rows) override {
    using enum format::LossKind;
    for (const format::LossRecord &row : rows)
      if (row.kind == LaunchesUnlisted)
        byDevice[row.device] += row.count;
      else
        hasLosses |= row.kind == WarpsWithoutBuffer || row.kind == LaunchesUnrecorded || row.kind == Unreadable;
  }

  std::map<std::uint32_t, std::uint64_t> byDevice;
  bool hasLosses = false, hasUnprobed = false;
};

} // namespace

Status LaunchTimeline::begin(const Trace &trace) {
  ListedLaunches rows;
  for (const Section &section : trace.sections())
    if (section.kind == format::SectionKind::Launches || section.kind == format::SectionKind::Losses)
      if (Status status = trace.visitSection(section, rows); !status)
        return status;
  listed = std::move(rows.byDevice);
  hasLosses = rows.hasLosses;
  hasUnprobed = rows.hasUnprobed;
  return {};
}

const LaunchTimeline::Kernel &LaunchTimeline::kernel(std::uint32_t index) const {
  static const Kernel nothing;
  return index < kernels.size() ? kernels[index] : nothing;
}

void LaunchTimeline::add(std::uint32_t device, std::uint32_t kernel, const format::WarpHeader &warp) {
  if (kernel != kOther && kernels.size() <= kernel)
    kernels.resize(kernel + 1);
  if (held >= kMaxBlocks || (warp.flags & format::kWarpFinished) == 0) {
    cut.insert(device);
    if (kernel != kOther)
      ++kernels[kernel].leftOut;
    return;
  }
  Launch &launch = open[{device, warp.gridId}];
  launch.kernel = kernel;
  launch.grid = std::uint64_t{warp.gridX} * warp.gridY * warp.gridZ;
  launch.isSampled |= warp.sampled > 1;
  const auto [entry, isNew] = launch.blocks.try_emplace(warp.block, Block{warp.startNs, warp.endNs});
  held += isNew;
  entry->second.begin = std::min(entry->second.begin, warp.startNs);
  entry->second.end = std::max(entry->second.end, warp.endNs);
}

/// What a launch loses at its end: from when it last ran about as many blocks as it usually did, those that are missing, less those that
/// were missing until it first ran as many. Blocks that start late end late.
struct Tail {
  std::uint64_t atOnce = 1;
  double lost = 0; ///< ns
};

namespace {

/// How many blocks run at once from one time on, until the next step's.
struct Level {
  std::uint64_t at;
  std::int64_t blocks;
};

/// Sorts `edges`; a block that begins when another ends takes its place.
std::vector<Level> levelsOf(std::vector<std::pair<std::uint64_t, int>> &edges) {
  std::ranges::sort(edges);
  std::vector<Level> out;
  std::int64_t now = 0;
  for (const auto &[at, step] : edges) {
    now += step;
    if (!out.empty() && out.back().at == at)
      out.back().blocks = now;
    else
      out.push_back({at, now});
  }
  return out;
}

/// The mean of blocks that run at once between the first step and the last, a later one, by time.
double meanLevel(std::span<const Level> levels) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    sum += static_cast<double>(levels[i].blocks) * static_cast<double>(levels[i + 1].at - levels[i].at);
  return sum / static_cast<double>(levels.back().at - levels.front().at);
}

/// Blocks that are missing to `full` between two steps, times ns.
double missing(std::span<const Level> levels, double full) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    sum += std::max(0.0, full - static_cast<double>(levels[i].blocks)) * static_cast<double>(levels[i + 1].at - levels[i].at);
  return sum;
}

/// How many blocks run at once beside one that runs: the mean of the levels by time, each weighted by itself, so that a long end counts
/// little. Fewer than the most, where the next block begins some time after one ends.
double usualLevel(std::span<const Level> levels) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
    const double part = static_cast<double>(levels[i].blocks) * static_cast<double>(levels[i + 1].at - levels[i].at);
    sum += part;
    squares += part * static_cast<double>(levels[i].blocks);
  }
  return sum > 0 ? squares / sum : 0;
}

Tail tailOf(std::vector<std::pair<std::uint64_t, int>> &edges) {
  const std::vector<Level> levels = levelsOf(edges);
  const std::span<const Level> all(levels);
  const double usual = usualLevel(all);
  const auto isUsual = [&](const Level &level) { return static_cast<double>(level.blocks) >= 0.9 * usual; };
  const auto first = static_cast<std::size_t>(std::ranges::find_if(all, isUsual) - all.begin());
  const auto last = static_cast<std::size_t>(std::ranges::find_if(all.rbegin(), all.rend(), isUsual).base() - all.begin()); // its end
  Tail out{.atOnce = static_cast<std::uint64_t>(std::ranges::max(levels, {}, &Level::blocks).blocks)};
  if (usual <= 0 || last >= all.size())
    return out;
  const double full = meanLevel(all.subspan(first, last - first + 1));
  out.lost = std::max(0.0, missing(all.subspan(last), full) - missing(all.first(first + 1), full)) / full;
  return out;
}

} // namespace

void LaunchTimeline::close(Launch &launch) {
  Kernel &sums = kernels[launch.kernel];
  std::uint64_t begin = ~std::uint64_t{0}, end = 0, longest = 0, which = 0;
  double work = 0;
  std::vector<std::pair<std::uint64_t, int>> edges;
  for (const auto &[number, block] : launch.blocks) {
    begin = std::min(begin, block.begin);
    end = std::max(end, block.end);
    const std::uint64_t length = block.end - std::min(block.begin, block.end); // clocks of a hostile trace run backwards
    work += static_cast<double>(length);
    if (length > longest)
      which = number;
    longest = std::max(longest, length);
    edges.insert(edges.end(), {{block.begin, 1}, {block.begin + length, -1}});
  }
  const Tail tail = tailOf(edges);
  const std::uint64_t blocks = launch.blocks.size();
  const double duration = static_cast<double>(end - std::min(begin, end));
  ++sums.launches;
  sums.blocks += blocks;
  sums.duration += duration;
  sums.even += duration - tail.lost;
  sums.blockTime += work;
  sums.longest += static_cast<double>(longest);
  sums.maxAtOnce = std::max(sums.maxAtOnce, tail.atOnce);
  sums.maxBlocks = std::max(sums.maxBlocks, blocks);
  if (static_cast<double>(longest) > sums.longestTime) {
    sums.longestTime = static_cast<double>(longest);
    sums.longestBlock = which;
  }
}

bool LaunchTimeline::areGapsIdle(std::span<const Stretch> ofDevice) const {
  const std::uint32_t device = ofDevice.front().device;
  const auto expected = listed.find(device);
  return !hasLosses && !hasUnprobed && !cut.contains(device) && std::ranges::all_of(ofDevice, &Stretch::isWhole) &&
         (expected == listed.end() || expected->second <= ofDevice.size());
}

void LaunchTimeline::addGaps() {
  std::ranges::sort(stretches, {}, [](const Stretch &launch) { return std::tuple(launch.device, launch.begin); });
  for (std::span<const Stretch> left(stretches); !left.empty();) {
    const auto next = std::ranges::find_if(left, [&](const Stretch &launch) { return launch.device != left.front().device; });
    const auto launches = left.first(static_cast<std::size_t>(next - left.begin()));
    addGapsOf(launches, areGapsIdle(launches));
    left = left.subspan(launches.size());
  }
  stretches.clear();
}

void LaunchTimeline::addGapsOf(std::span<const Stretch> ofDevice, bool areIdle) {
  std::uint64_t end = ofDevice.front().end;
  for (const Stretch &launch : ofDevice) {
    if (launch.kernel != kOther) {
      Kernel &sums = kernels[launch.kernel];
      sums.areGapsIdle &= areIdle;
      sums.gaps += static_cast<double>(launch.begin - std::min(launch.begin, end));
      sums.gapCount += launch.begin > end;
    }
    end = std::max(end, launch.end);
  }
}

void LaunchTimeline::finish() {
  for (auto &[key, launch] : open) {
    if (launch.kernel != kOther)
      close(launch);
    Stretch stretch{key.first, ~std::uint64_t{0}, 0, launch.kernel, !launch.isSampled && launch.blocks.size() >= launch.grid};
    for (const auto &[number, block] : launch.blocks) {
      stretch.begin = std::min(stretch.begin, block.begin);
      stretch.end = std::max(stretch.end, block.end);
    }
    stretches.push_back(stretch);
  }
  open.clear();
  held = 0;
  addGaps();
  listed.clear();
  cut.clear();
  hasLosses = hasUnprobed = false;
}

} // namespace kperf::decoder
