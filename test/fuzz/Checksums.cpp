// Right checksums for the sections of a damaged trace, so that what comes behind them is reached.
#include "Checksums.h"

#include "decoder/trace/SectionStream.h"

#include <cstdint>
#include <cstring>
#include <kperf/format.h>

namespace kperf::test {

void repairChecksums(std::span<std::byte> trace) {
  format::FileHeader file;
  if (trace.size() < sizeof(file))
    return;
  std::memcpy(&file, trace.data(), sizeof(file));
  format::SectionHeader head;
  for (std::uint64_t at = file.headerBytes, sections = 0; at + sizeof(head) <= trace.size(); ++sections) {
    std::memcpy(&head, trace.data() + at, sizeof(head));
    if (head.bytes > trace.size() - at - sizeof(head))
      return;
    const std::span payload = trace.subspan(at + sizeof(head), head.bytes);
    if (head.kind == format::SectionKind::End && payload.size() == sizeof(format::EndRecord))
      std::memcpy(payload.data() + offsetof(format::EndRecord, sections), &sections, sizeof(sections));
    head.checksum = decoder::checksumOf(payload);
    std::memcpy(trace.data() + at, &head, sizeof(head));
    at += sizeof(head) + (head.bytes + 7) / 8 * 8;
  }
}

} // namespace kperf::test
