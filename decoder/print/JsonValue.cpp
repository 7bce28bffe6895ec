// A table's cell as JSON.
#include "decoder/print/JsonValue.h"
#include "decoder/io/Utf8.h"

#include <cmath>
#include <fmt/format.h>

namespace kperf::decoder {

std::string jsonValue(const Cell &cell) {
  if (const auto *text = std::get_if<std::string>(&cell))
    return jsonQuoted(*text);
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return std::to_string(*number);
  if (const auto *real = std::get_if<double>(&cell); real && std::isfinite(*real))
    return fmt::format("{:.10g}", *real);
  return "null";
}

} // namespace kperf::decoder
