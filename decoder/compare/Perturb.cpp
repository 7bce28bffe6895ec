// Compares what kernels need and take with and without probes.
#include "decoder/compare/Perturb.h"
#include "decoder/span/KernelName.h"
#include "decoder/totals/HostLaunches.h"
#include "decoder/totals/KernelNeeds.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

using Role = Column::Role;

Expected<std::vector<KernelNeeds>> needsOf(const Trace &trace) {
  KernelNeedsTable table;
  if (Status status = table.add(trace); !status)
    return failure(status.error());
  std::vector<KernelNeeds> needs = table.all();
  if (needs.empty())
    return failure({.message = "the trace says nothing of what kernels need",
                    .found = trace.header().target == format::Target::Host ? "a trace of the host target" : "no section Kernels",
                    .expected = "one of a GPU, by this version's runtime, of a program that launched a kernel",
                    .file = trace.name()});
  return needs;
}

const KernelNeeds *sameKernel(const std::vector<KernelNeeds> &among, const KernelNeeds &wanted) {
  const auto found = std::ranges::find_if(among, [&](const KernelNeeds &each) {
    return each.name == wanted.name && each.record.blockThreads == wanted.record.blockThreads &&
           each.record.dynamicSharedBytes == wanted.record.dynamicSharedBytes;
  });
  return found == among.end() ? nullptr : &*found;
}

/// "64", or "64 → 72".
std::string changeText(std::uint32_t before, std::uint32_t after) {
  return before == after ? fmt::format("{}", after) : fmt::format("{} → {}", before, after);
}

/// What a launch takes: the median, since some wait for other work; the mean where some launches ran without probes, for there the median
/// is one of those.
double launchNs(const format::KernelRecord &of, bool isMean) {
  return isMean && of.launches > 0 ? static_cast<double>(of.totalNs) / of.launches : static_cast<double>(of.medianNs);
}

/// One build against the clean one.
struct Build {
  std::string name;
  std::uint32_t samplingInterval = 1;
  std::vector<KernelNeeds> needs;
  /// Of the launches of all kernels that were timed on both sides, in percent; nothing without one.
  std::optional<double> overhead;
  std::map<std::string, HostLaunches::Choices> mixed; ///< by name: kernels of which some launches ran without probes
  std::uint32_t kernels = 0, timed = 0;               ///< of the clean program, and those of them
  std::uint32_t spilling = 0, lessResident = 0;       ///< kernels that got local memory, or fewer resident blocks

  bool isMean(const std::string &kernel) const { return mixed.contains(kernel); }
  /// What probes add to a launch of a kernel, in percent; nothing where one of the sides was not timed.
  std::optional<double> overheadOf(const KernelNeeds &before, const KernelNeeds &after) const {
    const double plain = launchNs(before.record, isMean(before.name));
    if (before.record.launches == 0 || after.record.launches == 0 || plain <= 0)
      return std::nullopt;
    return 100 * (launchNs(after.record, isMean(before.name)) / plain - 1);
  }
};

std::string nameOf(const Trace &trace) { return std::filesystem::path(trace.name()).filename().string(); }

void addRow(Table &table, Build &build, const KernelNeeds &before, const KernelNeeds &after) {
  const format::KernelRecord &a = before.record, &b = after.record;
  const std::optional<double> overhead = build.overheadOf(before, after);
  build.spilling += b.localBytes > a.localBytes;
  build.lessResident += b.residentBlocks < a.residentBlocks;
  const auto time = [&](const format::KernelRecord &of) {
    return of.launches ? Cell(std::round(launchNs(of, build.isMean(before.name)))) : Cell();
  };
  std::vector<Cell> row{before.name,
                        build.name,
                        changeText(a.registers, b.registers),
                        changeText(a.localBytes, b.localBytes),
                        changeText(a.staticSharedBytes, b.staticSharedBytes),
                        changeText(a.residentBlocks, b.residentBlocks),
                        time(a),
                        time(b),
                        overhead ? Cell(*overhead) : Cell(),
                        std::uint64_t{std::min(a.launches, b.launches)}};
  for (const std::uint32_t number : {a.registers, b.registers, a.localBytes, b.localBytes, a.staticSharedBytes, b.staticSharedBytes,
                                     a.residentBlocks, b.residentBlocks, b.blockThreads, b.dynamicSharedBytes})
    row.emplace_back(std::uint64_t{number});
  table.rows.push_back(std::move(row));
}

/// The sum over kernels of what their launches take, with and without probes.
void sumUp(Build &build, const std::vector<KernelNeeds> &clean, const PerturbOptions &options) {
  double before = 0, after = 0;
  for (const KernelNeeds &each : clean) {
    if (!isMeant(options.kernel, each.name, qualifiedNameOf(each.name)))
      continue;
    ++build.kernels;
    const KernelNeeds *const other = sameKernel(build.needs, each);
    if (!other || !build.overheadOf(each, *other))
      continue;
    ++build.timed;
    const double launches = each.record.launches;
    before += launches * launchNs(each.record, build.isMean(each.name));
    after += launches * launchNs(other->record, build.isMean(each.name));
  }
  if (before > 0)
    build.overhead = 100 * (after / before - 1);
}

std::string costText(const Build &build) {
  std::string text = fmt::format("of {} nothing is known of time: run both with KPERF_LAUNCH_TIMES=1", build.name);
  if (build.overhead)
    text = fmt::format("{} costs {:.1f} % of the {}", build.name, *build.overhead,
                       build.timed == build.kernels ? std::string("kernels' time")
                                                    : fmt::format("time of {} of {} kernels", build.timed, build.kernels));
  if (build.spilling > 0)
    text += fmt::format(", {} more local memory", build.spilling == 1 ? "a kernel has" : fmt::format("{} kernels have", build.spilling));
  if (build.lessResident > 0)
    text += fmt::format(", {} fewer resident blocks",
                        build.lessResident == 1 ? "a kernel has" : fmt::format("{} kernels have", build.lessResident));
  return text;
}

