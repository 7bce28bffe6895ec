// Reads the lines of a source file that a trace names, only from the folders that the user gave for sources.
#ifndef KPERF_DECODER_SOURCE_TEXT_H
#define KPERF_DECODER_SOURCE_TEXT_H

#include <cstdint>
#include <string>
#include <vector>

namespace kperf::decoder {

struct SourceText {
  std::vector<std::string> lines;
  std::uint64_t writtenUnixNs = 0; ///< when the file was last written to; 0: not known
};

/// `file`, as the trace has its path, below the folder `root`; the longest end of the path that is there counts. No lines when there is
/// none, when `root` is "", or when the file is larger than 16 MiB. A path from a trace never leads out of `root`.
SourceText sourceText(const std::string &root, const std::string &file);

/// A line for people: tabs become blanks, and control characters '?'.
std::string shownLine(std::string_view line);

} // namespace kperf::decoder

#endif
