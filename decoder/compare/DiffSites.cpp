// Compares memory traffic before and after a change, access by access.
#include "decoder/compare/DiffSites.h"
#include "decoder/memory/MemoryTotals.h"
#include "decoder/totals/RankTest.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <tuple>
#include <utility>

namespace kperf::decoder {
namespace {

using Role = Column::Role;
/// Function, expression and kind.
using Text = std::tuple<std::string, std::string, format::SiteKind>;
/// The ordinal among those by place, and what is counted.
using Identity = std::tuple<Text, std::uint32_t, format::SiteCounter>;

struct Side {
  struct Site {
    std::vector<double> counts; ///< one for each trace that reached it
    std::string source, region; ///< region: the innermost that holds it
    std::uint32_t order = 0;    ///< by place
    Text listed;                ///< as the build lists it
  };
  std::map<Identity, Site> sites;
  std::map<Text, std::uint32_t> listed; ///< how many its builds have, reached or not
  bool isSampled = false;
};

std::string regionOf(const TracedSite &site) {
  const auto found = std::ranges::find(site.trace->regions(), site.record->region, &format::RegionRecord::id);
  return site.record->region == 0 || found == site.trace->regions().end() ? "" : site.text(found->name);
}

Text listedText(const Trace &trace, const format::SiteRecord &record) {
  return {std::string(trace.string(record.function)), std::string(trace.string(record.expression)), record.kind};
}

void addListed(Side &side, const Trace &trace) {
  std::map<Text, std::uint32_t> listed;
  for (const format::SiteRecord &record : trace.sites())
    ++listed[listedText(trace, record)];
  for (const auto &[text, count] : listed)
    side.listed[text] = std::max(side.listed[text], count);
}

Expected<Side> readSide(std::span<const Trace> traces) {
  Side side;
  for (const Trace &trace : traces) {
    const auto totals = MemoryTotals::read(std::span(&trace, 1), "");
    if (!totals)
      return failure(totals.error());
    side.isSampled |= totals->sampled() > 1;
    addListed(side, trace);
    std::map<Text, std::uint32_t> seen;
    std::uint32_t order = 0;
    for (const SiteTotals &each : totals->sites()) { // by place
      const format::SiteRecord &record = *each.site.record;
      const Text text{each.site.function, each.site.text(record.expression), record.kind};
      const std::uint32_t nth = seen[text]++;
      ++order;
      for (const format::SiteCounter counter : {format::kSectors, format::kWavefronts}) {
        if (each.sum[counter] == 0)
          continue;
        Side::Site &site = side.sites[{text, nth, counter}];
        site.counts.push_back(static_cast<double>(each.sum[counter]));
        site.source = each.site.place(false);
        site.region = regionOf(each.site);
        site.order = order;
        site.listed = listedText(trace, record);
      }
    }
  }
  return side;
}

/// What an address is taken of: "a" of "a[4 * i]", "*(a + 4 * i)" and "&a[i]".
std::string arrayOf(const std::string &expression) {
  const std::size_t begin = std::min(expression.find_first_not_of("*&( "), expression.size());
  return expression.substr(begin, expression.find_first_of("[( +", begin) - begin);
}

struct Pair {
  const Identity *left = nullptr, *right = nullptr; ///< at least one
  const Side::Site *before = nullptr, *after = nullptr;

  const Identity &any() const { return right ? *right : *left; }
  bool isRewritten() const { return left && right && left != right && std::get<Text>(*left) != std::get<Text>(*right); }
};

/// Accesses of both sides: first those of one text, then those whose text the change may have rewritten.
class SitePairs {
public:
  SitePairs(const Side &a, const Side &b) : a(a), b(b) {
    for (const auto &[identity, site] : a.sites) {
      const auto other = b.sites.find(identity);
      const bool isInB = other != b.sites.end();
      pairs.push_back(
          {.left = &identity, .right = isInB ? &other->first : nullptr, .before = &site, .after = isInB ? &other->second : nullptr});
    }
    for (const auto &[identity, site] : b.sites)
      if (!a.sites.contains(identity))
        pairs.push_back({.right = &identity, .after = &site});
    pairBy(false, [](const Text &text, const Side::Site &) { return arrayOf(std::get<1>(text)); });
    pairBy(true, [](const Text &, const Side::Site &site) { return site.region; });
    pairBy(true, [](const Text &, const Side::Site &) { return std::string(); });
    std::erase_if(pairs, [](const Pair &pair) { return !pair.left && !pair.right; });
    std::ranges::stable_sort(pairs, {}, [](const Pair &pair) { return keyOf(pair.any()); });
  }
  const std::vector<Pair> &all() const { return pairs; }

private:
  using Key = std::tuple<std::string, std::string, format::SiteKind, Identity>;

