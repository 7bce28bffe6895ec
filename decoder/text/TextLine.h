// One line of a trace's text form, cut into words and read field by field.
#ifndef KPERF_DECODER_TEXT_LINE_H
#define KPERF_DECODER_TEXT_LINE_H

#include "decoder/io/Error.h"
#include "decoder/trace/Fields.h"
#include "decoder/trace/FormatNames.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// `text` between double quotes; what is not printable UTF-8 becomes an escape that TextLine reads back.
std::string quotedText(std::string_view text);

/// Words are separated by blanks; `key=value` is a field; "…" may hold anything; # starts a comment.
/// The readers below take a word at most once, leave their result alone when the word is absent, and remember the first
/// thing that was wrong until finish().
class TextLine {
public:
  struct Word {
    std::string key; ///< "" for a positional word
    std::string value;
    bool isQuoted = false;
    bool isUsed = false;
    std::uint32_t column = 0;
  };

  static Expected<TextLine> parse(std::string_view line, std::uint32_t number);

  bool isIndented() const { return indented; }
  bool isEmpty() const { return wordList.empty(); }
  /// The first word.
  const Word &verb() const { return wordList.front(); }

  /// The next positional word after the verb, or null.
  Word *next();
  /// The field of that name, or null.
  Word *find(std::string_view key);
  /// Whether a field of that name is there and nobody has taken it.
  bool has(std::string_view key) const;

  /// "A..B"
  template <typename Integer> void range(const Word &word, Integer &first, Integer &second) {
    const std::size_t dots = word.value.find("..");
    if (dots == std::string::npos)
      return fail(word, "not a range", "two numbers as A..B");
    number(word, std::string_view(word.value).substr(0, dots), first);
    number(word, std::string_view(word.value).substr(dots + 2), second);
  }
  /// "8x8x1"; trailing ones may be left out.
  template <typename A, typename B, typename C> void extent(const Word &word, A &x, B &y, C &z) {
    const std::string_view text = word.value;
    const std::size_t first = text.find('x');
    const std::size_t second = first == std::string_view::npos ? first : text.find('x', first + 1);
    y = z = 1;
    number(word, text.substr(0, first), x);
    if (first != std::string_view::npos)
      number(word, text.substr(first + 1, second - first - 1), y);
    if (second != std::string_view::npos)
      number(word, text.substr(second + 1), z);
  }
  /// "A.B"; the second may be left out unless `isWhole`.
  template <typename A, typename B> void pair(const Word &word, A &first, B &second, bool isWhole) {
    const std::string_view text = word.value;
    const std::size_t dot = std::min(text.find('.'), text.size());
    number(word, text.substr(0, dot), first);
    if (isWhole || dot < text.size())
      number(word, text.substr(std::min(dot + 1, text.size())), second);
  }
  /// One of FormatNames.h's, or a number.
  template <typename Kind> void word(const Word &word, Kind &out) {
    if (const auto value = valueOf<Kind>(word.value))
      out = *value;
    else
      fail(word, "unknown word", "one of " + words<Kind>());
  }
  /// Words with commas between them, "none", or a number.
  template <typename Flag> void flags(const Word &word, std::span<const field::FlagWord<Flag>> known, Flag &out) {
    if (word.value.starts_with("0x"))
      return number(word, word.value, out);
    out = 0;
    for (std::string_view left = word.value; !left.empty() && left != "none";) {
      const std::string_view text = left.substr(0, left.find(','));
      left.remove_prefix(std::min(text.size() + 1, left.size()));
      const auto row = std::ranges::find(known, text, &field::FlagWord<Flag>::second);
      if (row == known.end())
        return fail(word, "unknown flag", flagNames(known));
      out |= row->first;
    }
  }
  /// A decimal number, or a hexadecimal one after 0x.
  template <typename Integer> void number(const Word &word, std::string_view text, Integer &out) {
    if (const auto value = integer(word, text, std::numeric_limits<Integer>::max()))
      out = static_cast<Integer>(*value);
  }

  /// A number with a fraction, such that its shortest form reads back as the same.
  void real(const Word &word, double &out);
  /// A number up to `most`; nothing, and a failure, for what is none.
  std::optional<std::uint64_t> integer(const Word &word, std::string_view text, std::uint64_t most);

  void fail(const Word &word, std::string message, std::string expected);
  /// The first failure, or an error for a word that nobody took.
  Status finish() const;

private:
  template <typename Flag> static std::string flagNames(std::span<const field::FlagWord<Flag>> known) {
    std::string names;
    for (const auto &[flag, name] : known)
      names += std::string(name) + ", ";
    return names + "none";
  }

  std::uint32_t lineNumber = 0;
  bool indented = false;
  std::vector<Word> wordList;
  std::optional<Error> failed;
};

} // namespace kperf::decoder

#endif
