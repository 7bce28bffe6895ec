// Maps each warp to the slots among those being collected that hold its functions' streams.
#ifndef KPERF_RUNTIME_STREAM_INDEX_H
#define KPERF_RUNTIME_STREAM_INDEX_H

#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace kperf::runtime {

class StreamIndex {
public:
  struct Entry {
    format::WarpHeader header;
    std::uint64_t address; ///< of the header on the device
  };

  /// Takes a slot; `launch` is its gridId in the file.
  void add(const format::WarpHeader &header, std::uint64_t launch, std::uint64_t address) {
    const Warp warp{launch, header.block, header.warp};
    if (header.flags & KPERF_STREAM_PART)
      streams[warp].push_back({header, address});
    else
      kernels.insert(warp);
  }
  /// The streams of a warp, with the header that it has in the file; then they are gone.
  std::vector<Entry> take(const format::WarpHeader &warp) {
    const auto node = streams.extract(Warp{warp.gridId, warp.block, warp.warp});
    return node ? std::move(node.mapped()) : std::vector<Entry>();
  }
  /// Whether there are streams of a warp whose kernel has none of the slots.
  bool isForeign(const format::WarpHeader &warp) const {
    const Warp key{warp.gridId, warp.block, warp.warp};
    return streams.contains(key) && !kernels.contains(key);
  }

private:
  using Warp = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;
  std::map<Warp, std::vector<Entry>> streams;
  std::set<Warp> kernels;
};

} // namespace kperf::runtime

#endif