  /// Those of one array beside each other.
  static Key keyOf(const Identity &identity) {
    const auto &[function, expression, kind] = std::get<Text>(identity);
    return {function, arrayOf(expression), kind, identity};
  }

  /// Whether the other side's builds have no such access, so that the change may have made another one of it.
  static bool isAlone(const Identity &identity, const Side::Site &site, const Side &other) {
    const auto found = other.listed.find(site.listed);
    return found == other.listed.end() || std::get<1>(identity) >= found->second;
  }

  /// Pairs what is left, of one function, kind, counter and word, in the order of places if both sides have as many. `isOne`: only where
  /// each side has one.
  template <typename Word> void pairBy(bool isOne, Word word) {
    using Group = std::tuple<std::string, format::SiteKind, format::SiteCounter, std::string>;
    std::map<Group, std::pair<std::vector<Pair *>, std::vector<Pair *>>> groups;
    for (Pair &pair : pairs) {
      if ((pair.left && pair.right) || (!pair.left && !pair.right))
        continue;
      const Identity &identity = pair.any();
      const Side::Site &site = pair.after ? *pair.after : *pair.before;
      const Text &text = std::get<Text>(identity);
      if (isAlone(identity, site, pair.left ? b : a)) {
        auto &[left, right] = groups[{std::get<0>(text), std::get<2>(text), std::get<format::SiteCounter>(identity), word(text, site)}];
        (pair.left ? left : right).push_back(&pair);
      }
    }
    for (auto &[group, sides] : groups) {
      auto &[left, right] = sides;
      if (left.size() != right.size() || (isOne && left.size() > 1))
        continue;
      std::ranges::stable_sort(left, {}, [](const Pair *pair) { return pair->before->order; });
      std::ranges::stable_sort(right, {}, [](const Pair *pair) { return pair->after->order; });
      for (std::size_t i = 0; i < left.size(); ++i) {
        left[i]->right = std::exchange(right[i]->right, nullptr);
        left[i]->after = std::exchange(right[i]->after, nullptr);
      }
    }
  }

