// Makes arbitrary bytes from a trace valid UTF-8 for a terminal or a JSON file.
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length > text.size())
    return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80)
      return 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF.
  if ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) > 0x9f) || (first == 0xf0 && byte(1) < 0x90) ||
      (first == 0xf4 && byte(1) > 0x8f))
    return 0;
  return length;
}

char32_t codePoint(std::string_view text, std::size_t length) {
  char32_t out = static_cast<unsigned char>(text.front()) & (length == 1 ? 0x7fu : 0x7fu >> length);
  for (const char byte : text.substr(1, length - 1))
    out = out << 6 | (static_cast<unsigned char>(byte) & 0x3fu);
  return out;
}

namespace {

struct CodePoints {
  char32_t first, last;
};

/// Unicode 16.0, categories Cc, Cf, Zl and Zp beyond ASCII.
constexpr CodePoints kUnprintable[] = {{0x80, 0x9f},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},
                                       {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},     {0x180e, 0x180e},   {0x200b, 0x200f},
                                       {0x2028, 0x202e},   {0x2060, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},   {0x110bd, 0x110bd},
                                       {0x110cd, 0x110cd}, {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0001, 0xe0001},
                                       {0xe0020, 0xe007f}};

} // namespace

bool startsWithControl(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80)
    return first < 0x20 || first == 0x7f;
  const std::size_t length = utf8Length(text);
  if (length == 0)
    return false;
  const char32_t point = codePoint(text, length);
  return std::ranges::any_of(kUnprintable, [&](const CodePoints &range) { return range.first <= point && point <= range.last; });
}

std::string printable(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = static_cast<std::size_t>(
        std::ranges::find_if(text, [](char c) { return static_cast<signed char>(c) < 0x20 || c == 0x7f; }) - text.begin()); // or no ASCII
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty())
      break;
    const std::size_t length = utf8Length(text);
    if (length == 0 || (startsWithControl(text) && !kept.contains(text.front())))
      out += '?';
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool isPlace(std::string_view text) {
  if (text.find_first_of(" \t\"'()[]<>*&,;=+") != std::string_view::npos)
    return false;
  const std::size_t folders = text.rfind('/') + 1, colon = std::min(text.rfind(':'), text.size());
  const bool hasLine = colon + 1 < text.size() && text.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
  const bool isFile = text.substr(folders).contains('.');
  return folders != 0 ? hasLine || isFile : hasLine && isFile;
}

/// The last so many characters.
static std::string_view endOf(std::string_view text, std::size_t columns) {
  for (std::size_t skipped = columnsOf(text) - columns; skipped > 0; --skipped)
    text.remove_prefix(std::max<std::size_t>(utf8Length(text), 1));
  return text;
}

std::string shortened(std::string_view text, std::size_t columns) {
  const std::size_t count = columnsOf(text);
  if (count <= columns || columns == 0)
    return std::string(text);
  if (isPlace(text)) {
    const std::string_view end = endOf(text, columns - 1);
    const std::size_t folder = end.find('/');
    return "…" + std::string(folder == std::string_view::npos ? end : end.substr(folder));
  }
  const std::size_t tail = (columns - 1) / 2, head = columns - 1 - tail;
  std::string out;
  std::size_t at = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(utf8Length(text), 1);
    if (at < head || at >= count - tail)
      out += text.substr(0, length);
    else if (at == head)
      out += "…";
    text.remove_prefix(length);
    ++at;
  }
  return out;
}

} // namespace kperf::decoder
