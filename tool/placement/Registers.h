// Which registers an instruction of the machine code reads and writes, and which number it has.
#ifndef KPERF_TOOL_PLACEMENT_REGISTERS_H
#define KPERF_TOOL_PLACEMENT_REGISTERS_H

#include <cstdint>
#include <string_view>

namespace kperf::placement {

/// "R12" of "@P0 CS2R.32 R12, SR_CLOCKLO": the first operand; empty where that is a place in memory.
std::string_view destinationOf(std::string_view instruction);

/// Whether a source operand is the register, or of 64 or 128 bits and holds it, as R12 of "STG.E.128 desc[UR10][R2.64], R12" holds R13.
bool isReadBy(std::string_view instruction, std::string_view reg);

/// The number behind the last "0x" of an instruction; 0 without one.
std::uint32_t immediateIn(std::string_view instruction);

} // namespace kperf::placement

#endif
