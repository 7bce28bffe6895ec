// How many launches a recorded one stands for, where each was recorded with a probability that the trace has.
#ifndef KPERF_DECODER_LAUNCH_WEIGHTS_H
#define KPERF_DECODER_LAUNCH_WEIGHTS_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

struct LaunchWeight {
  std::uint32_t oneIn; ///< launches of which one was to be recorded
  double launches;     ///< that there were for each recorded one, where the host's list has all; else oneIn
};

/// The host's list names no grid, so the k-th launch of a kernel there that was to be recorded is taken for the k-th grid of the kernel on
/// the device, where they are as many and of the same shapes.
class LaunchWeights final : public TraceVisitor {
public:
  /// Reads the launches of a trace, in place of those of another.
  Status read(const Trace &trace);
  /// Null where the launch was not chosen by chance, or it is not known which of the list it is.
  const LaunchWeight *of(std::uint32_t ordinal, std::uint64_t gridId) const;
  /// Whether there are some, in all traces that were read.
  bool areAnyKnown() const { return !matched.empty(); }
  /// Whether there are some, in all traces that were read, of kernels of that qualified name.
  bool areKnownOf(const std::string &kernel) const { return matched.contains(kernel); }

  void launches(std::span<const format::LaunchRecord> rows) override;
  void losses(std::span<const format::LossRecord> rows) override;
  void warps(const format::WarpsHeader &head) override { device = head.device; }
  void warp(const format::WarpHeader &header) override;

private:
  using Shape = std::array<std::uint32_t, 4>; ///< blocks of the grid, threads of a block
  /// Launches of one instance on a device that were recorded with the same probability, 1/oneIn.
  struct Stratum {
    std::uint32_t device = 0, instance = 0, oneIn = 0;
    std::uint64_t launches = 0, recorded = 0;
  };
  struct Listed {
    Shape shape;
    std::size_t stratum; ///< kNone: it was not chosen by chance
  };
  struct Kernel {
    std::vector<Listed> listed;           ///< those that were to be recorded
    std::map<std::uint64_t, Shape> grids; ///< by grid id
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t stratumOf(const format::LaunchRecord &row);
  std::vector<LaunchWeight> weights() const;
  Status visit(const Trace &trace, std::initializer_list<format::SectionKind> kinds);

  const Trace *trace = nullptr;
  std::uint32_t device = 0;
  bool isListComplete = true;
  std::map<std::uint32_t, std::string> nameOfRow;    ///< qualified, by the string of a launch's kernel
  std::map<std::uint32_t, std::string> nameOfRegion; ///< of kernels
  std::vector<Stratum> strata;
  std::map<std::array<std::uint32_t, 3>, std::size_t> stratumOfKey;      ///< by device, instance and oneIn
  std::map<std::pair<std::uint32_t, std::string>, Kernel> kernels;       ///< by device and qualified name
  std::map<std::pair<std::uint32_t, std::uint64_t>, LaunchWeight> known; ///< by device and grid id
  std::set<std::string> matched;
};

} // namespace kperf::decoder

#endif
