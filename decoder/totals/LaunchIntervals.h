// Between which numbers of launches lie those of which one was to be recorded.
#ifndef KPERF_DECODER_LAUNCH_INTERVALS_H
#define KPERF_DECODER_LAUNCH_INTERVALS_H

#include <algorithm>
#include <cstdint>

namespace kperf::decoder {

struct LaunchIntervals {
  std::uint32_t least = 0, most = 0; ///< 0: no launch was chosen by chance

  void add(std::uint32_t oneIn) {
    if (oneIn == 0)
      return;
    least = least == 0 ? oneIn : std::min(least, oneIn);
    most = std::max(most, oneIn);
  }
};

} // namespace kperf::decoder

#endif
