// Reads how the clocks of hosts stand to each other, as `kperf timeline --compare-clocks` wrote it.
#ifndef KPERF_DECODER_HOST_CLOCKS_H
#define KPERF_DECODER_HOST_CLOCKS_H

#include "decoder/io/Error.h"
#include "decoder/timeline/ClockLine.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kperf::decoder {

using Boot = std::array<unsigned char, 16>; ///< as format::ClockRecord::boot

/// What one exchange found: when a host's clock stood between the first two, the leader's stood at the last. All in ns since 1970.
struct ClockExchange {
  Boot leader, host;
  std::uint64_t fromNs, toNs, leaderNs;

  /// A line of a file of them, new line included.
  std::string text() const;
};

class HostClocks {
public:
  /// `path`: a file, or a folder, of which all files whose names end in ".clocks" are read.
  static Expected<HostClocks> read(const std::string &path);

  /// A host by whose clock all of these can be placed, one of them where that is possible.
  std::optional<Boot> leaderOf(const std::set<Boot> &boots) const;
  /// The leader's clock by that of the host; null where they did not exchange them. The leader has none to itself.
  const ClockLine *line(const Boot &leader, const Boot &host) const;

private:
  Status add(std::string_view text, const std::string &name);
  void finish();

  std::map<Boot, std::map<Boot, ClockLine>> lines; ///< by leader, then by host
};

} // namespace kperf::decoder

#endif
