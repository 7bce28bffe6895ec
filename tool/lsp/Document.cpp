// Matches lines without their blanks, because a trace has tabs expanded, and a formatter changes blanks only.
#include "tool/lsp/Document.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace kperf::tool {
namespace {

std::string withoutBlanks(std::string_view line) {
  std::string out = decoder::printable(line, "\t\r");
  std::erase_if(out, [](char c) { return c == ' ' || c == '\t' || c == '\r'; });
  return out;
}

} // namespace

Document::Document(std::string whole) : text(std::move(whole)) {
  for (std::string_view left = text;;) {
    const std::size_t end = left.find('\n');
    std::string_view line = left.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    all.push_back(line);
    bare.push_back(withoutBlanks(line));
    if (end == std::string_view::npos)
      break;
    left.remove_prefix(end + 1);
  }
}

std::optional<std::uint32_t> Document::find(std::uint32_t number, std::string_view recorded) const {
  const std::int64_t expected = std::int64_t{number} - 1, count = static_cast<std::int64_t>(all.size());
  const std::string wanted = withoutBlanks(recorded);
  const auto reads = [&](std::int64_t line) {
    return line >= 0 && line < count && (wanted.empty() ? line == expected : bare[static_cast<std::size_t>(line)].contains(wanted));
  };
  for (std::int64_t distance = 0; distance < std::max(count, expected + 1); ++distance)
    for (const std::int64_t line : {expected - distance, expected + distance})
      if (reads(line))
        return static_cast<std::uint32_t>(line);
  return {};
}

Position Document::at(std::uint32_t line, std::size_t byte) const {
  const std::string_view before = all[line].substr(0, byte);
  std::uint32_t units = 0;
  for (const char c : before) {
    const auto lead = static_cast<unsigned char>(c);
    if ((lead & 0xc0) != 0x80) // not the rest of a sequence
      units += lead >= 0xf0 ? 2 : 1;
  }
  return {line, units};
}

std::string pathOfUri(std::string_view uri) {
  constexpr std::string_view kScheme = "file://";
  if (!uri.starts_with(kScheme))
    return "";
  uri.remove_prefix(kScheme.size());
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned value = 0;
    if (uri[i] == '%' && i + 2 < uri.size() &&
        std::from_chars(uri.data() + i + 1, uri.data() + i + 3, value, 16).ptr == uri.data() + i + 3) {
      out += static_cast<char>(value);
      i += 2;
    } else
      out += uri[i];
  }
  return out;
}

std::size_t commonEnd(const std::string &left, const std::string &right) {
  const std::filesystem::path first = std::filesystem::path(left).lexically_normal(),
                              second = std::filesystem::path(right).lexically_normal();
  std::size_t same = 0;
  for (auto a = first.end(), b = second.end(); a != first.begin() && b != second.begin(); ++same)
    if (*--a != *--b)
      break;
  return same;
}

} // namespace kperf::tool
