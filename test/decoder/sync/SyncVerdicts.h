// What SyncGraph says of the waits of one block, as text.
#ifndef KPERF_TEST_DECODER_SYNC_VERDICTS_H
#define KPERF_TEST_DECODER_SYNC_VERDICTS_H

#include <string>

namespace kperf::test {

/// The verdict on each wait of the block, by warp and begin: "600..1020 by 1 at 1000", "… not", "… ? reason", "… others
/// at 5"; a flight's is "by flight of 0 at 1000".
std::string verdicts(const std::string &warps, const std::string &target = "host");

} // namespace kperf::test

#endif
