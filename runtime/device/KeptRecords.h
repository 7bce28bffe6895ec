// Selects the records of a warp's slot that go into the file.
#ifndef KPERF_RUNTIME_KEPT_RECORDS_H
#define KPERF_RUNTIME_KEPT_RECORDS_H

#include <kperf/format.h>

#include <cstddef>
#include <vector>

namespace kperf::runtime {

/// Appends a warp's header and its kept records, oldest first, to `out`. `slot` holds header.capacity records; keepLast: they are a ring of
/// the last ones; `chunk`: the records that a lane took at once where the header says kWarpInChunks. Sets header.produced where the device
/// left that open.
void appendRecords(std::vector<std::byte> &out, format::WarpHeader &header, const format::Record *slot, bool keepLast, std::uint32_t chunk);

} // namespace kperf::runtime

#endif
