// Builds a trace from its text form: the order of lines, warps and their records.
#include "decoder/text/Pack.h"
#include "decoder/text/Packer.h"
#include "decoder/trace/Records.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace kperf::decoder {
namespace {

/// Calls `take(line, number)` for each line until it fails.
template <typename Take> Status forLines(std::string_view text, Take take) {
  std::uint32_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    Expected<TextLine> line = TextLine::parse(text.substr(0, end), ++number);
    if (!line)
      return failure(line.error());
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line->isEmpty())
      continue;
    if (Status status = take(*line, number); !status)
      return status;
  }
  return {};
}

} // namespace

constexpr Packer::Verb Packer::verbs[] = {
    {"program", &Packer::program},
    {"device", &Packer::device},
    {"region", &Packer::region},
    {"site", &Packer::site},
    {"machine", &Packer::machineAccess},
    {"counters", &Packer::counters},
    {"references", &Packer::references},
    {"launch", &Packer::launch},
    {"warps", &Packer::warps},
    {"warp", &Packer::warp},
    {"more", &Packer::more},
    {"needs", &Packer::needs},
    {"loss", &Packer::loss},
    {"summary", &Packer::summary},
    {"summed-lengths", &Packer::summedLengths},
    {"strings", &Packer::strings},
    {"section", &Packer::section},
    {"incomplete", &Packer::incomplete},
};

Expected<std::vector<std::byte>> Packer::run(std::string_view text) {
  Status status = collectStrings(text);
  if (status)
    status = forLines(text, [this](TextLine &line, std::uint32_t number) { return take(line, number); });
  if (status)
    status = endWarp();
  endSummary();
  if (status && !hasHeader)
    status = failure({.message = "the text is empty", .expected = "'kperf 1.0' first", .line = 1, .column = 1});
  if (!status)
    return failure(status.error());
  return writer.finish(isComplete);
}

Status Packer::collectStrings(std::string_view text) {
  bool isInside = false;
  return forLines(text, [&](TextLine &line, std::uint32_t) -> Status {
    if (!line.isIndented())
      isInside = line.verb().value == "strings";
    else if (isInside)
      ownStrings.append(line.verb().value);
    return {};
  });
}

Status Packer::take(TextLine &line, std::uint32_t number) {
  lineNumber = number;
  if (line.isIndented())
    return takeIndented(line);
  if (Status status = endWarp(); !status)
    return status;
  endSummary();
  if (line.verb().value != "warp" && line.verb().value != "more") {
    policy = format::KeepPolicy::First; // a warp after another section starts a section with the defaults
    last.reset();
  }
  open.reset();
  if (!hasHeader) {
    header(line);
    return line.finish();
  }
  return takeVerb(line);
}

Status Packer::takeVerb(TextLine &line) {
  for (const Verb &verb : verbs) {
    if (verb.word != line.verb().value)
      continue;
    if (!isComplete)
      line.fail(line.verb(), "something follows the line 'incomplete'", "the end of the text");
    (this->*verb.take)(line);
    return line.finish();
  }
  std::string known;
  for (const Verb &verb : verbs)
    known += (known.empty() ? "" : ", ") + std::string(verb.word);
  line.fail(line.verb(), "unknown line", "one of " + known);
  return line.finish();
}

Status Packer::takeIndented(TextLine &line) {
  if (current) {
    record(line);
  } else if (openSummary) {
    summaryRow(line);
  } else if (open == format::SectionKind::References) {
    referenceRow(line);
  } else if (open == format::SectionKind::Strings) {
    const std::string text = line.verb().value + '\0';
    writer.append(*open, std::as_bytes(std::span(text)));
  } else if (open) {
    hexBytes(line);
  } else {
    line.fail(line.verb(), "an indented line belongs to nothing", "a warp, strings or section line before it");
  }
  return line.finish();
}

std::uint32_t Packer::reference(TextLine &line, const Word *word) {
  std::uint32_t id = 0;
  if (!word) {
    line.fail(line.verb(), "a region is missing", "its name or its id as 0x…");
  } else if (!word->isQuoted && word->value.starts_with("0x")) {
    line.number(*word, word->value, id);
    if (id > format::kIdMask)
      line.fail(*word, "a region's id has 24 bits", "at most 0xffffff");
  } else if (const auto known = regions.resolve(word->value)) {
    id = *known;
  } else {
    line.fail(*word, regions.isKnown(word->value) ? "several regions have this name" : "no region above has this name",
              "the name of one region, or its id as 0x…");
  }
  return id;
}

void Packer::header(TextLine &line) {
  const Word *version = line.next();
  if (line.verb().value != "kperf" || !version)
    return line.fail(line.verb(), "not the text form of a trace", "'kperf 1.0' first");
  const std::string_view text = version->value;
  const std::size_t dot = std::min(text.find('.'), text.size());
  line.number(*version, text.substr(0, dot), fileHeader.versionMajor);
  line.number(*version, text.substr(std::min(dot + 1, text.size())), fileHeader.versionMinor);
  kind(line, line.find("target"), fileHeader.target);
  line.number("created", fileHeader.createdUnixNs);
  line.number("build", fileHeader.buildId);
  writer = Writer(fileHeader);
  hasHeader = true;
}

void Packer::warps(TextLine &line) {
  format::WarpsHeader head{};
  line.number("device", head.device);
  kind(line, line.find("keep"), head.policy);
  policy = head.policy;
  writer.warps(head);
  open = format::SectionKind::Warps;
}

void Packer::warp(TextLine &line) {
  format::WarpHeader row = TextDefaults::warp(0);
  row.kernel = regions.firstKernel();
  if (const Word *place = line.next()) {
    const std::string_view text = place->value;
    const std::size_t dot = std::min(text.find('.'), text.size());
    line.number(*place, text.substr(0, dot), row.block);
    if (dot < text.size())
      line.number(*place, text.substr(dot + 1), row.warp);
  }
  warpFields(line, row);
}

