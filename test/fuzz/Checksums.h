// Right checksums for the sections of a damaged trace, so that what comes behind them is reached.
#ifndef KPERF_TEST_CHECKSUMS_H
#define KPERF_TEST_CHECKSUMS_H

#include <cstddef>
#include <span>

namespace kperf::test {

/// Sets the checksum of each section up to the first that reaches beyond the end, and the count in the End section.
void repairChecksums(std::span<std::byte> trace);

} // namespace kperf::test

#endif
