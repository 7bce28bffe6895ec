// Reads kperf's region tables and the machine code from a program.
#ifndef KPERF_TOOL_PLACEMENT_PROGRAM_H
#define KPERF_TOOL_PLACEMENT_PROGRAM_H

#include "decoder/io/Error.h"

#include <kperf/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kperf::placement {

/// Of a program, and of what is unpacked from it.
constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;

/// A row of a region table.
struct Region {
  std::uint32_t id = 0; ///< as in the trace
  format::RegionKind kind{};
  std::string name, function, file;
  std::uint32_t line = 0, endLine = 0; ///< 1-based; endLine is not before line
  std::uint32_t next = 0;              ///< id of the region that begins with the clock read that this one ends with, or 0
  bool isPragma = false;               ///< `line` is that of a pragma, above the statement; of a declaration's the kind is Range
};

/// Whether it has a begin and an end, at which its probe reads the clock.
bool isSpan(format::RegionKind kind);

struct Program {
  std::vector<Region> regions;
  std::vector<std::string> binaries; ///< a cubin, or fat binaries, of which each may hold several; without what was linked into another
  bool isCubin = false;
};

/// An executable, a shared library, an object file, or a cubin with kperf's tables. Fails where it is none, where it has no table of such
/// regions, and where it has no device code.
decoder::Expected<Program> readProgram(const std::string &path);

} // namespace kperf::placement

#endif
