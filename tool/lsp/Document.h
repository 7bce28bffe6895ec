// A source as an editor has it, and where in it the trace's lines are.
#ifndef KPERF_TOOL_DOCUMENT_H
#define KPERF_TOOL_DOCUMENT_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::tool {

/// The protocol's positions: both from 0, characters counted in UTF-16 code units.
struct Position {
  std::uint32_t line, character;
};

class Document {
public:
  explicit Document(std::string text);
  Document(const Document &) = delete; // lines() refer to it
  Document &operator=(const Document &) = delete;

  /// Without their ends.
  const std::vector<std::string_view> &lines() const { return all; }

  /// The line, from 0, that was line `number`, from 1, when the trace's program was compiled and read `recorded` then: the same or the
  /// nearest one that reads so. Any line of that number where it is not known how it read; nothing where none does.
  std::optional<std::uint32_t> find(std::uint32_t number, std::string_view recorded) const;

  /// Of byte `byte` of a line, or of its end if it is shorter.
  Position at(std::uint32_t line, std::size_t byte) const;

private:
  std::string text;
  std::vector<std::string_view> all;
  std::vector<std::string> bare; ///< the lines without their blanks
};

/// "/src/a b.cu" of "file:///src/a%20b.cu"; "" of what is no file.
std::string pathOfUri(std::string_view uri);

/// How many names at the ends of two paths are the same: 2 of "src/a.cu" and "/project/src/a.cu".
std::size_t commonEnd(const std::string &left, const std::string &right);

} // namespace kperf::tool

#endif