void Packer::more(TextLine &line) {
  if (!last)
    return line.fail(line.verb(), "'more' continues nothing", "a warp line before it");
  warpFields(line, TextDefaults::more(*last, 0));
}

void Packer::warpFields(TextLine &line, format::WarpHeader row) {
  line.number("gridId", row.gridId);
  line.number("sm", row.sm);
  if (const Word *word = line.find("ns"))
    line.range(*word, row.startNs, row.endNs);
  if (const Word *word = line.find("cycles"))
    line.range(*word, row.startCycles, row.endCycles);
  if (const Word *word = line.find("kernel"))
    row.kernel = reference(line, word);
  string(line, "name", row.nameAddress);
  line.extent("grid", row.gridX, row.gridY, row.gridZ);
  line.extent("block", row.blockX, row.blockY, row.blockZ);
  const auto number = [&](const char *key, std::uint32_t &out) {
    const Word *word = line.find(key);
    if (word)
      line.number(*word, word->value, out);
    return word != nullptr;
  };
  hasProduced = number("produced", row.produced);
  hasCapacity = number("capacity", row.capacity);
  number("sampled", row.sampled);
  row.passed = 0;
  number("passed", row.passed);
  flags(line, "flags", kWarpFlagWords, row.flags);
  current = row;
  warpLine = lineNumber;
}

/// All but the tag of a record of this kind.
void Packer::recordWords(TextLine &line, format::RecordKind kind, format::Record &row) {
  const bool isAdjacent = kind == format::RecordKind::Adjacent;
  const bool isRange = kind == format::RecordKind::Span || kind == format::RecordKind::Extremes || isAdjacent;
  if (kind == format::RecordKind::Sum) {
    std::uint64_t cycles = 0;
    line.number("cycles", cycles);
    row = {static_cast<std::uint32_t>(cycles), static_cast<std::uint32_t>(cycles >> 32), 0, row.tag};
    return line.number("count", row.lanes);
  }
  if (kind == format::RecordKind::Total) {
    row.lanes = 0;
    line.number("cycles", row.first);
    line.number("around", row.second);
    return line.number("count", row.lanes);
  }
  if (kind == format::RecordKind::Lengths) {
    for (std::uint32_t *member : {&row.first, &row.second, &row.lanes})
      if (const Word *count = line.next())
        line.number(*count, count->value, *member);
      else
        line.fail(line.verb(), "a record of lengths has three numbers", "how many entries are of each of three powers of two");
    return;
  }
  const Word *clock = line.next();
  if (!clock)
    line.fail(line.verb(), "a clock is missing", isRange ? "A..B" : "a number");
  else if (isRange)
    line.range(*clock, row.first, row.second);
  else
    line.number(*clock, clock->value, row.first);
  if (isAdjacent) {
    row.lanes = row.second;
    return line.number("next", row.lanes);
  }
  if (kind == format::RecordKind::Extremes) {
    row.lanes = 0;
    return line.number("around", row.lanes);
  }
  line.number(kind == format::RecordKind::Mark ? "payload" : "second", row.second);
  line.number("lanes", row.lanes);
}

void Packer::record(TextLine &line) {
  format::Record row{};
  row.lanes = TextDefaults::lanes;
  std::uint32_t generation = 0;
  bool says = true;
  const std::string &verb = line.verb().value;
  const auto what = valueOf<format::RecordKind>(verb);
  if (verb == "record") {
    for (std::uint32_t *member : {&row.first, &row.second, &row.lanes, &row.tag})
      if (const Word *word = line.next())
        line.number(*word, word->value, *member);
      else
        line.fail(line.verb(), "a raw record has four numbers", "first, second, lanes, tag");
  } else if (what == format::RecordKind::Empty) {
    row = {};
  } else if (what) {
    const std::uint32_t id = reference(line, line.next());
    row.tag = id | static_cast<std::uint32_t>(*what) << format::kKindShift;
    recordWords(line, *what, row);
    if (const Word *word = line.find("generation"))
      line.number(*word, word->value, generation);
    else
      says = false;
    row.tag |= generation << format::kGenerationShift;
  } else {
    line.fail(line.verb(), "unknown record", "one of " + words<format::RecordKind>() + ", record");
  }
  records.push_back(row);
  hasGeneration.push_back(says);
}

Status Packer::endWarp() {
  if (!current)
    return {};
  format::WarpHeader warp = *std::exchange(current, std::nullopt);
  const format::WarpHeader usual = TextDefaults::warp(records.size());
  warp.produced = hasProduced ? warp.produced : usual.produced + warp.passed;
  warp.capacity = hasCapacity ? warp.capacity : usual.capacity;
  if (keptRecords(warp) != records.size())
    return failure({.message = fmt::format("a warp with produced={} capacity={} keeps the lesser number of records",
                                           warp.produced, warp.capacity),
                    .found = std::to_string(records.size()),
                    .expected = std::to_string(keptRecords(warp)),
                    .line = warpLine,
                    .column = 1});
  for (std::size_t i = 0; i < records.size(); ++i)
    if (!hasGeneration[i])
      records[i].tag |= expectedGeneration(warp, firstIndex(warp, policy) + i) << format::kGenerationShift;
  last = warp;
  writer.warp(warp, records);
  records.clear();
  hasGeneration.clear();
  return {};
}

Expected<std::vector<std::byte>> packText(std::string_view text, const std::string &file) {
  auto out = Packer().run(text);
  if (!out)
    out.error().file = file;
  return out;
}

} // namespace kperf::decoder
