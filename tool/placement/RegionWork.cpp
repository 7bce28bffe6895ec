// Follows each entry of a region to its end.
#include "tool/placement/RegionWork.h"

#include "tool/placement/FloatWork.h"
#include "tool/placement/TensorWork.h"

#include <span>

namespace kperf::placement {
namespace {

constexpr std::size_t kNowhere = ~std::size_t{0};

/// Units of a multiprocessor, and the instructions that they execute.
struct Units {
  UnitWork RegionWork::*work;
  std::string_view (*nameOf)(std::string_view instruction);
  std::optional<Work> (*workOf)(std::string_view name, std::string_view architecture);
};

constexpr Units kUnits[] = {
    {&RegionWork::tensor, productName, tensorWorkOf},
    {&RegionWork::floats, floatName,
     [](std::string_view name, std::string_view architecture) -> std::optional<Work> { return floatWorkOf(name, architecture); }},
};

/// The region's code behind one of the instructions that open it.
class Entry {
public:
  Entry(const Function &function, const Flow &flow, const RegionCode &region, std::size_t begin)
      : function(function), flow(flow), region(region), begin(begin), arrivals(arrivalsOf(flow)), reached(reachedFrom(begin, kNowhere)) {}

  /// Of the region's own instructions, each of which `take` is told.
  template <typename Take> std::optional<Work> work(const Units &units, std::string_view architecture, Take take) const {
    std::optional<Work> sum = Work{.operations = 0, .cycles = 0};
    std::size_t last = kNowhere; // that is known to run once
    for (std::size_t at = 0; at < reached.size(); ++at) {
      const std::string_view text = function.instructions[at].text, name = units.nameOf(text);
      if (!reached[at] || region.isOthers[at] || name.empty())
        continue;
      take(at, name);
      const std::optional<Work> work = units.workOf(name, architecture);
      if (sum && work && !text.starts_with('@') && (isAsOften(last, at) || isRunOnce(at))) {
        *sum += *work;
        last = at;
      } else {
        sum.reset();
      }
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

  /// Whether control that comes to `from` comes to `to`, and no other does, `from` being kNowhere or before `to`.
  bool isAsOften(std::size_t from, std::size_t to) const {
    if (from == kNowhere)
      return false;
    for (std::size_t at = from; at < to; ++at)
      if (region.closes[at] || flow.successors[at] != std::vector{at + 1} || arrivals[at + 1] != 1)
        return false;
    return true;
  }

  static std::vector<std::size_t> arrivalsOf(const Flow &flow) {
    std::vector<std::size_t> counts(flow.successors.size(), 0);
    for (const std::vector<std::size_t> &next : flow.successors)
      for (const std::size_t to : next)
        ++counts[to];
    return counts;
  }

  const Function &function;
  const Flow &flow;
  const RegionCode &region;
  std::size_t begin;
  std::vector<std::size_t> arrivals; ///< by instruction: on how many ways control comes there
  std::vector<bool> reached;
};

/// Of all entries, if each asks for the same.
UnitWork unitWork(const Units &units, std::span<const Entry> entries, std::string_view architecture, std::vector<bool> &isCounted) {
  UnitWork out;
  bool isKnown = !entries.empty();
  for (const Entry &entry : entries) {
    const auto take = [&](std::size_t at, std::string_view name) {
      out.instructions[name] += !isCounted[at];
      isCounted[at] = true;
    };
    const std::optional<Work> one = entry.work(units, architecture, take);
    isKnown = isKnown && one && (!out.ofEntry || *out.ofEntry == *one);
    out.ofEntry = one;
  }
  if (!isKnown)
    out.ofEntry.reset();
  return out;
}

} // namespace

RegionWork workOf(const Function &function, const Flow &flow, const RegionCode &region, std::string_view architecture,
                  std::vector<bool> &isCounted) {
  std::vector<Entry> entries;
  for (const std::size_t begin : region.begins)
    entries.emplace_back(function, flow, region, begin);
  RegionWork out;
  for (const Units &units : kUnits)
    out.*units.work = unitWork(units, entries, architecture, isCounted);
  return out;
}

RegionWork otherWork(const Function &function, const std::vector<bool> &isCounted) {
  RegionWork out;
  for (const Units &units : kUnits)
    for (std::size_t at = 0; at < isCounted.size(); ++at)
      if (const std::string_view name = units.nameOf(function.instructions[at].text); !isCounted[at] && !name.empty())
        ++(out.*units.work).instructions[name];
  return out;
}

} // namespace kperf::placement
