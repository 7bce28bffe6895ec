// Parses declarations of the form `__shared__ TYPE NAME[…][…]` on one line.
#include "tool/lsp/RowPadding.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <utility>

namespace kperf::tool {
namespace {

constexpr std::pair<std::string_view, std::uint32_t> kSizes[] = {
    {"float", 4},  {"int", 4},     {"unsigned", 4},      {"uint", 4},     {"int32_t", 4},  {"uint32_t", 4},
    {"double", 8}, {"int64_t", 8}, {"float2", 8},        {"uint64_t", 8}, {"float4", 16},  {"int4", 16},
    {"half", 2},   {"__half", 2},  {"short", 2},         {"int16_t", 2},  {"uint16_t", 2}, {"char", 1},
    {"int8_t", 1}, {"uint8_t", 1}, {"__nv_bfloat16", 2}, {"half2", 4},    {"__half2", 4},  {"int2", 8}};

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

std::string_view leadingWord(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, isWord) - text.begin()));
}

/// The word that ends in front of byte `end`, blanks skipped.
std::string_view wordBefore(std::string_view line, std::size_t end) {
  while (end > 0 && line[end - 1] == ' ')
    --end;
  std::size_t begin = end;
  while (begin > 0 && isWord(line[begin - 1]))
    --begin;
  return line.substr(begin, end - begin);
}

/// Where the last of two dimensions or more begins and ends, without its brackets; `begin` is the byte of the first bracket.
std::optional<std::pair<std::size_t, std::size_t>> lastDimension(std::string_view line, std::size_t begin) {
  std::pair<std::size_t, std::size_t> last;
  unsigned dimensions = 0;
  while (begin < line.size() && line[begin] == '[') {
    const std::size_t end = line.find_first_of("[]", begin + 1);
    if (end == std::string_view::npos || line[end] == '[')
      return {};
    last = {begin + 1, end};
    ++dimensions;
    begin = end + 1;
  }
  if (dimensions < 2)
    return {};
  return last;
}

/// Where the line declares `name` in shared memory; npos where it does not.
std::size_t declaration(std::string_view line, std::string_view name) {
  const std::size_t shared = line.find("__shared__");
  std::size_t at = shared == std::string_view::npos ? shared : line.find(name, shared);
  while (at != std::string_view::npos && (isWord(line[at - 1]) || leadingWord(line.substr(at)) != name))
    at = line.find(name, at + 1);
  return at;
}

/// The padding of what is declared at byte `at`; nothing where that can't be read.
std::optional<LineEdit> paddingAt(std::string_view line, std::size_t at, std::size_t nameSize, std::uint32_t bytes) {
  const auto dimension = lastDimension(line, at + nameSize);
  const auto *size = std::ranges::find(kSizes, wordBefore(line, at), [](const auto &row) { return row.first; });
  if (!dimension || size == std::end(kSizes) || bytes % size->second != 0)
    return {};
  const auto [begin, end] = *dimension;
  const std::string_view extent = line.substr(begin, end - begin);
  const bool isSimple = std::ranges::all_of(extent, isWord);
  return LineEdit{0, begin, end, fmt::format("{}{}{} + {}", isSimple ? "" : "(", extent, isSimple ? "" : ")", bytes / size->second)};
}

} // namespace

std::optional<LineEdit> rowPadding(const Document &document, std::string_view expression, std::uint32_t bytes) {
  const std::string_view name = leadingWord(expression);
  if (bytes == 0 || name.empty() || !expression.substr(name.size()).starts_with('['))
    return {};
  std::optional<LineEdit> found;
  bool isDeclared = false;
  for (std::uint32_t number = 0; number < document.lines().size(); ++number) {
    const std::string_view line = document.lines()[number];
    const std::size_t at = declaration(line, name);
    if (at == std::string_view::npos)
      continue;
    if (std::exchange(isDeclared, true)) // of two kernels: which one is meant is not known
      return {};
    found = paddingAt(line, at, name.size(), bytes);
    if (found)
      found->line = number;
  }
  return found;
}

} // namespace kperf::tool
