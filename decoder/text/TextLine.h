// One line of the text form of a trace, cut into words, and read field by field.
#ifndef KPERF_DECODER_TEXT_LINE_H
#define KPERF_DECODER_TEXT_LINE_H

#include "decoder/io/Error.h"

#include <cstdint>
#include <limits>
#include <optional>
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
  bool isEmpty() const { return words.empty(); }
  /// The first word.
  const Word &verb() const { return words.front(); }

  /// The next positional word after the verb, or null.
  Word *next();
  /// The field of that name, or null.
  Word *find(std::string_view key);

  template <typename Integer> void number(std::string_view key, Integer &out) {
    if (const Word *word = find(key))
      number(*word, word->value, out);
  }
  /// "A..B"
  template <typename Integer> void range(const Word &word, Integer &first, Integer &second) {
    const std::size_t dots = word.value.find("..");
    if (dots == std::string::npos)
      return fail(word, "not a range", "two numbers as A..B");
    number(word, std::string_view(word.value).substr(0, dots), first);
    number(word, std::string_view(word.value).substr(dots + 2), second);
  }
  /// "8x8x1"; trailing ones may be left out.
  template <typename A, typename B, typename C> void extent(std::string_view key, A &x, B &y, C &z) {
    const Word *word = find(key);
    if (!word)
      return;
    const std::string_view text = word->value;
    const std::size_t first = text.find('x');
    const std::size_t second = first == std::string_view::npos ? first : text.find('x', first + 1);
    y = z = 1;
    number(*word, text.substr(0, first), x);
    if (first != std::string_view::npos)
      number(*word, text.substr(first + 1, second - first - 1), y);
    if (second != std::string_view::npos)
      number(*word, text.substr(second + 1), z);
  }
  /// A decimal number, or a hexadecimal one after 0x.
  template <typename Integer> void number(const Word &word, std::string_view text, Integer &out) {
    if (const auto value = integer(word, text, std::numeric_limits<Integer>::max()))
      out = static_cast<Integer>(*value);
  }

  /// A number with a fraction, such that its shortest form reads back as the same.
  void real(std::string_view key, double &out);

  void fail(const Word &word, std::string message, std::string expected);
  /// The first failure, or an error for a word that nobody took.
  Status finish() const;

private:
  std::optional<std::uint64_t> integer(const Word &word, std::string_view text, std::uint64_t most);

  std::uint32_t lineNumber = 0;
  bool indented = false;
  std::vector<Word> words;
  std::optional<Error> failed;
};

} // namespace kperf::decoder

#endif
