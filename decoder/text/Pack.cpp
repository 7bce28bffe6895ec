// Builds a trace from its text form: the order of lines, warps and their records.
#include "decoder/text/Pack.h"
#include "decoder/text/Packer.h"
#include "decoder/text/TextDefaults.h"
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
    verbOf<format::ProgramRecord>(),
    verbOf<format::DeviceRecord>(),
    verbOf<format::DeviceLimitsRecord>(),
    {Schema<format::RegionRecord>::verb, &Packer::region},
    verbOf<format::SiteRecord>(),
    verbOf<format::MachineAccessRecord>(),
    verbOf<format::SiteCounterRecord>(),
    {"references", &Packer::references},
    verbOf<format::LaunchRecord>(),
    {"warps", &Packer::warps},
    {"warp", &Packer::warp},
    {"more", &Packer::more},
    verbOf<format::HostRangeRecord>(),
    verbOf<format::ClockRecord>(),
    verbOf<format::KernelRecord>(),
    verbOf<format::LaunchTimesRecord>(),
    verbOf<format::LossRecord>(),
    {"summary", &Packer::summary},
    verbOf<format::SummedLengthsRecord>(),
    verbOf<format::MarkProbesRecord>(),
    verbOf<format::SampledLaunchesRecord>(),
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
      reader.ownStrings.append(line.verb().value);
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

void Packer::header(TextLine &line) {
  using Header = Schema<format::FileHeader>;
  if (line.verb().value != "kperf")
    return line.fail(line.verb(), Header::missing, Header::expected);
  reader.fields<Header>(line, fileHeader);
  writer = Writer(fileHeader);
  hasHeader = true;
}

void Packer::warps(TextLine &line) {
  const auto head = reader.row<format::WarpsHeader>(line);
  policy = head.policy;
  writer.warps(head);
  open = format::SectionKind::Warps;
}

void Packer::warp(TextLine &line) { warpFields(line, TextDefaults::warp(0, reader.regions.firstKernel())); }

void Packer::more(TextLine &line) {
  if (!last)
    return line.fail(line.verb(), "'more' continues nothing", "a warp line before it");
  warpFields(line, TextDefaults::more(*last, 0));
}

void Packer::warpFields(TextLine &line, format::WarpHeader row) {
  hasProduced = line.has("produced");
  hasCapacity = line.has("capacity");
  reader.fields<Schema<format::WarpHeader>>(line, row);
  current = row;
  warpLine = lineNumber;
}

void Packer::record(TextLine &line) {
  format::Record row{};
  bool says = true;
  const std::string &verb = line.verb().value;
  const auto what = valueOf<format::RecordKind>(verb);
  if (verb == "record") {
    reader.fields<RawRecordSchema>(line, row);
  } else if (what && *what != format::RecordKind::Empty) {
    const std::uint32_t id = reader.reference(line, line.next());
    withRecordSchema(*what, [&]<typename Schema>(Schema) {
      row = Schema::usual;
      reader.fields<Schema>(line, row);
    });
    std::uint32_t generation = 0;
    const Word *word = line.find("generation");
    says = word != nullptr;
    if (word)
      line.number(*word, word->value, generation);
    row.tag = id | static_cast<std::uint32_t>(*what) << format::kKindShift | generation << format::kGenerationShift;
  } else if (!what) {
    line.fail(line.verb(), "unknown record", "one of " + words<format::RecordKind>() + ", record");
  }
  records.push_back(row);
  hasGeneration.push_back(says);
}

Status Packer::endWarp() {
  if (!current)
    return {};
  format::WarpHeader warp = *std::exchange(current, std::nullopt);
  const format::WarpHeader usual = TextDefaults::warp(records.size(), warp.kernel);
  warp.produced = hasProduced ? warp.produced : usual.produced + warp.skipped;
  warp.capacity = hasCapacity ? warp.capacity : usual.capacity;
  if (keptRecords(warp) != records.size())
    return failure(
        {.message = fmt::format("a warp with produced={} capacity={} keeps the lesser number of records", warp.produced, warp.capacity),
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
