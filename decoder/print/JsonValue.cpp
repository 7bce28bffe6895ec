// A table's cell as JSON.
#include "decoder/print/JsonValue.h"

namespace kperf::decoder {

Json jsonValue(const Cell &cell) {
  if (const auto *text = std::get_if<std::string>(&cell))
    return *text;
  if (const auto *number = std::get_if<std::uint64_t>(&cell))
    return *number;
  if (const auto *real = std::get_if<double>(&cell))
    return jsonNumber(*real);
  return nullptr;
}

} // namespace kperf::decoder
