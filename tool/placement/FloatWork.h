// What an instruction of the machine code asks of a multiprocessor's floating-point units, those beside the tensor cores.
#ifndef KPERF_TOOL_PLACEMENT_FLOATWORK_H
#define KPERF_TOOL_PLACEMENT_FLOATWORK_H

#include "tool/placement/Work.h"

#include <string_view>

namespace kperf::placement {

/// "FFMA" of "@P0 FFMA.FTZ R1, R2, R3, R1", which adds or multiplies; "HFMA2.BF16_V2" where the rate depends on the type; "" of other
/// instructions, of conversions ("HADD2.F32") and of constants ("HFMA2 R1, -RZ, RZ, 0, 0") that go by such names.
std::string_view floatName(std::string_view instruction);

/// Of the instruction that floatName() gives, in all 32 lanes.
Work floatWorkOf(std::string_view name, std::string_view architecture);

} // namespace kperf::placement

#endif
