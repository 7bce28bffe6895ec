// The defaults of a warp's fields that its text form leaves out, shared by dump and pack.
#ifndef KPERF_DECODER_TEXT_DEFAULTS_H
#define KPERF_DECODER_TEXT_DEFAULTS_H

#include <kperf/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace kperf::decoder {

struct TextDefaults {
  /// A finished warp of a one-block launch with room for its `kept` records.
  static format::WarpHeader warp(std::uint64_t kept, std::uint32_t kernel) {
    format::WarpHeader out{};
    out.gridId = 1;
    out.kernel = kernel;
    out.produced = static_cast<std::uint32_t>(kept);
    out.capacity = static_cast<std::uint32_t>(std::bit_ceil(std::clamp<std::uint64_t>(kept, 64, 1u << 31)));
    out.gridX = out.gridY = out.gridZ = 1;
    out.blockX = 32;
    out.blockY = out.blockZ = 1;
    out.flags = format::kWarpFinished;
    return out;
  }

  /// A further part of `warp`, which reserves its records.
  static format::WarpHeader more(format::WarpHeader warp, std::uint64_t kept) {
    const format::WarpHeader usual = TextDefaults::warp(kept, warp.kernel);
    warp.produced = usual.produced;
    warp.capacity = usual.capacity;
    warp.skipped = 0;
    warp.flags = (warp.flags & format::kWarpFinished) | format::kWarpReserved | format::kWarpContinued;
    return warp;
  }
};

} // namespace kperf::decoder

#endif
