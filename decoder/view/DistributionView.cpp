// Shows how long the entries of each region take, as a histogram for each.
#include "decoder/view/DistributionView.h"
#include "decoder/span/SpanDecoder.h"
#include "decoder/totals/KernelTotals.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

struct Bin {
  std::uint64_t low, high, count;
};

/// Four bins in each power of two: fine enough to see two modes, few enough to read. One, where no more is known of some entries.
std::vector<Bin> binsOf(const Quantiles &durations) {
  std::vector<Bin> bins;
  if (!durations.areKnown()) {
    durations.forPowers([&](unsigned power, std::uint64_t count) {
      const LengthRange range = lengthsOfPower(power);
      bins.push_back({range.min, range.max + 1, count});
    });
    return bins;
  }
  durations.forValues([&](std::uint64_t value, std::uint64_t count) {
    const int power = value < 4 ? 0 : std::bit_width(value) - 3;
    const std::uint64_t low = value >> power << power;
    if (bins.empty() || bins.back().low != low)
      bins.push_back({low, low + (std::uint64_t{1} << power), 0});
    bins.back().count += count;
  });
  return bins;
}

/// Of the regions of these nodes.
std::vector<std::string> namesOf(const KernelTotals &kernel, std::span<const std::uint32_t> nodes, const RegionSet &regions) {
  std::vector<std::uint32_t> indices;
  for (const std::uint32_t node : nodes)
    indices.push_back(kernel.paths[node].region & ~KernelTotals::kOverlap);
  return regions.distinctNames(indices, "(other paths)");
}

void addRegion(Table &table, const KernelTotals &kernel, std::uint32_t node, const std::string &name, const ClockRate &rate) {
  const RowTotals &row = kernel.rows[node];
  if (!row.durations.areBounded())
    return;
  std::uint64_t before = 0;
  for (const Bin &bin : binsOf(row.durations)) {
    before += bin.count;
    const auto total = static_cast<double>(row.durations.count());
    const auto ns = [&](std::uint64_t cycles) { return rate.isKnown() ? Cell(static_cast<double>(cycles) * rate.nsPerCycle) : Cell(); };
    table.rows.push_back({kernel.name, name, ns(bin.low), ns(bin.high), bin.low, bin.high, bin.count,
                          100 * static_cast<double>(bin.count) / total, 100 * static_cast<double>(before) / total});
  }
}

/// "a, b of k"; "k" where the regions are all that it has. Each once; at most some are named.
std::string whoseEntries(const KernelTotals &kernel, std::vector<std::string> regions, std::size_t all) {
  constexpr std::size_t kMaxNames = 6;
  if (regions.size() == all)
    return kernel.name;
  std::ranges::sort(regions);
  const auto [first, last] = std::ranges::unique(regions); // of several paths
  regions.erase(first, last);
  const std::size_t named = std::min(regions.size(), kMaxNames);
  const std::string others = named < regions.size() ? fmt::format(" and {} more", regions.size() - named) : "";
  return fmt::format("{}{} of {}", fmt::join(std::span(regions).first(named), ", "), others, kernel.name);
}

/// `names`: of the nodes in `order`.
void addSummedNotes(std::vector<std::string> &notes, const KernelTotals &kernel, std::span<const std::uint32_t> order,
                    const std::vector<std::string> &names) {
  std::vector<std::string> inPowers, unknown;
  std::size_t all = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Quantiles &durations = kernel.rows[order[k]].durations;
    all += durations.count() > 0;
    if (!durations.areKnown())
      (durations.areBounded() ? inPowers : unknown).push_back(names[k]);
  }
  if (!inPowers.empty())
    notes.push_back(fmt::format("entries of {} were summed up on the device: how long they took is known by powers of two",
                                whoseEntries(kernel, std::move(inPowers), all)));
  if (!unknown.empty())
    notes.push_back(fmt::format("entries of {} were summed up on the device: how long each of them took is not known, "
                                "and building without --aggregate records it, with --histogram tells powers of two",
                                whoseEntries(kernel, std::move(unknown), all)));
}

} // namespace

Expected<std::vector<Table>> distributionView(std::span<const Trace> traces, const ViewScope &scope, const DistributionOptions &) {
  RegionSet regions;
  TotalsSink totals(regions, scope.kernel, false);
  if (Status status = decodeTotals(traces, regions, totals); !status)
    return failure(status.error());
  Table table{.name = "distribution",
              .columns = {{"kernel", Unit::None, Role::Group},
                          {"region", Unit::None, Role::Label},
                          {"from", Unit::Nanoseconds},
                          {"below", Unit::Nanoseconds},
                          {"from", Unit::Cycles, Role::Value, 30},
                          {"below", Unit::Cycles, Role::Value, 30},
                          {"count", Unit::None, Role::Value, 60},
                          {"share", Unit::Percent, Role::Value, 70},
                          {"up-to-here", Unit::Percent, Role::Value, 40}}};
  for (std::uint32_t i = 0; i < totals.kernels().size(); ++i) {
    const KernelTotals &kernel = totals.kernels()[i];
    const ClockRate rate = totals.rateOf(i, traces.front().header().target);
    std::vector<std::uint32_t> order =
        kernel.paths.inOrder([&](std::uint32_t a, std::uint32_t b) { return kernel.rows[a].exclusive > kernel.rows[b].exclusive; });
    std::erase_if(order, [&](std::uint32_t node) { return node >= kernel.rows.size(); });
    const std::vector<std::string> names = namesOf(kernel, order, regions);
    addSummedNotes(table.notes, kernel, order, names);
    for (std::size_t k = 0; k < order.size(); ++k)
      addRegion(table, kernel, order[k], names[k], rate);
  }
  if (Status status = addSampleNote(table.notes, traces); !status)
    return failure(status.error());
  if (Status status = addLaunchSampleNote(table.notes, traces); !status)
    return failure(status.error());
  if (table.rows.empty() && table.notes.empty())
    table.notes.push_back(totals.kernels().empty() ? noWarpsNote(traces) : "no region was entered");
  table.addLead(mixedBuildsNote(traces, Summands::Times));
  return std::vector{std::move(table)};
}

} // namespace kperf::decoder
