// Makes the table of how many of each region's instructions are inside and outside its clock reads.
#ifndef KPERF_TOOL_PLACEMENT_PLACEMENTTABLE_H
#define KPERF_TOOL_PLACEMENT_PLACEMENTTABLE_H

#include "decoder/table/Table.h"
#include "tool/placement/Disassembly.h"
#include "tool/placement/Program.h"

#include <span>
#include <string>

namespace kperf::placement {

/// One row for each region of each kernel of each architecture whose name matches the shell pattern `kernel`; "" for all. Fails where the
/// machine code does not say which lines it comes from, and where no clock read of a region is in it.
decoder::Expected<decoder::Table> placementTable(const Program &program, std::span<const Disassembly> code, const std::string &path,
                                                 const std::string &kernel);

} // namespace kperf::placement

#endif
