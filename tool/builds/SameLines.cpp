// Picks and compares lines of programs' outputs.
#include "tool/builds/SameLines.h"
#include "decoder/io/TextFile.h"
#include "tool/process/Message.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace kperf::tool {

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30; // of what a program prints

} // namespace

decoder::Expected<SameLines> SameLines::matching(const std::string &pattern) {
  try {
    return SameLines(std::regex(pattern, std::regex::icase));
  } catch (const std::regex_error &) {
    return decoder::failure({.message = "--same: not a regular expression", .found = fmt::format("'{}'", pattern)});
  }
}

std::vector<std::string> SameLines::of(std::istream &output) const {
  std::vector<std::string> lines;
  for (std::string line; std::getline(output, line);)
    if (std::regex_search(line, pattern))
      lines.push_back(line);
  return lines;
}

decoder::Expected<std::vector<std::string>> SameLines::ofFile(const std::string &path) const {
  auto text = decoder::readTextFile(path, kMaxBytes);
  if (!text)
    return decoder::failure(text.error());
  std::istringstream in(std::move(*text));
  std::vector<std::string> lines = of(in);
  if (lines.empty())
    return decoder::failure(
        {.message = "no line to compare is found", .remedy = "--same=REGEX says which lines of the output have to be equal", .file = path});
  return lines;
}

bool areSameLines(const std::vector<std::string> &clean, const std::string &cleanName, const std::vector<std::string> &other,
                  const std::string &otherName) {
  if (other == clean)
    return true;
  const auto differ = std::ranges::mismatch(clean, other);
  say(fmt::format("with probes the program printed something else: '{}' in {}, '{}' in {}", differ.in1 == clean.end() ? "" : *differ.in1,
                  cleanName, differ.in2 == other.end() ? "" : *differ.in2, otherName));
  return false;
}

} // namespace kperf::tool
