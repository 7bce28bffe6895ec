// What an instruction of the machine code asks of a multiprocessor's tensor cores.
#ifndef KPERF_TOOL_PLACEMENT_TENSORWORK_H
#define KPERF_TOOL_PLACEMENT_TENSORWORK_H

#include "tool/placement/Work.h"

#include <optional>
#include <string_view>

namespace kperf::placement {

/// "HGMMA.64x160x16.F32" of "@P0 HGMMA.64x160x16.F32 R24, …", which multiplies matrices on tensor cores; "" of other instructions.
std::string_view productName(std::string_view instruction);

/// Of the instruction that productName() gives. Nothing where its shape is not known: sparse products, the first tensor cores' (HMMA.884).
std::optional<Work> tensorWorkOf(std::string_view product, std::string_view architecture);

} // namespace kperf::placement

#endif
