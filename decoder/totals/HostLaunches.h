// Counts by kernel the launches that the host made, including those of which no warp was kept.
#ifndef KPERF_DECODER_HOST_LAUNCHES_H
#define KPERF_DECODER_HOST_LAUNCHES_H

#include "decoder/io/Error.h"
#include "decoder/totals/LaunchIntervals.h"
#include "decoder/trace/Trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kperf::decoder {

class HostLaunches final : public TraceVisitor {
public:
  struct Sum {
    std::uint64_t launches = 0, warps = 0;
  };
  /// Launches of one instance of a kernel that has a copy without probes.
  struct Choices {
    std::uint64_t probed = 0, plain = 0;
    LaunchIntervals intervals;  ///< by which they were chosen
    bool isOfSummaries = false; ///< as a reduced trace says, whose sums are of all of them
  };

  /// Adds the launches of a trace, but for those that only put a kernel into a graph, those of kernels that its build records no warps of,
  /// and those of which nothing was to be recorded.
  Status add(const Trace &trace);
  void launches(std::span<const format::LaunchRecord> rows) override;
  void losses(std::span<const format::LossRecord> rows) override;
  void summary(const format::SummaryRecord &record) override;
  void sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) override;

  using Shape = std::array<std::uint32_t, 6>; ///< blocks of the grid, threads of a block
  /// Of all instances of the kernel of that qualified name, on the device of that ordinal.
  Sum of(std::uint32_t ordinal, std::string_view kernel) const;
  /// All of these, by ordinal and qualified name.
  const std::map<std::pair<std::uint32_t, std::string>, Sum> &byKernel() const { return sums; }
  /// How many instances of the kernel of that qualified name the host tells apart; 0: it does not name them, or not in all launches.
  std::size_t instancesOf(std::string_view kernel) const;
  /// Of launches of that shape whose kernel the host did not name.
  Sum ofUnnamed(std::uint32_t ordinal, const Shape &shape) const;

  /// By demangled name, of reduced traces by that of the kernel: those of which some launches ran the copy without probes.
  std::map<std::string, Choices> withoutProbes() const;
  /// By qualified name: launches of kernels that no trace's build has probes for that take times, where it has some for others.
  std::map<std::string, std::uint64_t> untimed() const;
  Choices all() const;
  /// Warps of any kernel for which there was no room on the device.
  std::uint64_t warpsWithoutBuffer() const { return lostWarps; }
  /// Whether the user switched kernels or regions off.
  bool areSomeOff() const { return hasSwitchedOff; }

private:
  const Trace *trace = nullptr;
  std::set<std::string> recorded;              ///< by the current trace's build
  std::set<std::string> everRecorded;          ///< by any trace's build
  std::map<std::string, std::uint64_t> others; ///< launches of what the trace's build does not record
  std::map<std::pair<std::uint32_t, std::string>, Sum> sums;
  std::map<std::pair<std::uint32_t, Shape>, Sum> unnamed;
  std::uint64_t lostWarps = 0;
  bool hasSwitchedOff = false;
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> instances; ///< names as they were launched, by qualified name
  std::map<std::string, Choices, std::less<>> choices;                              ///< by demangled name
  /// Of the reduced trace that is read: the kernel of each summary, if it is one by region, and its launches.
  std::vector<std::pair<std::string, std::uint64_t>> summaries;
};

/// "ns::gemm" of "void ns::gemm<float>(float const*, int)": a demangled name without its type, arguments and parameters. An anonymous
/// namespace is called as nvcc and Clang do, GCC's too.
std::string qualifiedNameOf(std::string_view demangled);

/// Qualified names of the kernels whose warps the trace's build records.
std::set<std::string> recordedKernels(const Trace &trace);

} // namespace kperf::decoder

#endif
