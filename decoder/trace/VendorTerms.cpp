// The table of words, by the beginning of an architecture's name.
#include "decoder/trace/VendorTerms.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr VendorTerms kNvidia{.warp = "warp",
                              .block = "block",
                              .sm = "SM",
                              .sharedMemory = "shared memory",
                              .passes = "wavefronts",
                              .sumsOfWarp = "__reduce_add_sync, __match_any_sync",
                              .ownSums =
                                  "atomicAdd(p, 1) whose result is not used (one turn for an address on an H100, counted like others)"};
constexpr VendorTerms kAmd{.warp = "wavefront",
                           .block = "workgroup",
                           .sm = "CU",
                           .sharedMemory = "LDS",
                           .passes = "LDS passes",
                           .sumsOfWarp = "__shfl_xor, __ballot",
                           .ownSums = ""};

} // namespace

const VendorTerms &termsOf(std::string_view architecture) { return architecture.starts_with("gfx") ? kAmd : kNvidia; }

const VendorTerms &termsOf(const Trace &trace) {
  const auto isAmd = [&](const format::DeviceRecord &device) { return &termsOf(trace.string(device.architecture)) == &kAmd; };
  return !trace.devices().empty() && std::ranges::all_of(trace.devices(), isAmd) ? kAmd : kNvidia;
}

std::string glossaryOf(const Trace &trace) {
  const VendorTerms &terms = termsOf(trace);
  if (&terms == &kNvidia)
    return {};
  return fmt::format("{} is an AMD GPU's: a warp is a {}, a block a {}, an SM a {}, shared memory {}", trace.name(), terms.warp,
                     terms.block, terms.sm, terms.sharedMemory);
}

} // namespace kperf::decoder
