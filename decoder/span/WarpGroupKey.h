// The key of warps that belong together: those of a block, or of all blocks that a launch has on an SM.
#ifndef KPERF_DECODER_WARP_GROUP_KEY_H
#define KPERF_DECODER_WARP_GROUP_KEY_H

#include <cstddef>
#include <cstdint>

namespace kperf::decoder {

struct WarpGroupKey {
  std::uint64_t gridId, number; ///< number: of the block or the SM
  std::uint32_t device, kernel; ///< indexes
  bool operator==(const WarpGroupKey &) const = default;

  struct Hash {
    std::size_t operator()(const WarpGroupKey &key) const {
      return ((key.gridId * 0x9e3779b97f4a7c15 + key.number) * 0xff51afd7ed558ccd + key.device) * 31 + key.kernel;
    }
  };
};

} // namespace kperf::decoder

#endif
