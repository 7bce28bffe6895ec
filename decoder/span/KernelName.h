// The name of a warp's kernel.
#ifndef KPERF_DECODER_KERNEL_NAME_H
#define KPERF_DECODER_KERNEL_NAME_H

#include "decoder/span/RegionSet.h"

#include <string>
#include <string_view>

namespace kperf::decoder {

struct KernelName {
  std::string name;     ///< the instantiation's, else `plain`; behind it what distinguishingLabel() says
  std::string plain;    ///< the kernel's, or "kernel 0x…" when the region table lacks it
  std::uint32_t region; ///< index in the RegionSet, or kNone
};

/// What warps of one kernel have in common, in one trace.
struct KernelKey {
  std::uint32_t device, kernel; ///< kernel: the region's id
  std::uint64_t nameAddress;    ///< the instantiation's
  auto operator<=>(const KernelKey &) const = default;
};

/// Whether a shell pattern is meant for a kernel: for its whole name, for what the source calls it (`plain`), with or without its
/// namespaces or template arguments, or for the short name that tables show. An empty one is meant for all.
bool isMeant(std::string_view pattern, const std::string &name, std::string_view plain);

/// The same of a function in a table of regions or sites, which may have its macros behind it (CompiledFunction.h).
bool isFunctionMeant(std::string_view pattern, std::string_view function);

KernelName kernelNameOf(const Trace &trace, const RegionSet &regions, const format::WarpHeader &header);

/// What tells a kernel from others of its name (Namesakes.h); "" where no other kernel of the table has it. The same for the same build,
/// whatever ran. `kernel`: an index.
std::string distinguishingLabel(const RegionSet &regions, std::uint32_t kernel);

} // namespace kperf::decoder

#endif
