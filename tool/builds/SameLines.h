// Compares the lines of a program's output that have to be the same whatever is measured.
#ifndef KPERF_TOOL_SAME_LINES_H
#define KPERF_TOOL_SAME_LINES_H

#include "decoder/io/Error.h"

#include <istream>
#include <regex>
#include <string>
#include <vector>

namespace kperf::tool {

class SameLines {
public:
  /// `pattern`: what --same says, a regular expression.
  static decoder::Expected<SameLines> matching(const std::string &pattern);

  std::vector<std::string> of(std::istream &output) const;
  /// The same of a file; an error when it can't be read, or has no such line.
  decoder::Expected<std::vector<std::string>> ofFile(const std::string &path) const;

private:
  explicit SameLines(std::regex pattern) : pattern(std::move(pattern)) {}

  std::regex pattern;
};

/// Whether the lines are equal; says on stderr where they are not. The names are those of the outputs.
bool areSameLines(const std::vector<std::string> &clean, const std::string &cleanName, const std::vector<std::string> &other,
                  const std::string &otherName);

} // namespace kperf::tool

#endif
