// Derives causes and remedies from a site's counters.
#include "decoder/memory/MemoryFindings.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <set>
#include <span>

namespace kperf::decoder {
namespace {

constexpr double kMaxStride = 1 << 30; ///< bytes between neighbouring lanes in shared memory, which no block has so much of

/// "1.50", "32": two decimals where they say something.
std::string number(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

class SiteDiagnosis {
public:
  explicit SiteDiagnosis(const SiteTotals &totals)
      : totals(totals), traced(totals.site), site(*totals.site.record), sum(totals.sum), terms(termsOf(*totals.site.trace)) {}

  void examine(std::vector<MemoryFinding> &out) const {
    const std::size_t before = out.size();
    const std::uint64_t sectors = sum[format::kSectors], least = sum[format::kMinSectors];
    if (sectors > 0 && 10 * least <= 9 * sectors)
      out.push_back(wastedSectors());
    const std::uint64_t wavefronts = sum[format::kWavefronts], minWavefronts = sum[format::kMinWavefronts];
    if (wavefronts > 0 && 10 * minWavefronts <= 9 * wavefronts)
      out.push_back(bankConflicts());
    const std::uint64_t serial = sum[format::kSerialLanes] + sum[format::kSharedSerialLanes];
    if (site.kind == format::SiteKind::Atomic && serial >= 2 * (sum.globals() + sum.shareds()))
      out.push_back(sameAddress(serial));
    if (totals.machine.state == format::MachineState::Varies)
      for (std::size_t index = before; index < out.size(); ++index)
        out[index].cause += "; the machine code has other instructions: these counts are the source's";
  }

private:
  unsigned elementBytes() const {
    const std::uint64_t lanes = sum[format::kLanes] + sum[format::kSharedLanes];
    return lanes ? static_cast<unsigned>((sum[format::kBytes] + sum[format::kSharedBytes]) / lanes) : 0;
  }

  unsigned lanesOfWarp() const {
    const auto devices = traced.trace->devices();
    return devices.empty() || devices.front().warpLanes == 0 ? 32 : devices.front().warpLanes;
  }

  bool isMember() const {
    const std::string_view text = traced.trace->string(site.expression);
    const std::size_t bracket = text.rfind(']');
    return bracket != std::string_view::npos && text.find('.', bracket) != std::string_view::npos;
  }

  MemoryFinding wastedSectors() const {
    const std::uint64_t sectors = sum[format::kSectors], least = sum[format::kMinSectors];
    MemoryFinding finding{.site = traced, .rule = "mixed-access", .saved = static_cast<double>(sectors - least)};
    // Of an atomic each lane's bytes count, for each has its turn.
    const std::uint64_t asked = sum[site.kind == format::SiteKind::Atomic ? format::kBytes : format::kDistinctBytes];
    const std::string share = fmt::format("{} sectors where {} would hold the {} bytes asked for ({:.1f} % used)", sectors, least, asked,
                                          AccessSum::percent(asked, sum.trafficBytes()));
    const std::string shape = sum.shape();
    if (10 * sum[format::kStrided] >= 9 * sum.globals()) {
      finding.rule = "strided-access";
      finding.cause =
          fmt::format("neighbouring lanes are {} bytes apart and take {} each: {}", number(sum.stride()), elementBytes(), share);
      finding.fix = isMember() ? "keep each member in an array of its own (structure of arrays)"
                               : fmt::format("let neighbouring lanes take neighbouring elements: swap the indices, or go through {}",
                                             terms.sharedMemory);
    } else if (10 * sum[format::kUnit] >= 9 * sum.globals()) {
      const double lanes = sum.perAccess(format::kLanes);
      if (2 * sum[format::kMisaligned] >= sum.globals() || lanes >= 24) {
        finding.rule = "misaligned-access";
        finding.cause = fmt::format("the {}'s first byte is off a 32-byte boundary in {:.0f} % of the accesses: {}", terms.warp,
                                    AccessSum::percent(sum[format::kMisaligned], sum.globals()), share);
        finding.fix = "begin rows at multiples of 32 bytes: pad the pitch, or shift the index";
      } else {
        finding.rule = "partial-warp";
        finding.cause = fmt::format("{} of {} lanes take part: {}", number(lanes), lanesOfWarp(), share);
        finding.fix = fmt::format("let whole {}s make the access", terms.warp);
      }
    } else if (10 * sum[format::kIrregular] >= 9 * sum.globals()) {
      finding.rule = "irregular-access";
      finding.cause = fmt::format("lanes go to {} different lines of 128 bytes an access, in no order: {}",
                                  number(sum.perAccess(format::kLines)), share);
      finding.fix = fmt::format("sort or bin the indices, or stage the data in {}", terms.sharedMemory);
    } else {
      const auto part = [&](format::SiteCounter shape) { return AccessSum::percent(sum[shape], sum.globals()); };
      finding.cause = fmt::format("accesses of several shapes ({:.0f} % unit, {:.0f} % strided, {:.0f} % irregular): {}",
                                  part(format::kUnit), part(format::kStrided), part(format::kIrregular), share);
      finding.fix = "give each case a statement of its own, with an if around it, and count again: each then has its own cause and remedy";
    }
    finding.effect = fmt::format("at best {} sectors, {:.1f} % fewer", least, 100 - AccessSum::percent(least, sectors));
    return finding;
  }

  MemoryFinding bankConflicts() const {
    const std::uint64_t wavefronts = sum[format::kWavefronts], least = sum[format::kMinWavefronts];
    MemoryFinding finding{.site = traced, .rule = "bank-conflict", .saved = static_cast<double>(wavefronts - least)};
    finding.cause = fmt::format("{}-way bank conflicts: {} {} where {} would do", number(sum.ways()), wavefronts, terms.passes, least);
    finding.effect = fmt::format("at best {} {}, {:.1f} % fewer", least, terms.passes, 100 - AccessSum::percent(least, wavefronts));
    const bool isStrided = 10 * sum[format::kSharedStrided] >= 9 * sum.shareds();
    const auto stride = static_cast<std::uint64_t>(std::min(sum.sharedStride(), kMaxStride));
    if (!isStrided || static_cast<double>(stride) != sum.sharedStride() || elementBytes() == 0) {
      finding.fix = hasRows() ? "exclusive-or the column with the row (swizzle), or pad the rows"
                    : indexText().contains('*')
                        ? "take the factor out of the index, or make it odd: with an even one lanes share few banks"
                        : "let lanes that go together take elements of other banks: neighbouring ones, or bin the indices";
      return finding;
    }
    finding.cause += fmt::format("; neighbouring lanes are {} bytes apart", stride);
    if (hasRows())
      padRows(finding, stride);
    else if (isMember())
      finding.fix = "keep each member in an array of its own (structure of arrays)";
    else
      skipElements(finding, stride);
    return finding;
  }

  std::string_view indexText() const {
    const std::string_view text = traced.trace->string(site.expression);
    return text.substr(std::min(text.find('['), text.size()));
  }

  /// Whether what is accessed has rows that lanes may differ by: of an array of two dimensions, "tile[row][column]", though not in
  /// "tile[row][threadIdx.x]"; or by what the index multiplies, "tile[row * pitch + column]", as long as a pass over the banks or longer.
  bool hasRows() const {
    const std::string_view text = traced.trace->string(site.expression);
    const std::size_t last = text.rfind("][");
    if (last == std::string_view::npos)
      return indexText().contains('*') && sum.sharedStride() >= 128;
    return text.substr(0, last).contains("threadIdx") || !text.substr(last).contains("threadIdx");
  }

  void predict(MemoryFinding &finding, unsigned ways) const {
    const std::uint64_t wavefronts = sum[format::kWavefronts], predicted = sum.shareds() * ways;
    finding.effect = fmt::format("{} {}, {:.1f} % fewer", predicted, terms.passes,
                                 100 - AccessSum::percent(std::min(predicted, wavefronts), wavefronts));
  }

  void padRows(MemoryFinding &finding, std::uint64_t stride) const {
    const unsigned pad = std::max(4u, elementBytes());
    const unsigned then = bankWays(stride + pad, elementBytes());
    if (then >= bankWays(stride, elementBytes())) { // padding one row by an element moves the lanes to banks that conflict as much
      finding.fix =
          fmt::format("exclusive-or the column with the row (swizzle), or choose a pitch that is an odd multiple of {} bytes", pad);
      return;
    }
    finding.fix = fmt::format("pad each row by {} bytes", pad);
    finding.rowPadding = pad;
    predict(finding, then);
  }

  /// Of an array of one dimension: whether its index is made of a row and a column is not in the trace, and an element left out after each
  /// pass over the banks helps in either case.
  void skipElements(MemoryFinding &finding, std::uint64_t stride) const {
    const unsigned bytes = elementBytes(), together = std::max(1u, 128 / bytes);
    const unsigned then = bankWays(stride, bytes, 32, bytes);
    if (bytes < 4 || then >= bankWays(stride, bytes)) {
      finding.fix = "let neighbouring lanes take neighbouring elements: swap what the index is made of";
      return;
    }
    finding.fix = fmt::format(
        "let neighbouring lanes take neighbouring elements, or leave one out after every {0}: element i at i + i / {0}", together);
    predict(finding, then);
  }

  MemoryFinding sameAddress(std::uint64_t serial) const {
    const std::uint64_t accesses = sum.globals() + sum.shareds();
    MemoryFinding finding{.site = traced, .rule = "same-address", .saved = static_cast<double>(serial - accesses)};
    finding.cause = fmt::format("the busiest address of each access is updated by {} lanes of a {} at once, on average",
                                number(AccessSum::ratio(serial, accesses)), terms.warp);
    finding.fix =
        sum.globals() == 0
            ? fmt::format(
                  "add up within the {0} first ({1}), or give groups of its lanes copies of their own and add the copies at the end{2}",
                  terms.warp, terms.sumsOfWarp, terms.ownSums.empty() ? "" : fmt::format("; not worth it for {}", terms.ownSums))
            : fmt::format("add up within the {} first ({}), or within the {} in {}", terms.warp, terms.sumsOfWarp, terms.block,
                          terms.sharedMemory);
    const std::uint64_t lanes = sum[format::kLanes] + sum[format::kSharedLanes];
    const std::uint64_t distinct = elementBytes() ? sum[format::kDistinctBytes] / elementBytes() : 0;
    finding.effect =
        distinct > 0 ? fmt::format("{} updates by lanes become {}", lanes, distinct) : fmt::format("{} turns become {}", serial, accesses);
    return finding;
  }

  const SiteTotals &totals;
  const TracedSite &traced;
  const format::SiteRecord &site;
  const AccessSum &sum;
  const VendorTerms &terms;
};

} // namespace

unsigned bankWays(std::uint64_t stride, unsigned bytes, unsigned lanes, unsigned skipped) {
  const std::uint64_t unit = std::clamp(bytes, 4u, 16u);
  const auto together = static_cast<unsigned>(128 / unit);
  unsigned sum = 0;
  for (unsigned first = 0; first < lanes; first += together) {
    std::array<std::set<std::uint64_t>, 32> words;
    for (unsigned lane = first; lane < std::min(lanes, first + together); ++lane) {
      const std::uint64_t at = lane * stride, word = (at + at / 128 * skipped) / unit;
      words[word % together].insert(word);
    }
    sum += static_cast<unsigned>(std::ranges::max_element(words, {}, [](const auto &each) { return each.size(); })->size());
  }
  return sum;
}

Finding asFinding(const MemoryFinding &fault) {
  const format::SiteRecord &site = *fault.site.record;
  const std::string &function = fault.site.function;
  return {.rule = fault.rule,
          .subject = function,
          .message = fmt::format("{} of {} in {}: {}; try: {}; effect: {}", named(site.kind), fault.site.text(site.expression), function,
                                 fault.cause, fault.fix, fault.effect),
          .file = fault.site.text(site.file),
          .line = site.line,
          .column = site.column,
          .level = Finding::Level::Warning,
          .isViolation = true};
}

std::vector<MemoryFinding> diagnoseAccesses(const MemoryTotals &totals) {
  std::vector<MemoryFinding> out;
  for (const SiteTotals &site : totals.sites()) {
    const std::size_t before = out.size();
    SiteDiagnosis(site).examine(out);
    if (site.sectors.error() != 0 || site.wavefronts.error() != 0)
      for (MemoryFinding &each : std::span(out).subspan(before))
        each.cause += " (estimates, from a sample)";
  }
  std::ranges::stable_sort(out, std::greater<>(), &MemoryFinding::saved);
  return out;
}

} // namespace kperf::decoder
