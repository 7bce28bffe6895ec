// Checks the assumptions about a device that probes make, a row for each: expected, found, and whether they agree.
#include "decoder/compare/SelfTest.h"
#include "decoder/compare/SelfTestWarps.h"
#include "decoder/memory/MemoryTotals.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>

namespace kperf::decoder {
namespace {

constexpr double kMaxOff = 0.02; ///< of a time that two clocks measured
constexpr double kMaxProbeCycles = 20000;

class Checks {
public:
  Checks(const Trace &trace, const SelfTestFacts &facts, const SelfTestWarps &warps) : trace(trace), facts(facts), warps(warps) {
    result.table = {
        .name = "selftest",
        .columns = {{"assumption", Unit::None, Column::Role::Label}, {"expected", Unit::None}, {"found", Unit::None}, {"ok", Unit::None}}};
  }

  void equal(const std::string &what, double expected, double found) {
    add(what, fmt::format("{}", expected), fmt::format("{}", found), expected == found);
  }
  void within(const std::string &what, double least, double most, double found, const char *unit = "") {
    add(what, fmt::format("{:.4g} to {:.4g}{}", least, most, unit), fmt::format("{:.4g}{}", found, unit), least <= found && found <= most);
  }
  void skip(const std::string &what, const std::string &why) { result.table.rows.push_back({what, Cell(), why, std::string("-")}); }

  void answers();
  void launches();
  void records();
  void clocks();
  void units();
  void waits();
  void memory(const MemoryTotals &totals);

  SelfTestResult result;

private:
  void add(const std::string &what, std::string expected, std::string found, bool ok) {
    result.table.rows.push_back({what, std::move(expected), std::move(found), std::string(ok ? "yes" : "NO")});
    result.failed += !ok;
  }