  const Side &a, &b;
  std::vector<Pair> pairs;
};

/// The cells verdict, change, its interval, and p.
std::vector<Cell> compared(const Side::Site *before, const Side::Site *after, bool isSampled, double margin) {
  std::vector<Cell> cells(5);
  if (!before || !after) {
    cells[0] = std::string(before ? "only in A" : "only in B");
    return cells;
  }
  const Shift shift = shiftBetween(before->counts, after->counts);
  const double base = median(before->counts); // of counts that are not 0
  const auto percent = [&](double by) { return 100 * by / base; };
  cells[1] = percent(shift.estimate);
  if (!shift.interval) {
    const bool isNone = std::abs(percent(shift.estimate)) <= margin;
    cells[0] = std::string(isSampled ? "can't tell" : isNone ? "not changed" : "changed");
    return cells;
  }
  const double low = percent(shift.interval->first), high = percent(shift.interval->second);
  const bool isNone = low >= -margin && high <= margin;
  cells[0] = std::string(isNone ? "not changed" : shift.p <= 0.05 ? "changed" : "can't tell");
  cells[2] = low;
  cells[3] = high;
  cells[4] = shift.p;
  return cells;
}

std::string moreRewritten(std::size_t count) {
  return count == 1 ? "so is 1 more access whose text differs: --format=csv and json name it"
                    : fmt::format("so are {} more accesses whose text differs: --format=csv and json name them", count);
}

} // namespace

static std::vector<Column> siteColumns() {
  return {{"function", Unit::None, Role::Group},
          {"access", Unit::None, Role::Label},
          {"kind", Unit::None, Role::Value, 60},
          {"counter", Unit::None, Role::Value, 85},
          {"verdict", Unit::None, Role::Value, 99},
          {"change", Unit::Percent, Role::Value, 98},
          {"change-low", Unit::Percent, Role::Value, 50},
          {"change-high", Unit::Percent, Role::Value, 50, true},
          {"p", Unit::None, Role::Value, 20},
          {"a", Unit::None, Role::Value, 90},
          {"b", Unit::None, Role::Value, 90, true},
          {"source", Unit::None, Role::Value, 55},
          {"was", Unit::None, Role::Value, 10}};
}

/// As the integer that a count is, but for medians of an even number of traces.
static Cell countCell(double count) {
  constexpr double kMaxExact = 1e15;
  return count < kMaxExact && count == std::floor(count) ? Cell(static_cast<std::uint64_t>(count)) : Cell(count);
}

/// Whether more is moved by it, surely.
static void addVerdict(SiteDiff &diff, const Pair &pair, const std::vector<Cell> &verdict) {
  const std::string &text = std::get<std::string>(verdict[0]);
  diff.onlyInB += !pair.before;
  if (text != "changed" || std::get<double>(verdict[1]) <= diff.maxMore.value_or(0))
    return;
  const auto &[function, expression, kind] = std::get<Text>(pair.any());
  diff.maxMore = std::get<double>(verdict[1]);
  diff.most = fmt::format("{} ({}, {}) of {}", expression, std::string_view(named(kind)), name(std::get<format::SiteCounter>(pair.any())),
                          function);
}

Expected<SiteDiff> diffSites(std::span<const Trace> before, std::span<const Trace> after, double marginPercent) {
  const auto a = readSide(before), b = readSide(after);
  if (!a || !b)
    return failure(a ? b.error() : a.error());
  constexpr std::size_t kMaxNoted = 5;
  SiteDiff diff;
  Table &table = diff.table;
  table = {.name = "diff-sites", .columns = siteColumns(), .rows = {}, .notes = {}, .title = "memory accesses"};
  diff.areCounted = !a->sites.empty() && !b->sites.empty();
  std::size_t rewritten = 0;
  for (const Pair &pair : SitePairs(*a, *b).all()) {
    const auto &[function, expression, kind] = std::get<Text>(pair.any());
    const std::vector<Cell> verdict = compared(pair.before, pair.after, a->isSampled || b->isSampled, marginPercent);
    addVerdict(diff, pair, verdict);
    std::vector<Cell> row{function, expression, named(kind), std::string(name(std::get<format::SiteCounter>(pair.any())))};
    row.insert(row.end(), verdict.begin(), verdict.end());
    row.push_back(pair.before ? countCell(median(pair.before->counts)) : Cell());
    row.push_back(pair.after ? countCell(median(pair.after->counts)) : Cell());
    row.emplace_back(pair.after ? pair.after->source : pair.before->source);
    row.emplace_back();
    if (pair.isRewritten()) {
      const std::string &was = std::get<1>(std::get<Text>(*pair.left));
      row.back() = was;
      if (++rewritten <= kMaxNoted)
        table.notes.push_back(fmt::format("{} in A is compared with {} in B: neither side has both, and {}", was, expression,
                                          arrayOf(was) == arrayOf(expression)
                                              ? "function, kind and array are the same"
                                              : "they are what is left of a kind in one region or function"));
    }
    table.rows.push_back(std::move(row));
  }
  if (rewritten > kMaxNoted)
    table.notes.push_back(moreRewritten(rewritten - kMaxNoted));
  if ((a->isSampled || b->isSampled) && !table.rows.empty())
    table.notes.push_back(fmt::format("one {0} in several was counted: give at least 4 traces of each side with --against to tell "
                                      "a change from the choice of {0}s",
                                      termsOf(after.front()).block));
  return diff;
}

} // namespace kperf::decoder
