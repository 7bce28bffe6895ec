// Maps the memory that a run touched.
#include "decoder/memory/Locality.h"

#include <algorithm>
#include <bit>

namespace kperf::decoder {
namespace {

constexpr std::uint64_t kMinPage = 4096;
constexpr double kLinesOfPage = 8; ///< kept ones, at least, where all of a page was touched

/// The size of pages, a power of two, with which sorted lines lie in at most `most` of them. Of a sample of the lines, a page is to hold
/// some kept ones where all were touched.
std::uint64_t pageBytes(const std::vector<std::uint64_t> &lines, std::size_t most, double rate) {
  std::uint64_t size = std::bit_ceil(std::max(kMinPage, static_cast<std::uint64_t>(kLinesOfPage * format::kLineBytes / rate)));
  for (;; size *= 2) {
    std::size_t pages = 0;
    std::uint64_t last = ~std::uint64_t{0};
    for (const std::uint64_t line : lines)
      if (const std::uint64_t page = line * format::kLineBytes / size; page != last) {
        ++pages;
        last = page;
      }
    if (pages <= most || size >> 54 != 0)
      return size;
  }
}

/// The pages of one run.
class PageMap {
public:
  PageMap(const ReferenceRun &run, std::size_t most) : run(run), rate(run.rate()) {
    for (const Reference &each : run.references)
      if (each.isShown)
        sectors[each.line] |= each.sectors;
    std::vector<std::uint64_t> lines;
    for (const auto &[line, mask] : sectors)
      lines.push_back(line);
    size = lines.empty() ? kMinPage : pageBytes(lines, most, rate);
  }

  std::vector<TouchedPages> build() {
    for (const Reference &each : run.references)
      if (each.isShown)
        add(each);
    for (const auto &[line, mask] : sectors) {
      TouchedPages &page = pages[pageOf(line)];
      page.lines += 1 / rate;
      page.sectors += std::popcount(mask) / rate;
    }
    std::vector<TouchedPages> out;
    for (auto &[address, page] : pages) {
      nameSites(page);
      out.push_back(std::move(page));
    }
    return out;
  }

private:
  std::uint64_t pageOf(std::uint64_t line) const { return line * format::kLineBytes / size * size; }

  void add(const Reference &each) {
    const std::uint64_t first = run.references.front().order, last = run.references.back().order;
    const double at = 100.0 * static_cast<double>(each.order - first) / static_cast<double>(std::max<std::uint64_t>(1, last - first));
    TouchedPages &page = pages[pageOf(each.line)];
    if (page.references == 0) {
      page.address = pageOf(each.line);
      page.bytes = size;
      page.begin = at;
      page.overTime.resize(Locality::kTimeParts);
    }
    const double uses = run.sampled / rate * (each.isUpdate ? 2 : 1);
    page.end = at;
    page.references += uses;
    page.overTime[(each.order - first) * Locality::kTimeParts / (last - first + 1)] += uses;
    page.iterations.include(each.iteration);
    ++usesOf[page.address][each.site];
  }

  void nameSites(TouchedPages &page) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (const auto &[site, uses] : usesOf[page.address])
      order.emplace_back(uses, site);
    std::ranges::stable_sort(order, std::greater(), &std::pair<std::uint64_t, std::uint32_t>::first);
    for (const auto &[uses, site] : order)
      page.sites.push_back(site);
  }

  const ReferenceRun &run;
  double rate;
  std::uint64_t size = 0;
  std::map<std::uint64_t, std::uint8_t> sectors;                          ///< by line
  std::map<std::uint64_t, TouchedPages> pages;                            ///< by address
  std::map<std::uint64_t, std::map<std::uint32_t, std::uint64_t>> usesOf; ///< by page and site
};

} // namespace

std::vector<TouchedPages> Locality::pages(std::size_t most) const {
  const ReferenceRun *run = nullptr;
  std::ptrdiff_t maxShown = 0;
  for (const ReferenceRun &each : runs.runs())
    if (const std::ptrdiff_t shown = std::ranges::count_if(each.references, &Reference::isShown); shown > maxShown) {
      run = &each;
      maxShown = shown;
    }
  return run ? PageMap(*run, most).build() : std::vector<TouchedPages>();
}

} // namespace kperf::decoder
