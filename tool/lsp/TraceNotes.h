// What traces say of source lines, for an editor: a few words behind a line, and what is wrong there.
#ifndef KPERF_TOOL_TRACE_NOTES_H
#define KPERF_TOOL_TRACE_NOTES_H

#include "decoder/io/Error.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kperf::tool {

/// The time and the traffic of a line.
struct LineNote {
  std::string recorded; ///< the line as it was compiled; "" when unknown
  std::string label;    ///< "30.0 %, 1200 ns, 4 entries"; "" where nothing is worth a word
  std::string detail;   ///< what those numbers are
};

/// Something wrong at a line.
struct LineProblem {
  std::uint32_t line;
  std::string rule, message;
  std::string expression;       ///< of a memory access, as it stands in the line; "" for the whole line
  std::uint32_t rowPadding = 0; ///< bytes that the rows of the array `expression` names need; 0: that is not the fix
};

struct FileNotes {
  std::map<std::uint32_t, LineNote> lines;
  std::vector<LineProblem> problems;
};

struct TraceNotes {
  std::map<std::string, FileNotes> files; ///< by path, as the compiler had it
  std::vector<std::string> general;       ///< what a reader must know of them all
};

/// Of traces of one build; only kernels whose name matches the shell pattern.
decoder::Expected<TraceNotes> readTraceNotes(std::span<const std::string> traces, const std::string &kernel);

} // namespace kperf::tool

#endif
