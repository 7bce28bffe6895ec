// The lines of a trace's text form that are more than one row of a table: references, summaries, bytes.
#include "decoder/text/Packer.h"

#include <bit>

namespace kperf::decoder {

void Packer::region(TextLine &line) {
  const auto row = reader.row<format::RegionRecord>(line);
  reader.regions.add(row.id, reader.stringAt(row.name), row.kind == format::RegionKind::Kernel);
  writer.add(row);
}

void Packer::references(TextLine &line) {
  writer.references(reader.row<format::ReferencesHeader>(line));
  open = format::SectionKind::References;
}

void Packer::referenceRow(TextLine &line) {
  using Reference = Schema<format::ReferenceRecord>;
  if (line.verb().value != "reference")
    return line.fail(line.verb(), Reference::missing, Reference::expected);
  writer.add(reader.row<format::ReferenceRecord>(line));
}

void Packer::summary(TextLine &line) {
  openSummary.emplace();
  openSummary->kernel = reader.regions.firstKernel();
  reader.fields<Schema<format::SummaryRecord>>(line, *openSummary);
}

void Packer::summaryRow(TextLine &line) {
  if (line.verb().value != "row")
    return line.fail(line.verb(), "unknown line in a summary", "row");
  auto row = reader.row<format::SummaryRowRecord>(line);
  std::vector<std::uint64_t> rest;
  const auto forItems = [&](const char *key, std::uint32_t &count, auto take) {
    const Word *word = line.find(key);
    for (std::string_view left = word ? std::string_view(word->value) : std::string_view(); !left.empty(); ++count) {
      const std::string_view item = left.substr(0, left.find(','));
      left.remove_prefix(std::min(item.size() + 1, left.size()));
      take(*word, item);
    }
  };
  const auto takeWord = [&](const Word &word, std::string_view item) { line.number(word, item, rest.emplace_back()); };
  forItems("lengths", row.lengths, [&](const Word &word, std::string_view item) {
    if (row.flags & format::kRowExact)
      return takeWord(word, item);
    format::LengthBucket length{};
    const std::size_t star = std::min(item.find('*'), item.size());
    line.number(word, item.substr(0, star), length.bucket);
    line.number(word, item.substr(std::min(star + 1, item.size())), length.count);
    rest.push_back(std::bit_cast<std::uint64_t>(length));
  });
  forItems("multiprocessors", row.multiprocessors, takeWord);
  const auto append = [&](std::span<const std::byte> bytes) { summaryRows.insert(summaryRows.end(), bytes.begin(), bytes.end()); };
  append(std::as_bytes(std::span(&row, 1)));
  append(std::as_bytes(std::span(rest)));
  ++openSummary->rows;
}

void Packer::endSummary() {
  if (!openSummary)
    return;
  writer.append(format::SectionKind::Summaries, std::as_bytes(std::span(&*openSummary, 1)));
  writer.append(format::SectionKind::Summaries, summaryRows);
  openSummary.reset();
  summaryRows.clear();
}

void Packer::hexBytes(TextLine &line) {
  const Word *digits = line.next();
  if (line.verb().value != "hex" || !digits || digits->value.size() % 2 != 0)
    return line.fail(line.verb(), "not the bytes of a section", "hex and an even number of hexadecimal digits");
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < digits->value.size(); i += 2) {
    std::uint8_t byte = 0;
    line.number(*digits, "0x" + digits->value.substr(i, 2), byte);
    bytes.push_back(std::byte{byte});
  }
  writer.append(*open, bytes);
}

void Packer::strings(TextLine &) {
  open = format::SectionKind::Strings;
  writer.open(*open);
}

void Packer::section(TextLine &line) {
  const Word *what = line.next();
  if (!what)
    return line.fail(line.verb(), "a section needs a kind", words<format::SectionKind>() + ", or a number as 0x…");
  line.word(*what, open.emplace());
  writer.open(*open);
}

void Packer::incomplete(TextLine &) { isComplete = false; }

} // namespace kperf::decoder
