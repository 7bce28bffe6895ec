// What a kernel's machine code is called in traces.
#ifndef KPERF_TOOL_PLACEMENT_KERNELSYMBOL_H
#define KPERF_TOOL_PLACEMENT_KERNELSYMBOL_H

#include "tool/placement/ClockReads.h"
#include "tool/placement/Listing.h"
#include "tool/placement/Program.h"

#include <span>
#include <string>
#include <string_view>

namespace kperf::placement {

/// "attention<64>" of "void attention<64>(float*, int)", as traces name kernels.
std::string kernelName(std::string_view mangled);

/// " (file.cu)", or what else traces have behind the kernel's name (decoder/trace/Namesakes.h) where several in the table of regions have
/// the name. "" where it is the only one, and where its instructions' lines don't say which of them it is. `places`: by
/// Instruction::places.
std::string namesakeLabel(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions);

} // namespace kperf::placement

#endif
