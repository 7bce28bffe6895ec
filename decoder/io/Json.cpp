// Writes JSON.
#include "decoder/io/Json.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

std::string dumped(const Json &value) { return value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace); }

void append(std::string &out, const Json &value, unsigned levels, unsigned indent) {
  if (levels == 0 || !value.is_structured() || value.empty()) {
    out += dumped(value);
    return;
  }
  const std::string line = "\n" + std::string(indent, ' ');
  out += value.is_array() ? '[' : '{';
  bool isFirst = true;
  for (const auto &[key, element] : value.items()) {
    out += (isFirst ? "" : ",") + line + "  " + (value.is_array() ? "" : dumped(key) + ":");
    append(out, element, levels - 1, indent + 2);
    isFirst = false;
  }
  out += line + (value.is_array() ? ']' : '}');
}

/// In UTF-16: beyond the first plane, two surrogates.
std::string escapeOf(char32_t point) {
  const std::uint32_t beyond = point - 0x10000;
  return point < 0x10000 ? fmt::format("\\u{:04x}", std::uint32_t{point})
                         : fmt::format("\\u{:04x}\\u{:04x}", 0xd800 + (beyond >> 10), 0xdc00 + (beyond & 0x3ff));
}

/// `text`, which is UTF-8, with escapes for the control characters that JSON allows to stand in strings.
std::string withoutControls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain =
        static_cast<std::size_t>(std::ranges::find_if(text, [](char c) { return static_cast<unsigned char>(c) >= 0x7f; }) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
      break;
    const std::size_t length = utf8Length(text);
    if (startsWithControl(text))
      out += escapeOf(codePoint(text, length));
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

} // namespace

Json jsonNumber(double value, int digits) {
  if (!std::isfinite(value))
    return nullptr;
  const double rounded = std::strtod(fmt::format("{:.{}g}", value, digits).c_str(), nullptr); // the smallest numbers make stod throw
  if (rounded == std::trunc(rounded) && std::abs(rounded) < 1e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

std::string jsonText(const Json &value, unsigned levels) {
  std::string out;
  append(out, value, levels, 0);
  return withoutControls(out);
}

} // namespace kperf::decoder
