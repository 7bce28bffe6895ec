// A map of the memory that a run touched.
#include "Locality.h"

#include <algorithm>
#include <bit>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kLeastPage = 4096;
constexpr std::uint64_t kGapBytes = std::uint64_t{2} << 20; ///< between what is taken for two allocations: a large page

/// The size of pages, a power of two, with which the lines lie in about `most` of them.
std::uint64_t pageBytes(const std::vector<std::uint64_t> &lines, std::size_t most) {
  std::uint64_t covered = 0, begin = 0, last = 0;
  for (const std::uint64_t line : lines) {
    const std::uint64_t address = line * format::kLineBytes;
    if (last == 0 || address - last > kGapBytes) {
      covered += last - begin + (last ? format::kLineBytes : 0);
      begin = address;
    }
    last = address;
  }
  covered += last - begin + format::kLineBytes;
  return std::max(kLeastPage, std::bit_ceil(covered / most));
}

} // namespace

std::vector<TouchedPages> Locality::pages(std::size_t most) const {
  const ReferenceRun *run = nullptr;
  for (const ReferenceRun &each : runs.runs())
    if (!run || run->references.size() < each.references.size())
      run = &each;
  if (!run)
    return {};
  std::map<std::uint64_t, std::uint8_t> sectors; ///< by line
  for (const Reference &each : run->references)
    if (each.isShown)
      sectors[each.line] |= each.sectors;
  if (sectors.empty())
    return {};
  std::vector<std::uint64_t> lines;
  for (const auto &[line, mask] : sectors)
    lines.push_back(line);
  const std::uint64_t size = pageBytes(lines, most);
  const double weight = run->sampled / run->rate();
  std::map<std::uint64_t, TouchedPages> pages;
  std::map<std::uint64_t, std::map<std::uint32_t, std::uint64_t>> sites;
  const std::uint64_t first = run->references.front().order, span = run->references.back().order - first + 1;
  for (const Reference &each : run->references) {
    if (!each.isShown)
      continue;
    const std::uint64_t address = each.line * format::kLineBytes / size * size;
    const double at = 100.0 * static_cast<double>(each.order - first) / static_cast<double>(span);
    TouchedPages &page = pages[address];
    if (page.references == 0) {
      page.address = address;
      page.bytes = size;
      page.begin = at;
      page.overTime.resize(kTimeParts);
    }
    const double uses = weight * (each.isUpdate ? 2 : 1);
    page.end = at;
    page.references += uses;
    page.overTime[(each.order - first) * kTimeParts / span] += uses;
    page.iterations.include(each.iteration);
    ++sites[address][each.site];
  }
  for (const auto &[line, mask] : sectors) {
    TouchedPages &page = pages[line * format::kLineBytes / size * size];
    page.lines += 1 / run->rate();
    page.sectors += std::popcount(mask) / run->rate();
  }
  std::vector<TouchedPages> out;
  for (auto &[address, page] : pages) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (const auto &[site, uses] : sites[address])
      order.emplace_back(uses, site);
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::uint64_t, std::uint32_t>::first);
    for (const auto &[uses, site] : order)
      page.sites.push_back(site);
    out.push_back(std::move(page));
  }
  return out;
}

} // namespace kperf::decoder
