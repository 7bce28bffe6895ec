// Cuts one line of a trace's text form into words, and reads its fields.
#include "decoder/text/TextLine.h"
#include "decoder/io/Utf8.h"

#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace kperf::decoder {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool isKeyCharacter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; }

/// Reads one escape after its backslash; advances `at` past it.
std::optional<char> unescape(std::string_view line, std::size_t &at) {
  if (at >= line.size())
    return std::nullopt;
  switch (const char c = line[at++]) {
  case '"':
  case '\\':
    return c;
  case 'n':
    return '\n';
  case 't':
    return '\t';
  case 'r':
    return '\r';
  case 'x': {
    unsigned value = 0;
    if (at + 2 > line.size() || std::from_chars(&line[at], &line[at] + 2, value, 16).ptr != &line[at] + 2)
      return std::nullopt;
    at += 2;
    return static_cast<char>(value);
  }
  default:
    return std::nullopt;
  }
}

/// Reads a quoted text whose opening quote is at `at`; null when it does not end.
std::optional<std::string> readQuoted(std::string_view line, std::size_t &at) {
  std::string out;
  for (++at; at < line.size();) {
    const char c = line[at++];
    if (c == '"')
      return out;
    if (c != '\\') {
      out += c;
      continue;
    }
    const auto plain = unescape(line, at);
    if (!plain)
      return std::nullopt;
    out += *plain;
  }
  return std::nullopt;
}

/// Of texts that an older kperf wrote: how a key is spelled now.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {{"passed", "skipped"},
                                                                      {"least", "min"},
                                                                      {"most", "max"},
                                                                      {"least-sectors", "min-sectors"},
                                                                      {"least-lines", "min-lines"},
                                                                      {"least-wavefronts", "min-wavefronts"},
                                                                      {"most-records", "max-records"},
                                                                      {"most-in-warp", "max-in-warp"},
                                                                      {"most-threads", "max-threads"}};

std::string_view currentKey(std::string_view key) {
  const auto *renamed = std::ranges::find(kRenamed, key, &std::pair<std::string_view, std::string_view>::first);
  return renamed == std::end(kRenamed) ? key : renamed->second;
}

} // namespace

std::string quotedText(std::string_view text) {
  std::string out = "\"";
  while (!text.empty()) {
    const std::size_t length = utf8Length(text);
    const auto byte = static_cast<unsigned char>(text.front());
    if (byte == '"' || byte == '\\')
      out += fmt::format("\\{}", text.front());
    else if (byte == '\n')
      out += "\\n";
    else if (byte == '\t')
      out += "\\t";
    else if (length == 0 || startsWithControl(text))
      for (const char escaped : text.substr(0, std::max<std::size_t>(length, 1)))
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(escaped));
    else
      out += text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out + '"';
}

Expected<TextLine> TextLine::parse(std::string_view line, std::uint32_t number) {
  TextLine out;
  out.lineNumber = number;
  out.indented = !line.empty() && isBlank(line.front());
  std::size_t at = 0;
  while (true) {
    while (at < line.size() && isBlank(line[at]))
      ++at;
    if (at >= line.size() || line[at] == '#')
      return out;
    Word word;
    word.column = static_cast<std::uint32_t>(at + 1);
    std::size_t end = at;
    while (end < line.size() && isKeyCharacter(line[end]))
      ++end;
    if (end > at && end < line.size() && line[end] == '=') {
      word.key = currentKey(line.substr(at, end - at));
      at = end + 1;
    }
    if (at < line.size() && line[at] == '"') {
      const auto text = readQuoted(line, at);
      if (!text)
        return failure({.message = "a quoted text does not end, or has an unknown escape",
                        .expected = R"(a closing ", and \" \\ \n \t \r or \xNN inside)",
                        .line = number,
                        .column = word.column});
      word.value = *text;
      word.isQuoted = true;
    } else {
      const std::size_t start = at;
      while (at < line.size() && !isBlank(line[at]))
        ++at;
      word.value = line.substr(start, at - start);
    }
    out.wordList.push_back(std::move(word));
  }
}

TextLine::Word *TextLine::next() {
  for (std::size_t i = 1; i < wordList.size(); ++i)
    if (wordList[i].key.empty() && !wordList[i].isUsed) {
      wordList[i].isUsed = true;
      return &wordList[i];
    }
  return nullptr;
}

TextLine::Word *TextLine::find(std::string_view key) {
  for (Word &word : wordList)
    if (word.key == key && !word.isUsed) {
      word.isUsed = true;
      return &word;
    }
  return nullptr;
}

bool TextLine::has(std::string_view key) const {
  return std::ranges::any_of(wordList, [&](const Word &word) { return word.key == key && !word.isUsed; });
}

std::optional<std::uint64_t> TextLine::integer(const Word &word, std::string_view text, std::uint64_t most) {
  const bool isHex = text.starts_with("0x");
  const std::string_view digits = isHex ? text.substr(2) : text;
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value, isHex ? 16 : 10);
  const bool isNumber = end == digits.data() + digits.size() && code != std::errc::invalid_argument;
  if (isNumber && code == std::errc() && value <= most)
    return value;
  if (!failed)
    failed = Error{.message = isNumber           ? "the number is too large"
                              : word.key.empty() ? "not a number"
                                                 : fmt::format("{} is not a number", word.key),
                   .found = quotedText(text),
                   .expected = isNumber ? fmt::format("at most {}", most) : fmt::format("0 to {}", most),
                   .line = lineNumber,
                   .column = word.column};
  return std::nullopt;
}

void TextLine::real(const Word &word, double &out) {
  const std::string &text = word.value;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (code != std::errc() || end != text.data() + text.size())
    fail(word, fmt::format("{} is not a number", word.key), "a number");
}

void TextLine::fail(const Word &word, std::string message, std::string expected) {
  if (!failed)
    failed = Error{.message = std::move(message),
                   .found = quotedText(word.value),
                   .expected = std::move(expected),
                   .line = lineNumber,
                   .column = word.column};
}

Status TextLine::finish() const {
  if (failed)
    return failure(*failed);
  for (std::size_t i = 1; i < wordList.size(); ++i) {
    const Word &word = wordList[i];
    if (!word.isUsed)
      return failure({.message = word.key.empty() ? fmt::format("{} takes no such word", wordList.front().value)
                                                  : fmt::format("{} has no such field, or has it twice", wordList.front().value),
                      .found = word.key.empty() ? quotedText(word.value) : word.key,
                      .line = lineNumber,
                      .column = word.column});
  }
  return {};
}

} // namespace kperf::decoder
