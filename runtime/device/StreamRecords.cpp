// Reads frames and records out of streams.
#include "runtime/device/StreamRecords.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace kperf::runtime {
namespace {

using format::Record;
using format::RecordKind;

constexpr std::uint32_t tagOf(RecordKind kind, std::uint32_t id) { return id | static_cast<std::uint32_t>(kind) << format::kKindShift; }

class Reader {
public:
  Reader(const FrameTable &frames, StreamRecords &out) : frames(frames), out(out) {}

  /// Appends what a piece of the stream holds; false where it holds nothing.
  bool append(std::span<const Record> pieces) {
    if (pieces.back().tag == 0)
      return false;
    if (pieces.size() == 1)
      out.records.push_back(pieces.front());
    else
      appendFrame(pieces);
    return true;
  }

private:
  void appendFrame(std::span<const Record> pieces) {
    std::uint32_t words[32];
    std::memcpy(words, pieces.data(), pieces.size_bytes());
    const std::uint32_t lanes = pieces.back().lanes;
    std::map<unsigned, Record> inOrder; // clocks are read in the order of the words; of one clock, what ends comes first
    std::uint32_t id = pieces.back().tag;
    const FrameRegion *region = frames.find(id);
    out.unknown += region == nullptr;
    const unsigned clocks = static_cast<unsigned>(pieces.size() * 4 - 2);
    for (unsigned left = clocks; region && left > 0 && region->begin < clocks && region->end < clocks; --left) {
      const std::uint32_t first = words[region->begin], last = words[region->end];
      if (first != 0 || last != 0) {
        const bool isRange = region->kind == format::RegionKind::Range;
        if (isRange)
          inOrder[2 * region->begin + 1] = {first, 0, lanes, tagOf(RecordKind::Begin, id)};
        inOrder[2 * region->end] = isRange ? Record{last, 0, lanes, tagOf(RecordKind::End, id)}
                                      : Record{first, last, lanes, tagOf(RecordKind::Span, id)};
      }
      id = region->next;
      region = id ? frames.find(id) : nullptr;
    }
    for (const auto &[place, record] : inOrder)
      out.records.push_back(record);
  }

  const FrameTable &frames;
  StreamRecords &out;
};

/// Lanes that came to a record; all of them where it says what was waited for instead.
unsigned lanesOf(const Record &record, bool isFrame, const FrameTable &frames) {
  const bool hasObject = !isFrame && frames.isWait(record.tag & format::kIdMask);
  return hasObject ? 32 : static_cast<unsigned>(std::popcount(record.lanes));
}

} // namespace

StreamRecords recordsOf(const format::WarpHeader &part, std::span<const Record> pieces, const FrameTable &frames, bool keepLast) {
  StreamRecords result;
  const std::uint32_t size = (part.nameBytes & ((1u << KPERF_STREAM_LANES_SHIFT) - 1)) / 4;
  if (size == 0 || size > 8 || !std::has_single_bit(size))
    return result;
  Reader reader(frames, result);
  const std::uint64_t capacity = std::min<std::uint64_t>(part.capacity, pieces.size()) / size;
  const bool isFinished = (part.flags & format::kWarpFinished) != 0;
  const std::uint64_t total = isFinished ? part.produced / size : capacity, kept = std::min(total, capacity);
  const std::uint64_t oldest = keepLast && total > capacity ? total % capacity : 0;
  std::uint64_t read = 0, visits = 0;
  for (std::uint64_t index = 0; index < kept; ++index) {
    const auto piece = pieces.subspan((oldest + index) % capacity * size, size);
    if (!reader.append(piece))
      continue;
    ++read;
    visits += lanesOf(piece.back(), size > 1, frames);
  }
  result.produced = result.records.size();
  if (isFinished && total > kept && read > 0)
    result.produced += (total - kept) * ((result.records.size() + read - 1) / read);
  const std::uint64_t came = total * (part.nameBytes >> KPERF_STREAM_LANES_SHIFT) + part.nameAddress; // which may be below 0
  if (isFinished && total <= kept && came > visits)
    result.otherLanes = came - visits;
  return result;
}

} // namespace kperf::runtime
