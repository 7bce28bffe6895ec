// Tells functions of the same name apart: by their file, by the macros that they were compiled with, by a number.
#ifndef KPERF_DECODER_NAMESAKES_H
#define KPERF_DECODER_NAMESAKES_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// A function as a table has it.
struct Namesake {
  std::string file;
  std::uint32_t line = 0; ///< 0: not to be told apart by it
  std::string function;   ///< with macros behind it (CompiledFunction.h)
};

/// For each of several functions of one name what tells it from all the others, " (file)", " (N=4)" or " (file, N=4)"; where nothing does,
/// " #1", " #2" … in the order given. One by itself needs nothing.
std::vector<std::string> labelsOf(const std::vector<Namesake> &all);

struct LabelledName {
  std::string_view name, label; ///< label: "" where there is none
};

/// A name that one of these labels may stand behind: "k", " (k.cu)" of "k (k.cu)".
LabelledName splitLabel(std::string_view labelled);

} // namespace kperf::decoder

#endif
