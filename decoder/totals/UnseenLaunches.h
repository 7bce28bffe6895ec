// Finds out which kernels were launched without a warp that was kept.
#ifndef KPERF_DECODER_UNSEEN_LAUNCHES_H
#define KPERF_DECODER_UNSEEN_LAUNCHES_H

#include "decoder/totals/HostLaunches.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

/// A kernel, or one instance of it, that has warps in the traces, whether or not they are asked for.
struct SeenKernel {
  std::uint32_t device, ordinal;              ///< device: among all traces; ordinal: as the host's list has it
  std::string name;                           ///< qualified, as that of other instances
  HostLaunches::Shape shape{};                ///< of its launches, or of the first
  bool isOneShape = true;                     ///< of all its launches
  bool isForeign = false;                     ///< its launches are not counted by its warps
  bool isAmbiguous = false;                   ///< others of its name were built that need not have been launched
  bool isInstance = false;                    ///< of a template
  std::optional<HostLaunches::Sum> seen = {}; ///< launches with a warp, and all of their warps; nothing where it is not asked for
};

/// Of each kernel the launches of which nothing was kept, as far as the host's list tells whose they are: by the kernel's name, where that
/// has one instance, or where the host knows no names by a grid and block that only one kernel has.
std::vector<HostLaunches::Sum> unseenLaunches(std::span<const SeenKernel> kernels, const HostLaunches &launches);

/// Launches of kernels of one qualified name that left no warp, and that unseenLaunches() gives to none of them.
struct UnseenKernel {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t listed = 0;  ///< of that name
  std::size_t instances = 0; ///< that have warps
};

/// What is known of launches without warps.
struct UnseenSum {
  std::vector<UnseenKernel> kernels;
  std::vector<UnseenKernel> untimed;    ///< the build has no probes for them that take times
  std::vector<UnseenKernel> plain;      ///< all launches ran a copy without probes
  std::uint64_t warpsWithoutBuffer = 0; ///< of any kernel
  bool areSomeOff = false;              ///< by the user's wish

  bool areNone() const { return kernels.empty() && untimed.empty() && plain.empty(); }
};

/// `pattern`: which are asked for (isMeant() of decoder/span/KernelName.h).
UnseenSum sumOfUnseen(std::span<const SeenKernel> kernels, const HostLaunches &launches, const std::string &pattern);

} // namespace kperf::decoder

#endif
