// A table of the sites where the machine executes something else than the source says.
#ifndef KPERF_DECODER_MACHINE_TABLE_H
#define KPERF_DECODER_MACHINE_TABLE_H

#include "decoder/memory/MemoryTotals.h"
#include "decoder/table/Table.h"

#include <string>

namespace kperf::decoder {

/// One row for each site that was reached whose instructions are not one for each of its accesses.
Table machineTable(const MemoryTotals &totals);

/// Whether what is counted is the machine's or the source's.
std::string machineNote(const MemoryTotals &totals, format::Target target);

} // namespace kperf::decoder

#endif
