// Follows each entry of a region to its end.
#include "tool/placement/Products.h"

namespace kperf::placement {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

/// The region's code behind one of the instructions that open it.
class Entry {
public:
  Entry(const Function &function, const Flow &flow, const RegionCode &region, std::size_t begin)
      : function(function), flow(flow), region(region), begin(begin), reached(reachedFrom(begin, kNowhere)) {}

  /// Of the region's own products, each of which `take` is told.
  template <typename Take> std::optional<TensorWork> products(std::string_view architecture, Take take) const {
    std::optional<TensorWork> sum = TensorWork{.operations = 0, .cycles = 0};
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::string_view text = function.instructions[at].text, name = productName(text);
      if (!reached[at] || region.isInner[at] || name.empty())
        continue;
      take(at, name);
      const std::optional<TensorWork> work = tensorWorkOf(name, architecture);
      if (sum && work && !text.starts_with('@') && isRunOnce(at))
        *sum += *work;
      else
        sum.reset();
    }
    return sum;
  }

private:
  /// Instructions that control comes to behind `from` while the region is open, on ways that do not lead through `without`.
  std::vector<bool> reachedFrom(std::size_t from, std::size_t without) const {
    std::vector<bool> found(function.instructions.size(), false);
    std::vector<std::size_t> work = {from};
    while (!work.empty()) {
      const std::size_t at = work.back();
      work.pop_back();
      for (const std::size_t next : flow.successors[at])
        if (next != without && next != begin && !found[next]) {
          found[next] = true;
          if (!region.closes[next])
            work.push_back(next);
        }
    }
    return found;
  }

  /// Whether every way to the region's end leads through it, and none twice.
  bool isRunOnce(std::size_t at) const {
    const std::vector<bool> around = reachedFrom(begin, at);
    for (std::size_t index = 0; index < around.size(); ++index)
      if (around[index] && region.closes[index])
        return false;
    return !reachedFrom(at, kNowhere)[at];
  }

  const Function &function;
  const Flow &flow;
  const RegionCode &region;
  std::size_t begin;
  std::vector<bool> reached;
};

} // namespace

RegionProducts productsOf(const Function &function, const Flow &flow, const RegionCode &region, std::string_view architecture,
                          std::vector<bool> &isCounted) {
  RegionProducts out;
  bool isKnown = !region.begins.empty();
  for (const std::size_t begin : region.begins) {
    const auto take = [&](std::size_t at, std::string_view name) {
      out.instructions[name] += !isCounted[at];
      isCounted[at] = true;
    };
    const std::optional<TensorWork> one = Entry(function, flow, region, begin).products(architecture, take);
    isKnown = isKnown && one && (!out.ofEntry || *out.ofEntry == *one);
    out.ofEntry = one;
  }
  if (!isKnown)
    out.ofEntry.reset();
  return out;
}

} // namespace kperf::placement
