// What a reduced trace has in place of its warps: the payload of its Summaries section, which belongs to format.h.
#ifndef KPERF_FORMAT_SUMMARY_H
#define KPERF_FORMAT_SUMMARY_H

#include <kperf/format.h>

namespace kperf::format {

/// Indices of SummaryRecord::counts: sums over the recorded warps of one kernel on one device, except where it says so.
enum SummaryCounter : unsigned {
  kSummaryLaunches,
  kSummaryTimedLaunches, ///< launches with a finished warp
  kSummaryDurationNs,    ///< of those: latest end − earliest start
  kSummaryWarpsLaunched, ///< by grid and block
  kSummaryWarps,
  kSummaryUnfinishedWarps,
  kSummaryDamagedWarps, ///< whose clocks ran backwards: in no other sum
  kSummaryForeignWarps,
  kSummaryCycles,       ///< of the warps' lives; the self times of the rows, unattributed and not-recorded add up to it
  kSummaryUnattributed, ///< cycles outside of all regions
  kSummaryNotRecorded,  ///< cycles from which records were dropped, or of which only the low words were summed up
  kSummaryMaxRecords,   ///< greatest number of records that one warp had room for
  // Records: produced = dropped + spans + 2 pairs + unmatched begins and ends + marks + sums + empty + stale + damaged.
  kSummaryProduced,
  kSummaryDropped,
  kSummarySpans,
  kSummaryPairs,
  kSummaryUnmatchedBegins,
  kSummaryUnmatchedEnds,
  kSummaryMarks,
  kSummaryEmpty,
  kSummaryStale,
  kSummaryDamaged,
  // Probes of entries whose cost is measured: of the warps' own parts, of their shared parts; and those, marks and signals too, with no
  // region around.
  kSummaryOwnProbes,
  kSummarySharedProbes,
  kSummaryOwnOnTop,
  kSummarySharedOnTop,
  kSummarySums, ///< records, one or two for each region that a warp summed up: they are in `produced` too
  kSummaryCounters
};

enum SummaryFlags : std::uint32_t {
  kSummaryByRegion = 1,   ///< one row for each region
  kSummaryByPath = 2,     ///< one row for each region under the regions around it; both flags where no region is inside another
  kSummaryKeepsLast = 4,  ///< a warp kept its last records
  kSummaryGridVaries = 8, ///< `grid` is that of one launch
  kSummaryBlockVaries = 16,
  kSummaryOthersPlain = 32, ///< all warps are kWarpOthersPlain (since 1.21)
};

/// What the warps of one kernel on one device add up to. Records of the same kernel, name, device and kind of rows add up
/// again. `rows` rows follow: each a SummaryRowRecord, its lengths, its multiprocessors.
struct SummaryRecord {
  std::uint32_t device;
  std::uint32_t kernel;   ///< region id of the kernel
  std::uint32_t name;     ///< string: the instantiation's, 0 when not a template
  std::uint32_t flags;    ///< SummaryFlags
  std::uint32_t grid[3];  ///< blocks
  std::uint32_t block[3]; ///< threads
  std::uint32_t rows;
  std::uint32_t sampled; ///< N: one block in N was recorded, at worst, and cycles and counts of rows are estimates; 0: all (since 1.4)
  // The clock: sums of squares about the means of each launch and multiprocessor, of (cycles, ns) pairs. IEEE 754, finite, not
  // negative; ns over a cycle is the second over the first.
  double cyclesCycles;
  double cyclesNs;
  double nsNs;
  std::uint64_t clockPoints;
  std::uint64_t clockGroups;
  std::uint64_t counts[kSummaryCounters];
};
static_assert(sizeof(SummaryRecord) == 304 && offsetof(SummaryRecord, cyclesCycles) == 48 && offsetof(SummaryRecord, counts) == 88);

/// Indices of SummaryRowRecord::counts.
enum SummaryRowCounter : unsigned {
  kRowCount,       ///< entries, or marks; entries that are in no length and not summed are of unknown time
  kRowOverlapping, ///< entries that cross others: in no self time
  kRowSelf,        ///< cycles without those of regions inside
  kRowTotal,       ///< cycles between entry and exit; recursion counted once
  kRowSum,         ///< cycles of all entries, recursion and all
  kRowMin,         ///< cycles of the shortest entry
  kRowMax,         ///< of the longest
  kRowUnmatchedBegins,
  kRowUnmatchedEnds,
  kRowWarps,     ///< that entered the region
  kRowMaxInWarp, ///< greatest total of one warp
  // Probes in the sums above, of own and shared parts: of the entries in the total, inside those, of the entries in the
  // self time, next inside those, marks and signals included. Those of the second regions of Adjacent records that are inside count as ones
  // of the total's entries. Outermost ones are 0 where entries in the total hold probes that nobody counted.
  kRowOutermostOwn,
  kRowOutermostShared,
  kRowInsideOwn,
  kRowInsideShared,
  kRowNestedOwn,
  kRowNestedShared,
  kRowChildrenOwn,
  kRowChildrenShared,
  kRowSummed, ///< entries that warps summed up: in no length (see SummedLengthsRecord)
  kSummaryRowCounters
};

enum SummaryRowFlags : std::uint32_t {
  kRowOverlaps = 1,        ///< by path: entries that cross others stand in a row of their own
  kRowExact = 2,           ///< lengths are the entries' own, one std::uint64_t each; else LengthBuckets
  kRowWithoutExtremes = 4, ///< the shortest and the longest entry are not known: kRowMin and kRowMax are 0 (since 1.4)
  kRowRecursive = 8,       ///< entries lie inside of others of the row: kRowTotal counts those once, kRowSum each time (since 1.19)
};

/// One region, or one path of regions. `lengths` lengths of its entries follow, then for multiprocessors 0 to
/// `multiprocessors` − 1 the cycles (std::uint64_t) of the row's total on each.
struct SummaryRowRecord {
  std::uint32_t region; ///< id; 0 for what was not kept apart
  std::uint32_t parent; ///< the row around it, the first one being 1; 0 for none; always less than its own number
  std::uint32_t flags;  ///< SummaryRowFlags
  std::uint32_t lengths;
  std::uint32_t multiprocessors;
  std::uint32_t reserved; ///< 0
  std::uint64_t counts[kSummaryRowCounters];
};
static_assert(sizeof(SummaryRowRecord) == 184 && offsetof(SummaryRowRecord, counts) == 24);

/// Entries whose length, in cycles, lies in one bucket. Bucket b below kLinearBuckets holds the length b alone. Above, each
/// power of two has kLinearBuckets buckets: with octave e = b / kLinearBuckets and i = b % kLinearBuckets it holds lengths from
/// (kLinearBuckets + i) · 2^(e−1) to below (kLinearBuckets + i + 1) · 2^(e−1), so that its middle is within 1/256 of
/// each. Buckets ascend; where a count does not fit, the bucket stands several times.
struct LengthBucket {
  std::uint32_t bucket; ///< less than kLengthBuckets
  std::uint32_t count;
};
static_assert(sizeof(LengthBucket) == 8);
inline constexpr std::uint32_t kLinearBuckets = 128;
inline constexpr std::uint32_t kLengthBuckets = 58 * kLinearBuckets;

/// How long the entries of a row were that warps summed up by powers of two (format.h's kLengthPowers): together no more than its
/// kRowSummed. Records of one row add up.
struct SummedLengthsRecord {
  std::uint32_t summary; ///< which of the file's SummaryRecords, the first one being 1
  std::uint32_t row;     ///< which of its rows, the first one being 1
  std::uint64_t counts[kLengthPowers];
};
static_assert(sizeof(SummedLengthsRecord) == 272 && offsetof(SummedLengthsRecord, counts) == 8);

/// How many probes of marks and signals the entries in a row's total hold, of own and shared parts; of a kernel's all, without a row.
/// Records of one row add up.
struct MarkProbesRecord {
  std::uint32_t summary; ///< which of the file's SummaryRecords, the first one being 1
  std::uint32_t row;     ///< which of its rows, the first one being 1; 0: the kernel
  std::uint64_t own;
  std::uint64_t shared;
};
static_assert(sizeof(MarkProbesRecord) == 24 && offsetof(MarkProbesRecord, own) == 8);

/// Some of a summary's launches were recorded, each chosen by chance, and stand for the others too: its launches, duration, warps, cycles
/// and the rows' counts and cycles are estimates for all. One record of a summary at most.
struct SampledLaunchesRecord {
  std::uint32_t summary;       ///< which of the file's SummaryRecords, the first one being 1
  std::uint32_t least, most;   ///< N of 1 launch in N, which may change as the program runs: from 1 on
  std::uint32_t reserved;      ///< 0
  std::uint64_t launches;      ///< recorded, of the summary's
  std::uint64_t warpsLaunched; ///< of their grids
  std::uint64_t durationNs;    ///< theirs
};
static_assert(sizeof(SampledLaunchesRecord) == 40 && offsetof(SampledLaunchesRecord, launches) == 16);

} // namespace kperf::format

#endif
