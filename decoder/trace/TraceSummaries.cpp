// Reads the summaries of a reduced trace, and checks that they, and other sums, are consistent.
#include "decoder/trace/RowChecks.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/trace/Trace.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

/// What follows one row: more than any histogram has buckets, or a device multiprocessors.
constexpr std::uint64_t kMaxLengths = std::uint64_t{1} << 15, kMaxMultiprocessors = std::uint64_t{1} << 15;
constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 20;

template <typename T> T rowOf(std::span<const std::byte> bytes) {
  T out;
  std::memcpy(&out, bytes.data(), sizeof(out));
  return out;
}

bool isSum(double value) { return std::isfinite(value) && !std::signbit(value); }

/// The first bucket that does not exist, or nothing.
std::optional<std::uint32_t> unknownBucket(const SummaryRow &row) {
  if (row.record.flags & format::kRowExact)
    return std::nullopt;
  for (const std::uint64_t word : row.lengths)
    if (const auto length = std::bit_cast<format::LengthBucket>(word); length.bucket >= format::kLengthBuckets)
      return length.bucket;
  return std::nullopt;
}

} // namespace

Status Trace::checkSummary(const format::SummaryRecord &summary, std::uint64_t at) const {
  if (summary.rows > kMaxRows)
    return failure(error(at + offsetof(format::SummaryRecord, rows), "a summary has too many rows", std::to_string(summary.rows),
                         fmt::format("at most {}", kMaxRows)));
  if (!isSum(summary.cyclesCycles) || !isSum(summary.cyclesNs) || !isSum(summary.nsNs))
    return failure(error(at + offsetof(format::SummaryRecord, cyclesCycles), "the clock sums of a summary are no sums",
                         fmt::format("{}, {}, {}", summary.cyclesCycles, summary.cyclesNs, summary.nsNs), "finite numbers from 0 on"));
  return RowChecks(*this, summary, at).run();
}

Status Trace::checkTimes(const format::LaunchTimesRecord &row, std::uint64_t at) const {
  if (row.launches > 0 && isSum(row.middleNs) && isSum(row.errorNs))
    return {};
  return failure(error(at + offsetof(format::LaunchTimesRecord, launches), "the times of launches are no times",
                       fmt::format("{} launches of {} ns, {} off", row.launches, row.middleNs, row.errorNs),
                       "at least one launch, and finite numbers from 0 on"));
}

Status Trace::checkSummaryRow(const format::SummaryRowRecord &row, std::uint64_t at, std::uint32_t number) const {
  if (row.parent >= number)
    return failure(error(at + offsetof(format::SummaryRowRecord, parent), "a row of a summary stands before the one around it",
                         fmt::format("parent {}", row.parent), fmt::format("less than {}", number)));
  if (row.lengths > kMaxLengths || row.multiprocessors > kMaxMultiprocessors)
    return failure(error(at + offsetof(format::SummaryRowRecord, lengths), "a row of a summary is too long",
                         fmt::format("{} lengths, {} multiprocessors", row.lengths, row.multiprocessors),
                         fmt::format("at most {} and {}", kMaxLengths, kMaxMultiprocessors)));
  return RowChecks(*this, row, at).run();
}

Status Trace::visitSummaries(const Section &section, TraceVisitor &visitor) const {
  SectionStream stream(source, section);
  const auto take = [&](std::uint64_t bytes, const char *what) -> Expected<std::span<const std::byte>> {
    if (stream.left() < bytes)
      return failure(error(stream.offset(), fmt::format("a Summaries section ends within {}", what), fmt::format("{} bytes", stream.left()),
                           fmt::format("at least {}", bytes)));
    return stream.take(bytes);
  };
  while (stream.left() > 0) {
    const std::uint64_t at = stream.offset();
    auto piece = take(sizeof(format::SummaryRecord), "a kernel");
    if (!piece)
      return failure(piece.error());
    const auto summary = rowOf<format::SummaryRecord>(*piece);
    if (Status status = checkSummary(summary, at); !status)
      return status;
    visitor.summary(summary);
    std::uint64_t attributed = 0;
    for (std::uint32_t number = 1; number <= summary.rows; ++number) {
      const std::uint64_t rowAt = stream.offset();
      if (piece = take(sizeof(format::SummaryRowRecord), "a row"); !piece)
        return failure(piece.error());
      const auto row = rowOf<format::SummaryRowRecord>(*piece);
      if (Status status = checkSummaryRow(row, rowAt, number); !status)
        return status;
      if (piece = take((std::uint64_t{row.lengths} + row.multiprocessors) * 8, "a row"); !piece)
        return failure(piece.error());
      const std::span words(reinterpret_cast<const std::uint64_t *>(piece->data()), piece->size() / 8);
      const SummaryRow whole{row, words.first(row.lengths), words.subspan(row.lengths)};
      if (const auto bucket = unknownBucket(whole))
        return failure(error(rowAt, "a row of a summary has an impossible bucket", std::to_string(*bucket),
                             fmt::format("less than {}", format::kLengthBuckets)));
      attributed += row.counts[format::kRowSelf];
      visitor.summaryRow(whole);
    }
    const std::uint64_t all = attributed + summary.counts[format::kSummaryUnattributed] + summary.counts[format::kSummaryNotRecorded];
    if (all != summary.counts[format::kSummaryCycles])
      return failure(error(at, "the times of a summary do not add up", fmt::format("{} cycles in its rows and outside", all),
                           fmt::format("{}", summary.counts[format::kSummaryCycles])));
  }
  return stream.finish();
}

} // namespace kperf::decoder
