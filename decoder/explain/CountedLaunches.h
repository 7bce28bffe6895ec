// Counts each kernel's launches in the traces that count memory accesses, since the traces that time it may have other numbers of launches.
#ifndef KPERF_DECODER_COUNTED_LAUNCHES_H
#define KPERF_DECODER_COUNTED_LAUNCHES_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// Launches and the warps of their grids, whether or not any of these was recorded.
struct LaunchCount {
  std::uint64_t launches = 0, warps = 0;
};

/// By how much counters of `counted` launches have to be multiplied to be those of `timed` ones; nothing where launches of the two differ
/// in size as well, or there are none.
std::optional<double> scaleOfCounters(const LaunchCount &timed, const LaunchCount &counted);

class CountedLaunches final : private TraceVisitor {
public:
  static Expected<CountedLaunches> read(std::span<const Trace> traces);

  /// Of all instances of the kernel of that qualified name (HostLaunches.h): as the host lists them, or where more of them have warps, or
  /// are in a reduced trace, as those say.
  LaunchCount of(const std::string &kernel) const;
  /// How many instances of that kernel are told apart there, at least.
  std::size_t instancesOf(const std::string &kernel) const;
  /// Qualified names of the kernels that were launched, as far as they are known: on the host target not of kernels without regions.
  std::vector<std::string> launchedKernels() const;

private:
  void launches(std::span<const format::LaunchRecord> rows) override;
  void warps(const format::WarpsHeader &head) override { device = head.device; }
  void warp(const format::WarpHeader &warp) override;
  void summary(const format::SummaryRecord &summary) override;
  void sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) override;
  std::uint64_t warpsOf(std::uint32_t device, std::uint64_t blocks, std::uint64_t threads) const;
  std::string kernelOf(std::uint32_t id) const;

  const Trace *trace = nullptr;
  std::uint32_t device = 0; ///< of the section of warps
  /// Of the reduced trace: the kernel of each summary, and its launches; none of one by path alone.
  std::vector<std::pair<std::string, LaunchCount>> summaries;
  std::map<std::string, LaunchCount> listed, seen; ///< by qualified name
  using Names = std::map<std::string, std::set<std::string>>;
  Names listedInstances, seenInstances;                        ///< names with arguments, by qualified name
  std::set<std::pair<std::uint32_t, std::uint64_t>> seenGrids; ///< of the trace, by device and grid id
};

} // namespace kperf::decoder

#endif
