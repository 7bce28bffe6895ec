// Makes the table of how many of each region's instructions are inside and outside its clock reads.
#ifndef KPERF_TOOL_PLACEMENT_PLACEMENTTABLE_H
#define KPERF_TOOL_PLACEMENT_PLACEMENTTABLE_H

#include "decoder/table/Table.h"

#include <string>

namespace kperf::placement {

/// What kperf verify says of a program: one row for each region of each kernel of each architecture whose name matches the shell pattern
/// `kernel`; "" for all. Fails where nvdisasm is not to be found, where the machine code does not say which lines it comes from, and where
/// no clock read of a region is in it.
decoder::Expected<decoder::Table> placementTable(const std::string &program, const std::string &kernel);

} // namespace kperf::placement

#endif
