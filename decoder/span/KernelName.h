// What a warp's kernel is called.
#ifndef KPERF_DECODER_KERNEL_NAME_H
#define KPERF_DECODER_KERNEL_NAME_H

#include "decoder/span/RegionSet.h"

#include <fmt/format.h>
#include <string>

namespace kperf::decoder {

struct KernelName {
  std::string name;     ///< the instantiation's, else `plain`
  std::string plain;    ///< the kernel's, or "kernel 0x…" when the region table lacks it
  std::uint32_t region; ///< index in the RegionSet, or kNone
};

inline KernelName kernelNameOf(const Trace &trace, const RegionSet &regions, const format::WarpHeader &header) {
  KernelName out{.name = std::string(trace.string(header.nameAddress)),
                 .plain = {},
                 .region = regions.find(header.kernel & format::kIdMask)};
  out.plain = out.region == RegionSet::kNone ? fmt::format("kernel {:#x}", header.kernel) : regions[out.region].name;
  if (out.name.empty())
    out.name = out.plain;
  return out;
}

} // namespace kperf::decoder

#endif
