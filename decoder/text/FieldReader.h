// Reads the fields of a row from a line of text, as FieldPrinter.h writes them.
#ifndef KPERF_DECODER_FIELD_READER_H
#define KPERF_DECODER_FIELD_READER_H

#include "decoder/text/RegionNames.h"
#include "decoder/text/TextLine.h"
#include "decoder/trace/RecordSchemas.h"
#include "decoder/trace/StringMembers.h"
#include "decoder/trace/StringTable.h"
#include "decoder/trace/Writer.h"

#include <array>

namespace kperf::decoder {

/// Reads lines of one text, whose strings `writer` gets. What is wrong with a line is the line's to tell: TextLine::finish().
class FieldReader {
public:
  using Line = TextLine;
  using Word = TextLine::Word;

  explicit FieldReader(Writer &writer) : writer(writer) {}

  /// The row with what the line says of it. Strings are interned in the order of the row's members, whatever that of the words.
  template <typename Schema, typename Row> void fields(Line &line, Row &row) {
    constexpr std::size_t kFields = std::tuple_size_v<std::remove_cvref_t<decltype(Schema::fields)>>;
    std::array<const Word *, kFields> words{};
    const bool isWhole = [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return (find<Schema>(line, std::get<Index>(Schema::fields), words[Index]) && ...);
    }(std::make_index_sequence<kFields>());
    if (!isWhole)
      return;
    if constexpr (!std::is_same_v<Row, format::Record> && !std::is_same_v<Row, format::FileHeader>)
      for (const auto &[text, index] : kStringMembers<Row>)
        if (words[index])
          string(line, *words[index], row.*text.member);
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (read(line, std::get<Index>(Schema::fields), words[Index], row), ...);
    }(std::make_index_sequence<kFields>());
  }
  template <typename Row> Row row(Line &line) {
    Row out = Schema<Row>::usual;
    fields<Schema<Row>>(line, out);
    return out;
  }

  /// The id of a region by its name, or as 0x…
  std::uint32_t reference(Line &line, const Word *word);
  /// The text at an offset that string() gave.
  std::string_view stringAt(std::uint64_t offset) const { return (ownStrings.table().empty() ? writer.texts() : ownStrings).at(offset); }

  StringTable ownStrings; ///< of the text's `strings` lines; empty when there are none
  RegionNames regions;    ///< of the lines so far

private:
  /// Whether the line may go on: a word at its place, without a name, has to be there where a schema says what is `missing`.
  template <typename Schema, typename Field> static bool find(Line &line, const Field &field, const Word *&word) {
    if constexpr (requires { field.name; }) {
      if (*field.name != '\0') {
        word = line.find(field.name);
        return true;
      }
    } else if constexpr (!requires { field.isWhole; }) {
      return true; // it finds its words itself
    }
    word = line.next();
    if constexpr (requires { Schema::missing; })
      if (!word)
        line.fail(line.verb(), Schema::missing, Schema::expected);
    return word || !requires { Schema::missing; };
  }

  /// A string as an offset: its place in the text's own table, `@offset`, or newly interned.
  template <typename Offset> void string(Line &line, const Word &word, Offset &out) {
    if (!word.isQuoted && word.value.starts_with('@'))
      return line.number(word, std::string_view(word.value).substr(1), out);
    if (ownStrings.table().empty())
      out = writer.intern(word.value);
    else if (const auto offset = ownStrings.find(word.value))
      out = *offset;
    else
      line.fail(word, "a text is not among the strings", "one of the texts under 'strings', or no such lines at all");
  }

  template <typename Row, typename T> void read(Line &line, const field::Number<Row, T> &field, const Word *word, Row &row) {
    if (!word)
      return;
    if constexpr (std::is_floating_point_v<T>)
      line.real(*word, row.*field.member);
    else
      line.number(*word, word->value, row.*field.member);
  }
  template <typename Row> void read(Line &line, const field::Ordinal<Row> &field, const Word *word, Row &row) {
    if (word)
      line.number(*word, word->value, row.*field.member);
  }
  template <typename Row, typename T> void read(Line &, const field::Text<Row, T> &, const Word *, Row &) {} // fields() did
  template <typename Row> void read(Line &line, const field::RegionId<Row> &field, const Word *word, Row &row) {
    if (word || *field.name == '\0')
      row.*field.member = reference(line, word);
  }
  template <typename Row, typename Kind> void read(Line &line, const field::Word<Row, Kind> &field, const Word *word, Row &row) {
    if (word)
      line.word(*word, row.*field.member);
  }
  template <typename Row, typename Flag> void read(Line &line, const field::Flags<Row, Flag> &field, const Word *word, Row &row) {
    if (word)
      line.flags(*word, field.words, row.*field.member);
  }
  template <typename Row, typename X, typename Y> void read(Line &line, const field::Extent<Row, X, Y> &field, const Word *word, Row &row) {
    if (word)
      line.extent(*word, row.*field.x, row.*field.y, row.*field.z);
  }
  template <typename Row> void read(Line &line, const field::ExtentArray<Row> &field, const Word *word, Row &row) {
    auto &extent = row.*field.member;
    if (word)
      line.extent(*word, extent[0], extent[1], extent[2]);
  }
  template <typename Row, typename T> void read(Line &line, const field::Range<Row, T> &field, const Word *word, Row &row) {
    if (word)
      line.range(*word, row.*field.first, row.*field.second);
  }
  template <typename Row, typename A, typename B> void read(Line &line, const field::Pair<Row, A, B> &field, const Word *word, Row &row) {
    if (word)
      line.pair(*word, row.*field.first, row.*field.second, field.isWhole);
  }
  template <typename Row> void read(Line &line, const field::Wide<Row> &field, const Word *word, Row &row) {
    std::uint64_t whole = 0;
    if (!word)
      return;
    line.number(*word, word->value, whole);
    row.*field.low = static_cast<std::uint32_t>(whole);
    row.*field.high = static_cast<std::uint32_t>(whole >> 32);
  }
  template <typename Row, typename T> void read(Line &line, const field::Like<Row, T> &field, const Word *word, Row &row) {
    row.*field.member = row.*field.other;
    if (word)
      line.number(*word, word->value, row.*field.member);
  }
  template <typename Row, typename T> void read(Line &line, const field::Bits<Row, T> &field, const Word *word, Row &row) {
    if (!word)
      return;
    const auto before = static_cast<std::uint64_t>(row.*field.member) & ~(field.mask << field.shift);
    if (const auto value = line.integer(*word, word->value, field.mask))
      row.*field.member = static_cast<T>(before | *value << field.shift);
  }
  template <typename Row, std::size_t N> void read(Line &line, const field::Counters<Row, N> &field, const Word *, Row &row) {
    auto &counts = row.*field.member;
    for (unsigned index = 0; index < N; ++index)
      if (const Word *word = line.find(field.nameOf(index)))
        line.number(*word, word->value, counts[index]);
  }
  template <typename Row, std::size_t N> void read(Line &line, const field::Bytes<Row, N> &field, const Word *word, Row &row) {
    auto &bytes = row.*field.member;
    if (!word)
      return;
    if (word->value.size() != 2 * N)
      return line.fail(*word, std::string("not a ") + field.name, std::to_string(2 * N) + " hexadecimal digits");
    for (std::size_t index = 0; index < N; ++index)
      line.number(*word, "0x" + word->value.substr(2 * index, 2), bytes[index]);
  }
  void read(Line &line, field::SyncOrNext, const Word *, format::RegionRecord &row);

  Writer &writer;
};

} // namespace kperf::decoder

#endif
