// Reads references to regions, and the objects of waits and signals.
#include "decoder/text/FieldReader.h"

namespace kperf::decoder {

std::uint32_t FieldReader::reference(Line &line, const Word *word) {
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

void FieldReader::read(Line &line, field::SyncOrNext, const Word *, format::RegionRecord &row) {
  auto operation = format::SyncOperation::None;
  auto object = format::SyncObject::Unknown;
  if (const Word *word = line.find("operation"))
    line.word(*word, operation);
  if (const Word *word = line.find("object"))
    line.word(*word, object);
  row.sync = static_cast<std::uint32_t>(operation) | static_cast<std::uint32_t>(object) << format::kSyncObjectShift;
  if (const Word *word = line.find("next"))
    line.number(*word, word->value, row.next);
}

} // namespace kperf::decoder