/// What would cost less than this build: what is recorded costs in proportion, what a warp's entry and exit cost stays.
std::string thinner(const Build &build, double budget) {
  const std::uint32_t sample = blocksForBudget(build.overhead.value_or(0), budget);
  return build.samplingInterval > 1
             ? fmt::format("KPERF_SAMPLE={} records fewer blocks without a rebuild; what is left is what each warp's entry costs",
                           build.samplingInterval * sample)
             : fmt::format("--aggregate=* keeps sums only, --sample={} records one block in {}; build one and give its trace too, or let "
                           "--build and --run find one",
                           sample, sample);
}

std::string verdict(const std::vector<Build> &builds, std::optional<double> budget, bool &isOver) {
  std::string text;
  for (const Build &build : builds)
    text += (text.empty() ? "" : "; ") + costText(build);
  if (!budget)
    return text;
  const auto fits = std::ranges::find_if(
      builds, [&](const Build &build) { return build.overhead && *build.overhead <= *budget && build.timed == build.kernels; });
  isOver = fits == builds.end();
  if (!isOver)
    return text + fmt::format(": {} keeps the budget of {:g} %", fits->name, *budget);
  return text + fmt::format(": none keeps the budget of {:g} %; {}", *budget, thinner(builds.back(), *budget));
}

Table emptyTable() {
  return {.name = "perturbation",
          .columns = {{"kernel", Unit::None, Role::Group},
                      {"build", Unit::None, Role::Label},
                      {"registers", Unit::None, Role::Value, 80},
                      {"local", Unit::None, Role::Value, 70},
                      {"shared", Unit::None, Role::Value, 40},
                      {"resident", Unit::None, Role::Value, 60},
                      {"clean", Unit::Nanoseconds},
                      {"time", Unit::Nanoseconds},
                      {"overhead", Unit::Percent, Role::Value, 90},
                      {"launches", Unit::None, Role::Value, 30},
                      {"registers-clean", Unit::None, Role::Value, 0},
                      {"registers-built", Unit::None, Role::Value, 0},
                      {"local-clean", Unit::Bytes, Role::Value, 0},
                      {"local-built", Unit::Bytes, Role::Value, 0},
                      {"shared-clean", Unit::Bytes, Role::Value, 0},
                      {"shared-built", Unit::Bytes, Role::Value, 0},
                      {"resident-clean", Unit::None, Role::Value, 0},
                      {"resident-built", Unit::None, Role::Value, 0},
                      {"threads", Unit::None, Role::Value, 0},
                      {"dynamic-shared", Unit::Bytes, Role::Value, 0}}};
}

} // namespace

std::uint32_t blocksForBudget(double overheadPercent, double budgetPercent) {
  const double factor = overheadPercent / std::max(budgetPercent, 0.01);
  return static_cast<std::uint32_t>(std::exp2(std::ceil(std::log2(std::clamp(factor, 2.0, double{kMaxBlocks})))));
}

Expected<Perturbation> perturbation(const Trace &clean, std::span<const Trace> traces, const PerturbOptions &options) {
  const auto before = needsOf(clean);
  if (!before)
    return failure(before.error());
  Perturbation out{.table = emptyTable()};
  std::vector<Build> builds;
  for (const Trace &trace : traces) {
    auto needs = needsOf(trace);
    if (!needs)
      return failure(needs.error());
    const auto oneIn = trace.samplingInterval();
    if (!oneIn)
      return failure(oneIn.error());
    HostLaunches launches;
    if (Status status = launches.add(trace); !status)
      return failure(status.error());
    Build &build = builds.emplace_back(Build{nameOf(trace), *oneIn, std::move(*needs), {}, launches.withoutProbes()});
    sumUp(build, *before, options);
  }
  if (builds.empty() || builds.front().kernels == 0)
    return failure({.message = "no kernel's name matches", .found = fmt::format("'{}'", options.kernel), .file = clean.name()});
  if (options.budgetPercent && std::ranges::none_of(builds, [](const Build &build) { return build.overhead.has_value(); }))
    return failure({.message = "a budget needs times, and no launch was timed in both traces",
                    .remedy = "run both programs with KPERF_LAUNCH_TIMES=1",
                    .file = clean.name()});
  std::size_t unmatched = 0;
  for (const KernelNeeds &each : *before)
    for (Build &build : builds)
      if (!isMeant(options.kernel, each.name, qualifiedNameOf(each.name)))
        break;
      else if (const KernelNeeds *other = sameKernel(build.needs, each))
        addRow(out.table, build, each, *other);
      else
        ++unmatched;
  if (unmatched > 0)
    out.table.notes.push_back(fmt::format("{} missing: with probes a kernel of {} ran in other blocks, or not at all",
                                          unmatched == 1 ? "1 row is" : fmt::format("{} rows are", unmatched), nameOf(clean)));
  out.table.notes.push_back("times are medians between two events of the stream around each launch; with them, a launch of a few "
                            "microseconds is longer than its kernel");
  if (std::ranges::any_of(builds, [](const Build &build) { return !build.mixed.empty(); }))
    out.table.notes.push_back("where some launches ran without probes, times are means of all launches, in both programs");
  out.lastOverheadPercent = builds.back().overhead;
  out.table.notes.push_back(verdict(builds, options.budgetPercent, out.isOver));
  return out;
}

} // namespace kperf::decoder
