// Builds a trace from its text form.
#include "Pack.h"
#include "FormatNames.h"
#include "Records.h"
#include "RegionNames.h"
#include "TextDefaults.h"
#include "TextLine.h"
#include "Writer.h"

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
  void launch(TextLine &line);
  void warps(TextLine &line);
  void warp(TextLine &line);
  void more(TextLine &line);
  void warpFields(TextLine &line, format::WarpHeader row);
  void flags(TextLine &line, const Word &word, std::uint16_t &out);
  void record(TextLine &line);
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
  format::SectionKind open{}; ///< what indented lines belong to, or 0

  format::KeepPolicy policy = format::KeepPolicy::First;
  std::optional<format::WarpHeader> current; ///< a warp whose records are being read
  std::optional<format::WarpHeader> last;    ///< the warp before, for a line 'more'
  bool hasProduced = false, hasCapacity = false;
  std::uint32_t warpLine = 0, lineNumber = 0;
  std::vector<format::Record> records;
  std::vector<bool> hasGeneration;
};

constexpr Packer::Verb Packer::verbs[] = {
    {"program", &Packer::program},       {"device", &Packer::device},   {"region", &Packer::region},
    {"launch", &Packer::launch},         {"warps", &Packer::warps},     {"warp", &Packer::warp},
    {"more", &Packer::more},
    {"loss", &Packer::loss},             {"strings", &Packer::strings}, {"section", &Packer::section},
    {"incomplete", &Packer::incomplete},
};

Expected<std::vector<std::byte>> Packer::run(std::string_view text) {
  Status status = collectStrings(text);
  if (status)
    status = forLines(text, [this](TextLine &line, std::uint32_t number) { return take(line, number); });
  if (status)
    status = endWarp();
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
  if (line.verb().value != "warp" && line.verb().value != "more") {
    policy = format::KeepPolicy::First; // a warp after another section starts a section with the defaults
    last.reset();
  }
  open = {};
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
  } else if (open == format::SectionKind::Strings) {
    const std::string text = line.verb().value + '\0';
    writer.append(open, std::as_bytes(std::span(text)));
  } else if (open != format::SectionKind{}) {
    hexBytes(line);
  } else {
    line.fail(line.verb(), "an indented line belongs to nothing", "a warp, strings or section line before it");
  }
  return line.finish();
}

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

template <typename Kind> void Packer::kind(TextLine &line, const Word *word, Kind &out) {
  if (!word)
    return;
  if (const auto value = valueOf<Kind>(word->value))
    out = *value;
  else
    line.fail(*word, "unknown word", "one of " + words<Kind>());
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

void Packer::program(TextLine &line) {
  format::ProgramRecord row{};
  string(line, "executable", row.executable);
  string(line, "command", row.commandLine);
  string(line, "runtime", row.runtimeVersion);
  string(line, "host", row.hostName);
  line.number("pid", row.processId);
  writer.add(row);
}

void Packer::device(TextLine &line) {
  format::DeviceRecord row{};
  row.warpLanes = TextDefaults::warpLanes;
  if (const Word *ordinal = line.next())
    line.number(*ordinal, ordinal->value, row.device);
  string(line, "name", row.name);
  string(line, "architecture", row.architecture);
  string(line, "driver", row.driver);
  line.number("multiprocessors", row.multiprocessors);
  line.number("lanes", row.warpLanes);
  line.number("khz", row.clockKhz);
  line.number("tick", row.timerTickNs);
  line.number("memory", row.memoryBytes);
  if (const Word *uuid = line.find("uuid")) {
    if (uuid->value.size() != 2 * sizeof(row.uuid))
      line.fail(*uuid, "not a uuid", "32 hexadecimal digits");
    else
      for (std::size_t i = 0; i < sizeof(row.uuid); ++i)
        line.number(*uuid, "0x" + uuid->value.substr(2 * i, 2), row.uuid[i]);
  }
  writer.add(row);
}

void Packer::region(TextLine &line) {
  format::RegionRecord row{};
  const Word *id = line.next();
  const Word *what = line.next();
  const Word *name = line.next();
  if (!id || !what || !name)
    return line.fail(line.verb(), "a region needs an id, a kind and a name", "region 0x1 scope \"load\"");
  line.number(*id, id->value, row.id);
  kind(line, what, row.kind);
  string(line, name, row.name);
  string(line, "function", row.function);
  string(line, "file", row.file);
  line.number("line", row.line);
  line.number("column", row.column);
  row.endLine = row.line;
  line.number("endLine", row.endLine);
  string(line, "source", row.source);
  regions.add(row.id, name->value, row.kind == format::RegionKind::Kernel);
  writer.add(row);
}

void Packer::launch(TextLine &line) {
  format::LaunchRecord row{};
  for (int axis = 0; axis < 3; ++axis)
    row.grid[axis] = row.block[axis] = 1;
  row.block[0] = TextDefaults::warpLanes;
  string(line, line.next(), row.kernel);
  line.number("device", row.device);
  line.number("time", row.hostNs);
  line.number("stream", row.stream);
  line.extent("grid", row.grid[0], row.grid[1], row.grid[2]);
  line.extent("block", row.block[0], row.block[1], row.block[2]);
  line.number("shared", row.dynamicSharedBytes);
  line.number("flags", row.flags);
  writer.add(row);
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
  if (const Word *word = line.find("flags"))
    flags(line, *word, row.flags);
  current = row;
  warpLine = lineNumber;
}

void Packer::flags(TextLine &line, const Word &word, std::uint16_t &out) {
  if (word.value.starts_with("0x"))
    return line.number(word, word.value, out);
  out = 0;
  for (std::string_view left = word.value; !left.empty() && left != "none";) {
    const std::string_view text = left.substr(0, left.find(','));
    left.remove_prefix(std::min(text.size() + 1, left.size()));
    const auto known = std::ranges::find(kWarpFlagWords, text, [](const auto &pair) { return std::string_view(pair.second); });
    if (known == std::end(kWarpFlagWords))
      return line.fail(word, "unknown flag", "finished, reserved, continued, none");
    out |= known->first;
  }
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
    const Word *clock = line.next();
    if (!clock)
      line.fail(line.verb(), "a clock is missing", *what == format::RecordKind::Span ? "A..B" : "a number");
    else if (*what == format::RecordKind::Span)
      line.range(*clock, row.first, row.second);
    else
      line.number(*clock, clock->value, row.first);
    line.number(*what == format::RecordKind::Mark ? "payload" : "second", row.second);
    line.number("lanes", row.lanes);
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
  warp.produced = hasProduced ? warp.produced : usual.produced;
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

void Packer::loss(TextLine &line) {
  format::LossRecord row{};
  if (const Word *what = line.next())
    kind(line, what, row.kind);
  else
    line.fail(line.verb(), "a loss needs a kind", words<format::LossKind>());
  line.number("device", row.device);
  line.number("count", row.count);
  string(line, "reason", row.reason);
  writer.add(row);
}

void Packer::strings(TextLine &) {
  open = format::SectionKind::Strings;
  writer.open(open);
}

void Packer::section(TextLine &line) {
  const Word *what = line.next();
  if (!what)
    return line.fail(line.verb(), "a section needs a kind", words<format::SectionKind>() + ", or a number as 0x…");
  kind(line, what, open);
  writer.open(open);
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
  writer.append(open, bytes);
}

void Packer::incomplete(TextLine &) { isComplete = false; }

} // namespace

Expected<std::vector<std::byte>> packText(std::string_view text, const std::string &file) {
  auto out = Packer().run(text);
  if (!out)
    out.error().file = file;
  return out;
}

} // namespace kperf::decoder
