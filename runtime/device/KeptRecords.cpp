// Copies a slot's records in the order in which they were made.
#include "runtime/device/KeptRecords.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace kperf::runtime {

using format::Record;
using format::WarpHeader;

namespace {

/// The clock by which records stand in order.
std::uint32_t clockOf(const Record &record) {
  const bool isSpan = record.tag >> format::kKindShift == static_cast<std::uint32_t>(format::RecordKind::Span);
  return isSpan ? record.second : record.first;
}

/// Chunks of records as one sequence in the order of their clocks, without the places that stayed empty. The records of a chunk are in
/// order, and so are the first ones of all chunks; from one to the next in such an order it is less than 2^32 cycles.
/// Where some were dropped it ends with the last chunk's first record: what had no room came behind that, and what is missing is to lie
/// behind all that is kept.
std::vector<Record> inOrder(std::span<const Record> records, std::uint32_t chunk, bool isSomeDropped) {
  constexpr std::int64_t kLate = 1 << 20; // lanes that come at the same time take chunks in any order
  std::vector<std::pair<std::int64_t, Record>> timed;
  timed.reserve(records.size());
  std::int64_t chunkBegin = 0;
  for (std::size_t at = 0; at < records.size(); at += chunk) {
    std::int64_t time = chunkBegin;
    const std::size_t ofChunk = timed.size();
    for (const Record &record : records.subspan(at, std::min<std::size_t>(chunk, records.size() - at))) {
      if (record.tag == 0)
        continue;
      const std::int64_t earliest = time - kLate;
      time = earliest + std::int64_t{clockOf(record) - static_cast<std::uint32_t>(earliest)};
      timed.emplace_back(time, record);
    }
    chunkBegin = ofChunk < timed.size() ? timed[ofChunk].first : chunkBegin;
  }
  std::ranges::stable_sort(timed, {}, &std::pair<std::int64_t, Record>::first);
  std::vector<Record> ordered;
  ordered.reserve(timed.size());
  for (const auto &[time, record] : timed)
    if (!isSomeDropped || time <= chunkBegin)
      ordered.push_back(record);
  return ordered;
}

} // namespace

void appendRecords(std::vector<std::byte> &out, WarpHeader &header, const Record *slot, bool keepLast, std::uint32_t chunk) {
  const auto append = [&](const Record *from, const Record *to) {
    const auto bytes = std::as_bytes(std::span(from, to));
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  const std::size_t headerAt = out.size();
  out.resize(headerAt + sizeof(header));
  const std::uint32_t capacity = header.capacity;
  const bool isInChunks = (header.flags & format::kWarpInChunks) && chunk > 1;
  header.flags &= static_cast<std::uint16_t>(~format::kWarpInChunks);
  if ((header.flags & format::kWarpForeign) && header.produced > 0) { // its count of what found no room
    header.produced += capacity;
    append(slot, slot + capacity);
  } else if (isInChunks) {
    const bool isFinished = (header.flags & format::kWarpFinished) != 0, isSomeDropped = isFinished && header.produced > capacity;
    const std::span<const Record> places(slot, isFinished ? std::min(header.produced, capacity) : capacity);
    const auto empty = static_cast<std::uint32_t>(std::ranges::count(places, 0u, &Record::tag));
    const std::vector<Record> records = inOrder(places, chunk, isSomeDropped);
    header.capacity = isSomeDropped ? static_cast<std::uint32_t>(records.size()) : capacity; // as many as follow
    header.produced = (isFinished ? header.produced : capacity) - empty;
    append(records.data(), records.data() + records.size());
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
    append(slot, slot + std::min(header.produced - header.skipped, capacity));
  }
  std::memcpy(out.data() + headerAt, &header, sizeof(header));
}

} // namespace kperf::runtime
