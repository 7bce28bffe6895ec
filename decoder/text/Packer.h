// The reader of a trace's text form: one member function for each kind of line.
#ifndef KPERF_DECODER_PACKER_H
#define KPERF_DECODER_PACKER_H

#include "decoder/trace/FormatNames.h"
#include "decoder/text/RegionNames.h"
#include "decoder/trace/StringTable.h"
#include "decoder/text/TextDefaults.h"
#include "decoder/text/TextLine.h"
#include "decoder/trace/Writer.h"

#include <optional>
#include <vector>

namespace kperf::decoder {

/// Reads a text once; packText() is the way to use it.
class Packer {
public:
  Expected<std::vector<std::byte>> run(std::string_view text);

private:
  using Word = TextLine::Word;
  struct Verb {
    std::string_view word;
    void (Packer::*take)(TextLine &);
  };
  static const Verb verbs[];

  Status collectStrings(std::string_view text);
  Status take(TextLine &line, std::uint32_t number);
  Status takeVerb(TextLine &line);
  Status takeIndented(TextLine &line);
  Status endWarp();

  void header(TextLine &line);
  void program(TextLine &line);
  void device(TextLine &line);
  void region(TextLine &line);
  void site(TextLine &line);
  void machineAccess(TextLine &line);
  void counters(TextLine &line);
  void references(TextLine &line);
  void referenceRow(TextLine &line);
  void launch(TextLine &line);
  void warps(TextLine &line);
  void warp(TextLine &line);
  void more(TextLine &line);
  void warpFields(TextLine &line, format::WarpHeader row);
  /// Words of one of the tables of TextDefaults.h, or a number.
  template <typename Flags, std::size_t N>
  void flags(TextLine &line, const char *key, const std::pair<Flags, const char *> (&known)[N], Flags &out);
  void summary(TextLine &line);
  void summaryRow(TextLine &line);
  void endSummary();
  void summedLengths(TextLine &line);
  void record(TextLine &line);
  void recordWords(TextLine &line, format::RecordKind kind, format::Record &row);
  void needs(TextLine &line);
  void loss(TextLine &line);
  void strings(TextLine &line);
  void section(TextLine &line);
  void hexBytes(TextLine &line);
  void incomplete(TextLine &line);

  /// A string as an offset: its place in the text's own table, `@offset`, or newly interned.
  template <typename Offset> void string(TextLine &line, const Word *word, Offset &out);
  template <typename Offset> void string(TextLine &line, const char *key, Offset &out) {
    string(line, line.find(key), out);
  }
  template <typename Kind> void kind(TextLine &line, const Word *word, Kind &out);
  std::uint32_t reference(TextLine &line, const Word *word);

  format::FileHeader fileHeader = currentHeader(TextDefaults::target);
  Writer writer{fileHeader};
  bool hasHeader = false, isComplete = true;
  StringTable ownStrings; ///< of the text's `strings` lines; empty when there are none
  RegionNames regions;
  std::optional<format::SectionKind> open; ///< what indented lines belong to

  format::KeepPolicy policy = format::KeepPolicy::First;
  std::optional<format::WarpHeader> current; ///< a warp whose records are being read
  std::optional<format::WarpHeader> last;    ///< the warp before, for a line 'more'
  std::optional<format::SummaryRecord> openSummary; ///< whose rows are being read
  std::vector<std::byte> summaryRows;
  bool hasProduced = false, hasCapacity = false;
  std::uint32_t warpLine = 0, lineNumber = 0;
  std::vector<format::Record> records;
  std::vector<bool> hasGeneration;
};

template <typename Offset> void Packer::string(TextLine &line, const Word *word, Offset &out) {
  if (!word)
    return;
  if (!word->isQuoted && word->value.starts_with('@'))
    return line.number(*word, std::string_view(word->value).substr(1), out);
  if (ownStrings.table().empty()) {
    out = writer.intern(word->value);
  } else if (const auto offset = ownStrings.find(word->value)) {
    out = *offset;
  } else {
    line.fail(*word, "a text is not among the strings", "one of the texts under 'strings', or no such lines at all");
  }
}

template <typename Flags, std::size_t N>
void Packer::flags(TextLine &line, const char *key, const std::pair<Flags, const char *> (&known)[N], Flags &out) {
  const Word *word = line.find(key);
  if (!word)
    return;
  if (word->value.starts_with("0x"))
    return line.number(*word, word->value, out);
  out = 0;
  for (std::string_view left = word->value; !left.empty() && left != "none";) {
    const std::string_view text = left.substr(0, left.find(','));
    left.remove_prefix(std::min(text.size() + 1, left.size()));
    std::string words;
    bool isKnown = false;
    for (const auto &[flag, name] : known) {
      words += std::string(name) + ", ";
      isKnown |= text == name;
      out |= text == name ? flag : Flags{0};
    }
    if (!isKnown)
      return line.fail(*word, "unknown flag", words + "none");
  }
}

template <typename Kind> void Packer::kind(TextLine &line, const Word *word, Kind &out) {
  if (!word)
    return;
  if (const auto value = valueOf<Kind>(word->value))
    out = *value;
  else
    line.fail(*word, "unknown word", "one of " + words<Kind>());
}

} // namespace kperf::decoder

#endif
