// Formats an error as text.
#include "decoder/io/Error.h"

#include <fmt/format.h>

namespace kperf::decoder {

std::string Error::text() const {
  std::string out;
  if (!file.empty())
    out += file + ":";
  if (line != 0)
    out += column != 0 ? fmt::format("{}:{}:", line, column) : fmt::format("{}:", line);
  if (!out.empty())
    out += ' ';
  if (offset)
    out += fmt::format("at byte {}: ", *offset);
  out += message;
  if (!found.empty())
    out += ": found " + found;
  if (!expected.empty())
    out += (found.empty() ? ": expected " : ", expected ") + expected;
  if (!remedy.empty())
    out += "; " + remedy;
  return out;
}

} // namespace kperf::decoder
