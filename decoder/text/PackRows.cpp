// The lines of a trace's text form that stand for one row of a table, or for bytes.
#include "decoder/text/Packer.h"

namespace kperf::decoder {

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
  auto operation = format::SyncOperation::None;
  auto object = format::SyncObject::Unknown;
  kind(line, line.find("operation"), operation);
  kind(line, line.find("object"), object);
  row.sync = static_cast<std::uint32_t>(operation) | static_cast<std::uint32_t>(object) << format::kSyncObjectShift;
  line.number("next", row.next);
  string(line, "source", row.source);
  const bool isOffset = !name->isQuoted && name->value.starts_with('@');
  regions.add(row.id, isOffset ? ownStrings.at(row.name) : name->value, row.kind == format::RegionKind::Kernel);
  writer.add(row);
}

void Packer::site(TextLine &line) {
  format::SiteRecord row{};
  const Word *id = line.next();
  const Word *what = line.next();
  const Word *expression = line.next();
  if (!id || !what || !expression)
    return line.fail(line.verb(), "a site needs an id, a kind and an expression", "site 0x1 load \"a[i]\"");
  line.number(*id, id->value, row.id);
  kind(line, what, row.kind);
  if (const Word *region = line.find("region"))
    row.region = reference(line, region);
  string(line, "function", row.function);
  string(line, "file", row.file);
  string(line, "source", row.source);
  string(line, expression, row.expression);
  string(line, "reason", row.reason);
  line.number("line", row.line);
  line.number("column", row.column);
  line.number("width", row.width);
  line.number("bytes", row.elementBytes);
  writer.add(row);
}

void Packer::machineAccess(TextLine &line) {
  format::MachineAccessRecord row{};
  const Word *site = line.next();
  const Word *state = line.next();
  if (!site || !state)
    return line.fail(line.verb(), "an access in machine code needs a site and a state", "machine 0x1 same");
  line.number(*site, site->value, row.site);
  kind(line, state, row.state);
  line.number("leader", row.leader);
  line.number("bytes", row.bytes);
  line.number("pieces", row.pieces);
  writer.add(row);
}

void Packer::counters(TextLine &line) {
  format::SiteCounterRecord row{};
  row.sampled = 1;
  if (const Word *site = line.next())
    line.number(*site, site->value, row.site);
  else
    line.fail(line.verb(), "counters need a site", "counters 0x1 accesses=1");
  line.number("device", row.device);
  line.number("sampled", row.sampled);
  line.number("group", row.group);
  line.number("groups", row.groups);
  for (unsigned counter = 0; counter < format::kSiteCounters; ++counter)
    line.number(name(static_cast<format::SiteCounter>(counter)), row.counts[counter]);
  writer.add(row);
}

void Packer::references(TextLine &line) {
  format::ReferencesHeader head{0, 0, 1, 0};
  line.number("device", head.device);
  line.number("incomplete", head.incomplete);
  line.number("sampled", head.sampled);
  line.number("run", head.run);
  writer.references(head);
  open = format::SectionKind::References;
}

void Packer::referenceRow(TextLine &line) {
  format::ReferenceRecord row{};
  const Word *address = line.next();
  if (line.verb().value != "reference" || !address)
    return line.fail(line.verb(), "not a reference", "reference 0x7f00 site=0x1 sectors=0xf order=3");
  std::uint32_t site = 0, sectors = 1, lineClass = 0, multiprocessor = 0;
  line.number(*address, address->value, row.line);
  const auto field = [&](const char *key, std::uint32_t &out, std::uint32_t most) {
    const Word *word = line.find(key);
    if (word)
      line.number(*word, word->value, out);
    if (out > most)
      line.fail(*word, "the number is too large", fmt::format("at most {}", most));
  };
  field("site", site, format::kIdMask);
  field("sectors", sectors, 255);
  field("class", lineClass, 31);
  field("sm", multiprocessor, format::kReferenceSmMask);
  if (row.line > format::kReferenceLineMask)
    line.fail(*address, "the number is too large", fmt::format("at most {:#x}", format::kReferenceLineMask));
  row.line |= std::uint64_t{multiprocessor} << format::kReferenceSmShift | std::uint64_t{lineClass} << format::kReferenceClassShift;
  row.tag = site | sectors << format::kReferenceSectorShift;
  line.number("order", row.order);
  line.number("reserved", row.reserved);
  auto iteration = static_cast<std::uint32_t>(format::kNoIteration);
  line.number("iteration", iteration);
  row.iteration = static_cast<std::int32_t>(iteration);
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

void Packer::needs(TextLine &line) {
  format::KernelRecord row{};
  row.blockThreads = TextDefaults::warpLanes;
  if (const Word *kernel = line.next())
    string(line, kernel, row.kernel);
  else
    line.fail(line.verb(), "needs without a kernel", "needs \"kernel(float *)\" registers=32");
  forNeeds(row, [&](const char *key, auto &value, auto) { line.number(key, value); });
  writer.add(row);
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
  kind(line, what, open.emplace());
  writer.open(*open);
}

void Packer::incomplete(TextLine &) { isComplete = false; }

} // namespace kperf::decoder
