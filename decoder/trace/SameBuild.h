// Tells whether several traces are of one build and one clock, so that their numbers may be added.
#ifndef KPERF_DECODER_SAMEBUILD_H
#define KPERF_DECODER_SAMEBUILD_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// "virtual clock" or "wall clock", which a trace of the host target has its times of; "" of others, and where it does not say.
std::string_view hostClock(const Trace &trace);

/// Whose times these are, in one line, where they are not a GPU's; else "".
std::string originOf(const Trace &trace);

/// An error when the two have their times of different clocks.
Status checkSameClock(const Trace &first, const Trace &other);

/// An error when traces are not of one target and clock, or not of builds of one source, so that their numbers cannot be added. Builds of
/// one source may record other things: ids are made of the source, and no two may have another region or access of one id. `traces`: at
/// least one.
Status checkSameBuild(std::span<const Trace> traces);

/// What a build's probes record, as of its traces: "regions, waits, memory accesses"; "launches" when nothing of that.
std::string probesOf(const Trace &trace);

/// What a table's rows are sums of.
enum class Summands { Times, Accesses };

/// Whether a trace has any of these.
bool hasSummands(const Trace &trace, Summands summands);

/// "2 builds, a.kperf (regions) and b.kperf (regions, waits)" when those of the traces that have such numbers are of several, else "".
/// Builds of one source are told apart by their ids, and by whether they count accesses, which is in no id.
std::string mixedBuilds(std::span<const Trace> traces, Summands summands);

/// A note for tables whose rows are sums over runs of several builds; "" where they are not.
std::string mixedBuildsNote(std::span<const Trace> traces, Summands summands);

} // namespace kperf::decoder

#endif
