// The notes of a report: what its reader must know about the numbers, each with a remedy where there is one.
#ifndef KPERF_DECODER_REPORT_NOTES_H
#define KPERF_DECODER_REPORT_NOTES_H

#include "decoder/totals/KernelTotals.h"
#include "decoder/totals/LaunchTimes.h"

#include <string>
#include <vector>

namespace kperf::decoder {

/// "1 launch", "2 launches".
std::string counted(std::uint64_t count, std::string_view what);
/// "1 launch is", "2 launches are".
std::string countedAre(std::uint64_t count, std::string_view what);

/// "12.3 %", with as many digits as keep a small share from reading 0 and a large one from reading 100.
std::string percentText(double part, double whole);

/// Of regions that share an id although they differ; "" where none do.
std::string sharedIdNote(const RegionSet &regions);

/// Notes about one kernel's numbers.
std::vector<std::string> kernelNotes(const KernelTotals &kernel, const LaunchLedger::Group &launches, const ClockRate &rate,
                                     const ProbeCost &cost, const RegionSet &regions);

/// How an overhead was measured, and how sure it is.
std::string measuredNote(const std::string &kernel, const MeasuredOverhead &overhead);

/// Adds what there is to say where not all blocks were recorded; `what`: of the numbers, "": that they are no estimate.
Status addSampleNote(std::vector<std::string> &notes, std::span<const Trace> traces, std::string_view what = "");

inline constexpr std::string_view kNoEstimateOfLaunches = "what is shown is of those, not an estimate for all launches";
/// The same where an overhead budget chose the launches that were recorded.
Status addLaunchSampleNote(std::vector<std::string> &notes, std::span<const Trace> traces, std::string_view what = kNoEstimateOfLaunches);

/// Notes about whole traces: incomplete files, losses that the runtime reported. One pass over each file. `weights`: by which launches that
/// were chosen by chance were counted, of which kernelNotes() say so.
Expected<std::vector<std::string>> traceNotes(std::span<const Trace> traces, const LaunchWeights *weights = nullptr);

} // namespace kperf::decoder

#endif
