// Reads the lists and windows that select what a timeline shows.
#include "decoder/timeline/Timeline.h"

#include <charconv>
#include <cstdlib>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

bool number(std::string_view text, std::uint64_t &out) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return code == std::errc() && end == text.data() + text.size();
}

bool number(std::string_view text, double &out) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  return code == std::errc() && end == text.data() + text.size();
}

} // namespace

Expected<TimelineOptions::Ranges> parseRanges(const std::string &text) {
  TimelineOptions::Ranges out;
  for (std::string_view left = text; !left.empty();) {
    const std::string_view item = left.substr(0, left.find(','));
    left.remove_prefix(std::min(item.size() + 1, left.size()));
    const std::size_t dash = item.find('-');
    std::uint64_t first = 0, last = 0;
    const bool isRange = dash != std::string_view::npos;
    const bool isValid = number(item.substr(0, dash), first) && (!isRange || number(item.substr(dash + 1), last));
    if (!isRange)
      last = first;
    if (!isValid || last < first)
      return failure(
          {.message = "not a list of numbers", .found = fmt::format("'{}'", item), .expected = "numbers and ranges such as 0-3,7"});
    out.emplace_back(first, last);
  }
  return out;
}

Expected<std::pair<double, double>> parseWindow(const std::string &text) {
  const std::size_t colon = text.find(':');
  double from = 0, to = std::numeric_limits<double>::infinity();
  const std::string_view all = text;
  const bool isValid = colon != std::string::npos && (colon == 0 || number(all.substr(0, colon), from)) &&
                       (colon + 1 == all.size() || number(all.substr(colon + 1), to));
  if (!isValid || !(from <= to))
    return failure(
        {.message = "not a window", .found = fmt::format("'{}'", text), .expected = "A:B in µs of the time axis, A not after B"});
  return std::pair(from * 1e3, to * 1e3);
}

} // namespace kperf::decoder