  const Trace &trace;
  const SelfTestFacts &facts;
  const SelfTestWarps &warps;
};

double largest(const std::vector<double> &values) { return values.empty() ? NAN : *std::ranges::max_element(values); }
double least(const std::vector<double> &values) { return values.empty() ? NAN : *std::ranges::min_element(values); }

void Checks::answers() {
  equal("wrong answers", 0, facts["wrong"]);
  equal("lanes of a warp, in a kernel", trace.devices().front().warpLanes, facts["lanes"]);
  equal("lanes with wrong votes, shuffles", 0, facts["votes-wrong"]);
}

void Checks::launches() {
  equal("launches, seen by the host", facts["launches"], static_cast<double>(warps.launches));
  std::map<std::uint64_t, std::uint64_t> starts; // of each launch, by its number
  for (const SelfTestWarp &warp : warps.all()) {
    const auto [at, isNew] = starts.emplace(warp.header.gridId, warp.header.startNs);
    at->second = std::min(at->second, warp.header.startNs);
  }
  equal("launches, told apart on the device", facts["launches"], static_cast<double>(starts.size()));
  double early = 0;
  for (auto at = starts.begin(); at != starts.end(); ++at)
    early += at != starts.begin() && at->second < std::prev(at)->second;
  equal("launches numbered out of order", 0, early);
}

void Checks::records() {
  const double perBlock = std::ceil(facts["threads"] / facts["lanes"]);
  equal("warps", facts["blocks"] * perBlock, static_cast<double>(warps.of("count").size()));
  for (const auto &[name, times] : facts.all())
    if (name.starts_with("entries."))
      equal(fmt::format("entries of '{}'", name.substr(8)), facts["blocks"] * perBlock * times,
            static_cast<double>(warps.lengths(name.substr(8)).size()));
  const RecordCounts &counts = warps.counts;
  equal("records without room, or lost", 0, static_cast<double>(counts.dropped + warps.lost));
  equal("records that make no sense", 0,
        static_cast<double>(counts.damaged + counts.stale + counts.empty + counts.unmatchedBegins + counts.unmatchedEnds));
  equal("warps that never ended", 0, static_cast<double>(std::ranges::count(warps.all(), false, &SelfTestWarp::isFinished)));
}

void Checks::clocks() {
  equal("warps whose clocks run back", 0, static_cast<double>(warps.backwards));
  within("wait by the device's timer", facts["spun-ns"] * (1 - kMaxOff) / 1e6,
         (facts["spun-ns"] * (1 + kMaxOff) + facts["launch-ns"]) / 1e6, facts["waited-ns"] / 1e6, " ms");
  const std::vector<double> spins = warps.lengths("long spin");
  double off = spins.size() == 3 ? 0 : NAN; // in percent, of the worst
  for (std::size_t i = 0; i < spins.size(); ++i) {
    const double asked = facts[fmt::format("spun-ns.{}", i)];
    off = std::max(off, 100 * std::abs(spins[i] - asked) / asked);
  }
  within("same wait as a region, off by", 0, 100 * kMaxOff, off, " %");
  const format::DeviceRecord &device = trace.devices().front();
  std::vector<double> rates;
  for (const SelfTestWarp *warp : warps.of("spinLong"))
    rates.push_back(static_cast<double>(warp->end - warp->begin) / static_cast<double>(warp->ns()) * 1000);
  const double nominal = device.clockKhz / 1000.0;
  const bool isConstant = std::abs(nominal * device.timerTickNs - 1000) < 1;
  within("clock rate", nominal * (isConstant ? 1 - kMaxOff : 0.1), nominal * (1 + (isConstant ? kMaxOff : 0.1)), largest(rates), " MHz");
  for (int kind = 0; kind < 2; ++kind)
    within(kind == 0 ? "cost of a probe" : "cost of a probe in a function", 0, kMaxProbeCycles,
           warps.probeCost.isKnown ? warps.probeCost.inside[kind] : NAN, " cycles");
}

/// The most blocks that one unit holds at a time.
double maxAtOnce(const std::vector<const SelfTestWarp *> &blocks) {
  std::map<std::uint16_t, std::vector<std::pair<std::uint64_t, int>>> edges; // comes and goes, by unit
  for (const SelfTestWarp *warp : blocks) {
    edges[warp->header.sm].emplace_back(warp->header.startNs, 1);
    edges[warp->header.sm].emplace_back(warp->header.endNs, -1);
  }
  int most = 0;
  for (auto &[unit, times] : edges) {
    std::ranges::sort(times); // at one time warps leave before others come
    int now = 0;
    for (const auto &[ns, change] : times)
      most = std::max(most, now += change);
  }
  return most;
}

void Checks::units() {
  const std::vector<const SelfTestWarp *> blocks = warps.of("spinOnUnits");
  equal("blocks that fill units", facts["units-blocks"], static_cast<double>(blocks.size()));
  std::set<std::uint16_t> ids;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  for (const SelfTestWarp *warp : blocks) {
    ids.insert(warp->header.sm);
    first = std::min(first, warp->header.startNs);
    last = std::max(last, warp->header.endNs);
  }
  within("units told apart", facts["units-least"], facts["units-most"], static_cast<double>(ids.size()));
  within("most of them at a time on one unit", 1, facts["units-at-once"], maxAtOnce(blocks));
  within("first start to last end of them", 0, facts["units-waited-ns"] / 1e6,
         blocks.empty() ? NAN : static_cast<double>(last - first) / 1e6, " ms");
}

void Checks::waits() {
  const std::vector<double> waits = warps.lengths("__syncthreads");
  equal("waits at a barrier", std::ceil(facts["threads"] / facts["lanes"]), static_cast<double>(waits.size()));
  const double late = facts["late-ns"];
  within("longest of them", late * (1 - kMaxOff) / 1e6, (late * (1 + kMaxOff) + facts["waking-ns"]) / 1e6, largest(waits) / 1e6, " ms");
  within("shortest: who came last", 0, late / 2e6, least(waits) / 1e6, " ms");
}

void Checks::memory(const MemoryTotals &totals) {
  for (const auto &[name, sectors] : facts.all()) {
    if (!name.starts_with("sectors."))
      continue;
    double found = 0;
    bool isThere = false;
    for (const SiteTotals &each : totals.sites())
      if (each.site.text(each.site.record->function) == "touch" && each.site.text(each.site.record->expression) == name.substr(8)) {
        isThere = true;
        found += static_cast<double>(each.sum[format::kSectors]);
      }
    const std::string what = fmt::format("sectors of {}", name.substr(8));
    if (totals.sites().empty() && !isThere)
      skip(what, "built without memory probes");
    else
      equal(what, sectors, found);
  }
}

} // namespace

Expected<SelfTestFacts> SelfTestFacts::parse(std::string_view output) {
  SelfTestFacts out;
  while (!output.empty()) {
    std::string_view line = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(line.size() + 1, output.size()));
    constexpr std::string_view kBegin = "selftest ";
    const std::size_t space = line.rfind(' ');
    if (!line.starts_with(kBegin) || space < kBegin.size())
      continue;
    const std::string value(line.substr(space + 1));
    char *end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    if (value.empty() || *end)
      return failure({.message = "the self-test's program said something else than it should",
                      .found = std::string(line),
                      .expected = "selftest NAME NUMBER"});
    out.values[std::string(line.substr(kBegin.size(), space - kBegin.size()))] = number;
  }
  if (out.values.empty())
    return failure({.message = "the program is not kperf's self-test: it printed no line 'selftest NAME NUMBER'",
                    .remedy = "build one with 'kperf selftest --build=FILE'"});
  return out;
}

double SelfTestFacts::operator[](const std::string &name) const {
  const auto found = values.find(name);
  return found == values.end() ? NAN : found->second;
}

Expected<SelfTestResult> selfTest(const Trace &trace, const SelfTestFacts &facts) {
  if (trace.devices().empty())
    return failure({.message = trace.name() + " names no device: nothing was recorded", .remedy = "see what the program said on stderr"});
  const auto warps = SelfTestWarps::read(trace);
  if (!warps)
    return failure(warps.error());
  const auto totals = MemoryTotals::read(std::span(&trace, 1), "");
  if (!totals)
    return failure(totals.error());
  Checks checks(trace, facts, *warps);
  checks.answers();
  checks.launches();
  checks.records();
  checks.clocks();
  checks.units();
  checks.waits();
  checks.memory(*totals);
  const format::DeviceRecord &device = trace.devices().front();
  checks.result.table.title =
      fmt::format("{}, {}, {}", trace.string(device.name), trace.string(device.architecture), trace.string(device.driver));
  return std::move(checks.result);
}

} // namespace kperf::decoder
