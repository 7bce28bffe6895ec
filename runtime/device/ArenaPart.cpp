// Copies a part back chunk by chunk and finds the slots in it.
#include "runtime/device/ArenaPart.h"

#include <algorithm>
#include <cstring>

namespace kperf::runtime {

using format::Record;
using format::WarpHeader;

constexpr std::uint64_t kMinChunkBytes = 256 << 10; ///< parts are read side by side: host memory is parts × this

void ArenaPart::begin(std::uint64_t used) {
  taken = std::min(used, bytes);
  isFull = used > bytes;
  copied = collected;
  at = 0;
  hasHeader = false;
  status = 0;
}

bool ArenaPart::fill() {
  chunk.erase(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(at));
  at = 0;
  const std::uint64_t more = std::min(std::max(kMinChunkBytes, maxSlotBytes), taken - copied);
  if (more == 0)
    return false;
  const std::size_t before = chunk.size();
  chunk.resize(before + more);
  if ((status = gpu->copy_back(chunk.data() + before, address + copied, more)) != 0) {
    chunk.resize(before);
    return false;
  }
  copied += more;
  return true;
}

const WarpHeader *ArenaPart::front() {
  while (!hasHeader && status == 0) {
    if (chunk.size() - at >= sizeof(WarpHeader)) {
      std::memcpy(&header, chunk.data() + at, sizeof(header));
      if (header.slotBytes < sizeof(header) + std::size_t{header.capacity} * sizeof(Record))
        break; // nobody described a slot here
      if (chunk.size() - at >= header.slotBytes) {
        hasHeader = true;
        break;
      }
    }
    if (!fill())
      break;
  }
  return hasHeader ? &header : nullptr;
}

std::span<const Record> ArenaPart::records() const {
  return {reinterpret_cast<const Record *>(chunk.data() + at + sizeof(WarpHeader)), header.capacity};
}

void ArenaPart::pop() {
  at += header.slotBytes;
  collected += header.slotBytes;
  hasHeader = false;
}

std::uint64_t ArenaPart::end() {
  chunk = {};
  at = 0;
  hasHeader = false;
  const std::uint64_t unread = taken - collected;
  return status != 0 || !isFull ? unread : 0;
}

std::uint64_t ArenaPart::newRefusals(std::uint64_t refused) {
  const std::uint64_t more = refused - refusals;
  refusals = refused;
  return more;
}

} // namespace kperf::runtime
