// Measures how evenly the warps of each block share the work.
#include "decoder/explain/BlockBalance.h"

#include <algorithm>
#include <bit>

namespace kperf::decoder {

const BlockBalance::Kernel &BlockBalance::kernel(std::uint32_t index) const {
  static const Kernel nothing;
  return index < kernels.size() ? kernels[index] : nothing;
}

void BlockBalance::add(std::uint32_t device, std::uint32_t kernel, std::uint64_t expected, const WarpSpans &warp) {
  if (kernels.size() <= kernel)
    kernels.resize(kernel + 1);
  Kernel &sums = kernels[kernel];
  const WarpGroupKey key{warp.header.gridId, warp.header.block, device, kernel};
  if (held >= kMaxOpen && !open.contains(key)) {
    ++sums.leftOut;
    return;
  }
  Block &block = open[key];
  const std::size_t before = block.selves.size();
  block.begin = std::min(block.begin, warp.begin);
  block.end = std::max(block.end, warp.end);
  ++block.warps;
  addSelves(block, sums, warp);
  held += block.selves.size() - before;
  if (block.warps < expected)
    return;
  held -= block.selves.size();
  close(block, sums);
  open.erase(key);
}

void BlockBalance::addSelves(Block &block, Kernel &kernel, const WarpSpans &warp) {
  nesting.build(warp, regions);
  inWarp.resize(regions.size());
  for (std::size_t i = 0; i < warp.spans.size(); ++i) {
    const Span &span = warp.spans[i];
    auto &[cycles, laneCycles] = inWarp[span.region];
    const std::uint64_t self = nesting.exclusive()[i];
    if (cycles == 0 && self > 0)
      touched.push_back(span.region);
    cycles += self;
    laneCycles += static_cast<double>(self) * std::popcount(span.lanes);
  }
  std::uint64_t role = 0;
  for (const std::uint32_t region : touched) // in any order
    role += (region + std::uint64_t{1}) * (region ^ 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  for (const std::uint32_t region : touched) {
    auto &[cycles, laneCycles] = inWarp[region];
    Row &row = kernel.rows[region];
    row.cycles += static_cast<double>(cycles);
    row.laneCycles += laneCycles;
    block.selves.push_back({region, warp.header.warp, cycles, role});
    cycles = 0;
    laneCycles = 0;
  }
  touched.clear();
  block.selves.push_back({kWholeLife, warp.header.warp, warp.cycles(), role});
  kernel.rows[kWholeLife].cycles += static_cast<double>(warp.cycles());
}

void BlockBalance::close(Block &block, Kernel &kernel) {
  kernel.life += static_cast<double>(block.end - block.begin);
  kernel.warpsOfBlock = std::max(kernel.warpsOfBlock, block.warps);
  ++kernel.blocks;
  noteLongest(block, kernel);
  std::ranges::stable_sort(block.selves, {}, &Self::region);
  for (auto first = block.selves.begin(); first != block.selves.end();) {
    const auto last = std::find_if(first, block.selves.end(), [&](const Self &self) { return self.region != first->region; });
    addRow(kernel, {first, last}, block.warps);
    first = last;
  }
}

void BlockBalance::noteLongest(const Block &block, Kernel &kernel) {
  if (block.end - block.begin <= kernel.longest.life)
    return;
  kernel.longest = {.life = block.end - block.begin, .cycles = {}};
  for (const Self &self : block.selves)
    kernel.longest.cycles[self.region] += static_cast<double>(self.cycles);
}

double BlockBalance::Kernel::excessOfLongest(std::uint32_t region) const {
  const auto own = longest.cycles.find(region);
  const auto all = rows.find(region);
  return (own == longest.cycles.end() ? 0 : own->second) -
         (all == rows.end() || blocks == 0 ? 0 : all->second.cycles / static_cast<double>(blocks));
}

void BlockBalance::addRow(Kernel &kernel, std::span<const Self> selves, std::uint64_t warps) {
  Row &row = kernel.rows[selves.front().region];
  const Self &longest = *std::ranges::max_element(selves, {}, &Self::cycles);
  double sum = 0, count = 0;
  for (const Self &self : selves)
    if (self.role == longest.role) {
      sum += static_cast<double>(self.cycles);
      ++count;
    }
  const auto most = static_cast<double>(longest.cycles);
  const double mean = sum / count;
  row.longest += most;
  row.mean += mean;
  row.excess += most - mean;
  row.alone += selves.size() == 1 && warps > 1 ? most : 0;
  ++row.worst[longest.warp];
}

void BlockBalance::finish() {
  for (const auto &[key, block] : open)
    ++kernels[key.kernel].leftOut;
  open.clear();
  held = 0;
}

} // namespace kperf::decoder
