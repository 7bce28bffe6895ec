// Derives causes and remedies from a site's counters.
#include "decoder/memory/SiteDiagnosis.h"
#include "decoder/memory/LaneRows.h"
#include "decoder/trace/FormatNames.h"
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace kperf::decoder {
namespace {

constexpr unsigned kBankLanes = 32;    ///< that `bankWays` is of
constexpr unsigned kBankBytes = 128;   ///< that a pass over the banks of shared memory takes at most
constexpr double kMaxStride = 1 << 30; ///< bytes between neighbouring lanes in shared memory, which no block has so much of

class SiteDiagnosis {
public:
  explicit SiteDiagnosis(const SiteTotals &totals)
      : totals(totals), traced(totals.site), site(*totals.site.record), sum(totals.sum), terms(termsOf(*totals.site.trace)),
        rowsApart(laneRows(traced.trace->string(site.expression))) {}

  /// Adds what this site tells of the array.
  void describe(AccessedArray &array) const {
    array.mixed += isMixed();
    if (!hasConflicts())
      return;
    array.hasRows |= hasRows();
    const std::optional<std::uint64_t> stride = oneStride();
    if (!stride)
      return;
    const unsigned ways = bankWays(*stride, elementBytes()).least;
    array.canPad &= *stride < kBankBytes || paddedWays(*stride).least < ways;
    array.canSkip &= elementBytes() >= 4 && skippedWays(*stride).least < ways;
  }

  void examine(const AccessedArray &array, std::vector<MemoryFinding> &out) const {
    const std::size_t before = out.size();
    if (wastesSectors())
      out.push_back(wastedSectors(array));
    if (hasConflicts())
      out.push_back(bankConflicts(array));
    const std::uint64_t serial = sum[format::kSerialLanes] + sum[format::kSharedSerialLanes];
    if (site.kind == format::SiteKind::Atomic && serial >= 2 * (sum.globals() + sum.shareds()) && sumsBySelf() != Answer::Yes)
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

  bool hasConflicts() const {
    const std::uint64_t wavefronts = sum[format::kWavefronts];
    return wavefronts > 0 && 10 * sum[format::kMinWavefronts] <= 9 * wavefronts;
  }

  /// Whether lanes of nine in ten accesses to shared memory have a distance, be it always the same or not.
  bool isSharedStrided() const { return elementBytes() > 0 && 10 * sum[format::kSharedStrided] >= 9 * sum.shareds(); }

  /// Bytes between neighbouring lanes in shared memory, unless the counters cannot be those of accesses with that one distance: theirs is a
  /// sum, and accesses of several distances have other conflicts than the mean of these has.
  std::optional<std::uint64_t> oneStride() const {
    const auto stride = static_cast<std::uint64_t>(std::min(sum.sharedStride(), kMaxStride));
    if (!isSharedStrided() || static_cast<double>(stride) != sum.sharedStride())
      return {};
    const BankWays ways = bankWays(stride, elementBytes());
    const std::uint64_t wavefronts = sum[format::kWavefronts], most = sum[format::kMinWavefronts] * lanesTogether() * ways.most;
    return kBankLanes * wavefronts >= sum[format::kSharedLanes] * ways.least && kBankLanes * wavefronts <= most ? std::optional(stride)
                                                                                                                : std::nullopt;
  }

  /// Whether all lanes take part in all accesses, each of which has a distance: of others it is not known which lanes they are.
  bool isPredictable() const {
    const std::uint64_t lanes = sum[format::kSharedLanes];
    return sum[format::kSharedStrided] == sum.shareds() && lanes % kBankLanes == 0 &&
           sum[format::kMinWavefronts] * lanesTogether() == lanes;
  }

  /// That a wavefront serves where there are no conflicts.
  unsigned lanesTogether() const { return kBankBytes / std::clamp(elementBytes(), 4u, 16u); }

  unsigned rowPadding() const { return std::max(4u, elementBytes()); }
  /// Where each row is longer by rowPadding(). Lanes that do not all differ by the same number of rows are taken to differ by one.
  BankWays paddedWays(std::uint64_t stride) const {
    return bankWays(stride + (rowsApart ? rowsApart->count : 1) * rowPadding(), elementBytes());
  }
  BankWays skippedWays(std::uint64_t stride) const { return bankWays(stride, elementBytes(), elementBytes()); }

  bool isMember() const {
    const std::string_view text = traced.trace->string(site.expression);
    const std::size_t bracket = text.rfind(']');
    return bracket != std::string_view::npos && text.find('.', bracket) != std::string_view::npos;
  }

  bool wastesSectors() const {
    const std::uint64_t sectors = sum[format::kSectors];
    return sectors > 0 && 10 * sum[format::kMinSectors] <= 9 * sectors;
  }

  /// "4 sectors", "1 LDS pass".
  static std::string counted(std::uint64_t count, std::string_view plural) {
    return fmt::format("{} {}", count, count == 1 ? plural.substr(0, plural.size() - (plural.ends_with("sses") ? 2 : 1)) : plural);
  }

  bool isMost(format::SiteCounter shape) const { return 10 * sum[shape] >= 9 * sum.globals(); }

  /// Whether what is irregular is neighbouring lanes on neighbouring elements in two pieces, of different elements. Each piece takes at
  /// most one sector more than its bytes fill, and two pieces three more than the bytes of both fill together; a unit access that is
  /// misaligned one.
  bool isInPieces() const {
    constexpr std::uint64_t kSectorsMore = 3;
    const std::uint64_t irregular = sum[format::kIrregular], more = sum[format::kSectors] - sum[format::kMinSectors];
    return site.kind != format::SiteKind::Atomic && 4 * irregular >= sum.globals() &&
           10 * (irregular + sum[format::kUnit]) >= 9 * sum.globals() && 10 * sum[format::kDistinctBytes] >= 9 * sum[format::kBytes] &&
           more <= kSectorsMore * irregular + sum[format::kMisaligned];
  }

  bool isMixed() const { return wastesSectors() && std::string_view(sectorRule()) == "mixed-access"; }

  const char *sectorRule() const {
    if (isMost(format::kStrided))
      return "strided-access";
    if (isMost(format::kUnit))
      return 2 * sum[format::kMisaligned] >= sum.globals() || sum.perAccess(format::kLanes) >= 24 ? "misaligned-access" : "partial-warp";
    if (isInPieces())
      return "split-access";
    return isMost(format::kIrregular) ? "irregular-access" : "mixed-access";
  }

  std::string sectorCause(std::string_view rule) const {
    const auto part = [&](format::SiteCounter shape) { return AccessSum::percent(sum[shape], sum.globals()); };
    if (rule == "strided-access")
      return fmt::format("neighbouring lanes are {} bytes apart and take {} each", shortNumber(sum.stride()), elementBytes());
    if (rule == "misaligned-access")
      return fmt::format("the {}'s first byte is off a 32-byte boundary in {:.0f} % of the accesses", terms.warp,
                         part(format::kMisaligned));
    if (rule == "partial-warp")
      return fmt::format("{} of {} lanes take part", shortNumber(sum.perAccess(format::kLanes)), lanesOfWarp());
    if (rule == "split-access")
      return fmt::format("in {:.0f} % of the accesses the {}'s lanes lie in pieces, as where it covers parts of two rows, and these "
                         "begin and end within sectors",
                         part(format::kIrregular), terms.warp);
    if (rule == "irregular-access")
      return fmt::format("lanes go to {} different lines of 128 bytes an access, in no order", shortNumber(sum.perAccess(format::kLines)));
    return fmt::format("accesses of several shapes ({:.0f} % unit, {:.0f} % strided, {:.0f} % irregular)", part(format::kUnit),
                       part(format::kStrided), part(format::kIrregular));
  }

  std::string sectorFix(std::string_view rule, const AccessedArray &array) const {
    if (rule == "strided-access")
      return isMember()
                 ? "keep each member in an array of its own (structure of arrays)"
                 : fmt::format("let neighbouring lanes take neighbouring elements: swap the indices, or go through {}", terms.sharedMemory);
    if (rule == "misaligned-access")
      return "begin rows at multiples of 32 bytes: pad the pitch, or shift the index";
    if (rule == "partial-warp")
      return fmt::format("let whole {}s make the access", terms.warp);
    if (rule == "split-access")
      return fmt::format(
          "walk rows of a multiple of {} lanes that begin at a multiple of 32 bytes, or give each {} such a row, and what is "
          "left over (a halo) a statement of its own",
          lanesOfWarp(), terms.warp);
    if (rule == "irregular-access")
      return fmt::format("sort or bin the indices, or stage the data in {}", terms.sharedMemory);
    if (array.mixed < 2)
      return "give each case a statement of its own, with an if around it, and count again: each then has its own cause and remedy";
    // Statements of their own did not separate the cases: what most accesses need is left.
    const std::uint64_t unit = sum[format::kUnit], strided = sum[format::kStrided], irregular = sum[format::kIrregular];
    return sectorFix(irregular >= std::max(unit, strided) ? "irregular-access"
                     : strided >= unit                    ? "strided-access"
                                                          : "misaligned-access",
                     array);
  }

  MemoryFinding wastedSectors(const AccessedArray &array) const {
    const std::uint64_t sectors = sum[format::kSectors], least = sum[format::kMinSectors];
    MemoryFinding finding{.site = traced, .rule = sectorRule(), .saved = static_cast<double>(sectors - least)};
    // Of an atomic each lane's bytes count, for each has its turn.
    const std::uint64_t asked = sum[site.kind == format::SiteKind::Atomic ? format::kBytes : format::kDistinctBytes];
    finding.cause = fmt::format("{}: {} sectors where {} would hold the {} bytes asked for ({:.1f} % used)", sectorCause(finding.rule),
                                sectors, least, asked, AccessSum::percent(asked, sum.trafficBytes()));
    finding.fix = sectorFix(finding.rule, array);
    finding.effect = fmt::format("at best {}, {:.1f} % fewer", counted(least, "sectors"), 100 - AccessSum::percent(least, sectors));
    return finding;
  }

  MemoryFinding bankConflicts(const AccessedArray &array) const {
    const std::uint64_t wavefronts = sum[format::kWavefronts], least = sum[format::kMinWavefronts];
    MemoryFinding finding{.site = traced, .rule = "bank-conflict", .saved = static_cast<double>(wavefronts - least)};
    finding.cause = fmt::format("{}-way bank conflicts: {} {} where {} would do", shortNumber(sum.ways()), wavefronts, terms.passes, least);
    finding.effect = fmt::format("at best {}, {:.1f} % fewer", counted(least, terms.passes), 100 - AccessSum::percent(least, wavefronts));
    if (!isSharedStrided()) {
      finding.fix = hasRows()     ? "exclusive-or the column with the row (swizzle), or pad the rows"
                    : hasFactor() ? factorFix()
                                  : "let lanes that go together take elements of other banks: neighbouring ones, or bin the indices";
      return finding;
    }
    const std::optional<std::uint64_t> stride = oneStride();
    finding.cause += fmt::format("; neighbouring lanes are {} bytes apart{}", shortNumber(sum.sharedStride()), stride ? "" : " on average");
    if (hasRows() || (array.hasRows && sum.sharedStride() >= kBankBytes))
      padRows(finding, stride, array);
    else if (isMember())
      finding.fix = "keep each member in an array of its own (structure of arrays)";
    else
      skipElements(finding, stride, array);
    return finding;
  }

  std::string_view indexText() const {
    const std::string_view text = traced.trace->string(site.expression);
    return text.substr(std::min(text.find('['), text.size()));
  }

  /// Whether the index has a factor, not counting those by which an index is found that is read from memory, as in "s[order[2 * i]]".
  bool hasFactor() const {
    int depth = 0;
    for (const char letter : indexText()) {
      depth += letter == '[' ? 1 : letter == ']' ? -1 : 0;
      if (letter == '*' && depth == 1)
        return true;
    }
    return false;
  }

  /// Neighbouring lanes are to be an odd number of banks apart, of which one may hold several elements.
  std::string factorFix() const {
    constexpr unsigned kBytesOfBank = 4;
    const unsigned bytes = elementBytes();
    if (bytes == 0 || bytes >= kBytesOfBank)
      return "take the factor out of the index, or make it odd: with an even one lanes share few banks, and what an odd one leaves is of "
             "the data";
    return fmt::format("take the factor out of the index, or make it an odd multiple of {}, the elements of a bank: with another one lanes "
                       "share few banks, and what such a one leaves is of the data",
                       kBytesOfBank / bytes);
  }

  /// Whether what is accessed has rows that lanes may differ by: of an array of two dimensions, "tile[row][column]", though not in
  /// "tile[row][threadIdx.x]"; or by what the index multiplies, "tile[row * pitch + column]", as long as a pass over the banks or longer.
  bool hasRows() const {
    const std::string_view text = traced.trace->string(site.expression);
    const std::size_t last = text.rfind("][");
    if (last == std::string_view::npos)
      return hasFactor() && sum.sharedStride() >= kBankBytes;
    return text.substr(0, last).contains("threadIdx") || !text.substr(last).contains("threadIdx");
  }

  void predict(MemoryFinding &finding, BankWays ways) const {
    if (!isPredictable())
      return; // "at best"
    const std::uint64_t wavefronts = sum[format::kWavefronts], rows = sum[format::kSharedLanes] / kBankLanes;
    const std::uint64_t least = rows * ways.least, most = rows * ways.most;
    const auto fewer = [&](std::uint64_t then) { return 100 - AccessSum::percent(std::min(then, wavefronts), wavefronts); };
    finding.effect = least == most ? fmt::format("{}, {:.1f} % fewer", counted(least, terms.passes), fewer(least))
                                   : fmt::format("{} to {} (by the index of the first lane), {:.1f} to {:.1f} % fewer", least,
                                                 counted(most, terms.passes), fewer(most), fewer(least));
  }

  void padRows(MemoryFinding &finding, std::optional<std::uint64_t> stride, const AccessedArray &array) const {
    const unsigned pad = rowPadding();
    // Padding one row by an element may move the lanes to banks that conflict as much.
    if (!array.canPad || (stride && paddedWays(*stride).least >= bankWays(*stride, elementBytes()).least)) {
      const bool isEven = rowsApart && rowsApart->count % 2 == 0; // no pitch makes all banks of these lanes differ
      finding.fix =
          isEven
              ? "let neighbouring lanes take neighbouring rows, or exclusive-or the column with the row (swizzle)"
              : fmt::format("exclusive-or the column with the row (swizzle), or choose a pitch that is an odd multiple of {} bytes", pad);
      return;
    }
    if (!stride) {
      finding.fix = "exclusive-or the column with the row (swizzle), or pad the rows";
      return;
    }
    finding.fix = fmt::format("pad each row by {} bytes", pad);
    finding.rowPadding = pad;
    if (!rowsApart || !isPredictable())
      return; // "at best"
    predict(finding, paddedWays(*stride));
    if (!rowsApart->isCertain)
      finding.effect +=
          fmt::format(", if neighbouring lanes differ by {}", rowsApart->count == 1 ? "one row" : fmt::format("{} rows", rowsApart->count));
  }

  /// Of an array of one dimension: whether its index is made of a row and a column is not in the trace, and an element left out after each
  /// pass over the banks helps in either case.
  void skipElements(MemoryFinding &finding, std::optional<std::uint64_t> stride, const AccessedArray &array) const {
    if (!array.canSkip) {
      // Lanes don't differ by an index that is a number.
      const std::string_view index = indexText();
      const bool isNumber = !index.empty() && std::ranges::none_of(index, [](unsigned char c) { return std::isalpha(c); });
      finding.fix = fmt::format("let neighbouring lanes take neighbouring elements: swap what {} is made of",
                                isNumber ? arrayOf(traced.trace->string(site.expression)) : "the index");
      return;
    }
    const unsigned together = std::max(1u, kBankBytes / elementBytes());
    finding.fix = fmt::format(
        "let neighbouring lanes take neighbouring elements, or leave one out after every {0}: element i at i + i / {0}", together);
    if (stride)
      predict(finding, skippedWays(*stride));
  }

  enum class Answer : std::uint8_t { No, Maybe, Yes };

  /// Whether the hardware adds up the lanes' updates of an address by itself, as `ownSums` says, by the text of the source line.
  Answer sumsBySelf() const {
    if (sum.globals() > 0 || terms.ownSums.empty())
      return Answer::No;
    const std::string_view line = traced.trace->string(site.source);
    if (line.empty() || site.column == 0 || site.column - 1 + site.width > line.size())
      return Answer::Maybe;
    std::string_view before = trimmedEnd(line.substr(0, site.column - 1)), behind = line.substr(site.column - 1 + site.width);
    constexpr std::string_view kCall = "atomicAdd(";
    if (!before.ends_with(kCall))
      return Answer::Maybe;
    before = trimmedEnd(before.substr(0, before.size() - kCall.size()));
    std::string value;
    std::ranges::copy_if(behind, std::back_inserter(value), [](unsigned char c) { return !std::isspace(c); });
    if (value.starts_with(",") && value.substr(0, value.find(')')).contains('.'))
      return Answer::No; // of a floating-point number
    const bool isOne = value.starts_with(",1);") || value.starts_with(",1u);") || value.starts_with(",1U);");
    return isOne && isStatement(before) && elementBytes() == 4 ? Answer::Yes : Answer::Maybe;
  }

  static std::string_view trimmedEnd(std::string_view text) {
    const std::size_t last = text.find_last_not_of(" \t");
    return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }

  /// Whether a call behind this text is a statement: nothing takes what it returns.
  static bool isStatement(std::string_view before) {
    if (before.empty() || before.ends_with(';') || before.ends_with('{') || before.ends_with('}') || before.ends_with("else"))
      return true;
    if (!before.ends_with(')'))
      return false;
    std::size_t at = before.size(), depth = 0; // behind a head such as for (…)
    do {
      --at;
      depth += before[at] == ')' ? 1 : before[at] == '(' ? -1 : 0;
    } while (depth > 0 && at > 0);
    const std::string_view head = trimmedEnd(before.substr(0, at));
    return depth == 0 && (head.ends_with("for") || head.ends_with("if") || head.ends_with("while"));
  }

  MemoryFinding sameAddress(std::uint64_t serial) const {
    const std::uint64_t accesses = sum.globals() + sum.shareds();
    MemoryFinding finding{.site = traced, .rule = "same-address", .saved = static_cast<double>(serial - accesses)};
    finding.cause = fmt::format("the busiest address of each access is updated by {} lanes of a {} at once, on average",
                                shortNumber(AccessSum::ratio(serial, accesses)), terms.warp);
    finding.fix =
        sum.globals() == 0
            ? fmt::format(
                  "add up within the {0} first ({1}), or give groups of its lanes copies of their own and add the copies at the end{2}",
                  terms.warp, terms.sumsOfWarp, sumsBySelf() == Answer::No ? "" : fmt::format("; not worth it for {}", terms.ownSums))
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
  const std::optional<LaneRows> rowsApart; ///< neighbouring lanes, as far as the expression tells
};

} // namespace

std::string shortNumber(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return text.ends_with(".00") ? text.substr(0, text.size() - 3) : text;
}

std::string_view arrayOf(std::string_view expression) {
  expression = expression.substr(0, expression.find('['));
  return expression.substr(std::min(expression.find_first_not_of("&*( "), expression.size()));
}

void describeArray(const SiteTotals &site, AccessedArray &array) { SiteDiagnosis(site).describe(array); }

void diagnoseSite(const SiteTotals &site, const AccessedArray &array, std::vector<MemoryFinding> &out) {
  SiteDiagnosis(site).examine(array, out);
}

} // namespace kperf::decoder
