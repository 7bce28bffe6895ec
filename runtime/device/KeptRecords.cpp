// Takes a slot's records in the order in which they were made.
#include "runtime/device/KeptRecords.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace kperf::runtime {

using format::Record;
using format::WarpHeader;

void appendRecords(std::vector<std::byte> &out, WarpHeader &header, const Record *slot, bool keepLast) {
  const auto append = [&](const Record *from, const Record *to) {
    const auto bytes = std::as_bytes(std::span(from, to));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const std::size_t headerAt = out.size();
  out.resize(headerAt + sizeof(header));
  const std::uint32_t capacity = header.capacity;
  if ((header.flags & format::kWarpForeign) && header.produced > 0) { // its count of what found no room
    header.produced += capacity;
    append(slot, slot + capacity);
  } else if (!(header.flags & format::kWarpFinished)) {
    header.produced = 0;
    for (std::uint32_t index = 0; index < capacity; ++index)
      if (slot[index].tag != 0)
        append(slot + index, slot + index + 1), ++header.produced;
  } else if (header.produced > capacity && keepLast) {
    const std::uint32_t oldest = header.produced & (capacity - 1);
    append(slot + oldest, slot + capacity);
    append(slot, slot + oldest);
  } else {
    append(slot, slot + std::min(header.produced - header.passed, capacity));
  }
  std::memcpy(out.data() + headerAt, &header, sizeof(header));
}

} // namespace kperf::runtime
