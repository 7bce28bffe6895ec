// Writes the report by path as stacks, for flame graphs.
#ifndef KPERF_DECODER_STACKS_H
#define KPERF_DECODER_STACKS_H

#include "decoder/io/Output.h"
#include "decoder/table/Table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace kperf::decoder {

/// One path of regions in a kernel and the time spent there, in none of the regions further inside.
struct Stack {
  std::string kernel;
  std::vector<std::string> frames; ///< from the outermost region; (unattributed) for what is in none
  double self;
};

struct Stacks {
  std::vector<Stack> list;       ///< each path once: regions of one name are one frame; those of a kernel follow each other
  Unit unit = Unit::Nanoseconds; ///< cycles where a kernel's clock is not known
};

/// `report`: reportView()'s table by path. Spans that cross others are on no stack.
Stacks stacksOf(const Table &report);

/// Brendan Gregg's folded format: `kernel;outer;inner 1234`, whole units; a ';' in a name becomes ':'.
void writeFolded(const Stacks &stacks, Output &out);

/// Speedscope's file format (speedscope.app/file-format-schema.json): a profile for each kernel.
void writeSpeedscope(const Stacks &stacks, const std::string &name, Output &out);

} // namespace kperf::decoder

#endif
