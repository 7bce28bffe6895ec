// A function's name in a table of regions or sites, and behind it the macros that it was compiled with.
#ifndef KPERF_DECODER_COMPILED_FUNCTION_H
#define KPERF_DECODER_COMPILED_FUNCTION_H

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace kperf::decoder {

struct CompiledFunction {
  std::string_view name, macros; ///< "gemm", "N=4 T=float" of "gemm [N=4 T=float]"

  explicit CompiledFunction(std::string_view text) : name(text) {
    std::size_t depth = 0, at = text.size();
    if (!text.ends_with(']'))
      return;
    do {
      --at;
      depth += text[at] == ']';
      depth -= text[at] == '[';
    } while (at > 0 && depth > 0);
    if (depth > 0 || at < 2 || text[at - 1] != ' ')
      return;
    name = text.substr(0, at - 1);
    macros = text.substr(at + 1, text.size() - at - 2);
  }

  /// Of the macros those that are not among `common`, as they stand there.
  std::string without(const std::set<std::string> &common) const {
    std::string out;
    for (const std::string &macro : each())
      if (!common.contains(macro))
        out += (out.empty() ? "" : " ") + macro;
    return out;
  }

  std::set<std::string> each() const {
    std::set<std::string> out;
    for (std::string_view left = macros; !left.empty();) {
      const std::size_t end = std::min(left.find(' '), left.size());
      out.emplace(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return out;
  }
};

} // namespace kperf::decoder

#endif
