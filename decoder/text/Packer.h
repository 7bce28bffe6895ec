// The reader of a trace's text form: which lines it takes, and what they open and close.
#ifndef KPERF_DECODER_PACKER_H
#define KPERF_DECODER_PACKER_H

#include "decoder/text/FieldReader.h"

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
  /// A line that is one row of a table.
  template <typename Row> void row(TextLine &line) { writer.add(reader.row<Row>(line)); }
  template <typename Row> static constexpr Verb verbOf() { return {Schema<Row>::verb, &Packer::row<Row>}; }
  void region(TextLine &line);
  void references(TextLine &line);
  void referenceRow(TextLine &line);
  void warps(TextLine &line);
  void warp(TextLine &line);
  void more(TextLine &line);
  void warpFields(TextLine &line, format::WarpHeader row);
  void summary(TextLine &line);
  void summaryRow(TextLine &line);
  void endSummary();
  void record(TextLine &line);
  void strings(TextLine &line);
  void section(TextLine &line);
  void hexBytes(TextLine &line);
  void incomplete(TextLine &line);

  format::FileHeader fileHeader = currentHeader();
  Writer writer{fileHeader};
  FieldReader reader{writer};
  bool hasHeader = false, isComplete = true;
  std::optional<format::SectionKind> open; ///< what indented lines belong to

  format::KeepPolicy policy = format::KeepPolicy::First;
  std::optional<format::WarpHeader> current;        ///< a warp whose records are being read
  std::optional<format::WarpHeader> last;           ///< the warp before, for a line 'more'
  std::optional<format::SummaryRecord> openSummary; ///< whose rows are being read
  std::vector<std::byte> summaryRows;
  bool hasProduced = false, hasCapacity = false;
  std::uint32_t warpLine = 0, lineNumber = 0;
  std::vector<format::Record> records;
  std::vector<bool> hasGeneration;
};

} // namespace kperf::decoder

#endif
