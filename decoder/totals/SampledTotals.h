// A kernel's sums where one block in N was recorded, and their estimates for all of its blocks.
#ifndef KPERF_DECODER_SAMPLED_TOTALS_H
#define KPERF_DECODER_SAMPLED_TOTALS_H

#include "decoder/totals/LaunchLedger.h"
#include "decoder/totals/SampledBlocks.h"

#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

struct KernelTotals;
struct LaunchWeight;
struct WarpSpans;
struct WarpSums;

/// Notes what of a warp's sums is to be multiplied, where its blocks were sampled or its launch was (`launch` is not null); before they are
/// added. `sums` are by node, those of `touched`.
void addSampled(KernelTotals &kernel, const WarpSpans &warp, const LaunchWeight *launch, std::uint64_t warpsOfBlock,
                std::uint64_t notRecorded, std::span<const std::uint32_t> touched, std::span<const WarpSums> sums);

/// Adds up whose probes ran, and whose will. `launches`: for which the warp's stands.
void addProbed(KernelTotals &kernel, const WarpSpans &warp, std::uint64_t warpsOfBlock, double launches, bool isHost,
               std::span<const std::uint32_t> touched, std::span<const WarpSums> sums);

/// The stratum that the warp belongs to; a new one where there is none. `launch`: not null where its launch was chosen.
std::size_t stratumOf(std::vector<SampleStratum> &strata, const format::WarpHeader &warp, const LaunchWeight *launch);

/// Notes how many blocks the launches of strata have that are certain to be seen. `isCut`: none is, for some found no room.
void setLaunchedBlocks(std::vector<SampleStratum> &strata, const LaunchLedger::Group &launches, bool isCut);

/// Whether fewer warps were recorded than chance leaves out, by four standard deviations: blocks are chosen each by itself, as a whole.
bool isFewerThanChosen(const KernelTotals &kernel, const LaunchLedger::Group &launches);
/// `oneIn`: how many blocks one of the warps' blocks stands for.
bool isFewerThanChosen(const LaunchLedger::Group &launches, std::uint32_t oneIn);

/// Whether recorded launches of any of them stand for others.
bool areLaunchesSampled(std::span<const KernelTotals> kernels);

/// Makes estimates for all blocks of a kernel's counts, cycles and warps. Records and the lengths of entries stay those
/// that there are.
void estimateKernel(KernelTotals &kernel, const LaunchLedger::Group &launches);

} // namespace kperf::decoder

#endif
