// Parses percentages.
#include "tool/process/Percent.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace kperf::tool {

decoder::Expected<double> parsePercent(std::string_view text, const char *option) {
  std::string_view number = text;
  if (number.ends_with('%'))
    number.remove_suffix(1);
  double out = 0;
  const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), out);
  if (code != std::errc() || end != number.data() + number.size() || !(out >= 0) || !std::isfinite(out))
    return decoder::failure(
        {.message = fmt::format("{}: not a percentage", option), .found = fmt::format("'{}'", text), .expected = "a number such as 5%"});
  return out;
}

} // namespace kperf::tool
