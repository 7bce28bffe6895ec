// Reads frames and records out of streams.
#include "runtime/device/StreamRecords.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace kperf::runtime {
namespace {

using format::Record;
using format::RecordKind;

constexpr std::uint32_t tagOf(RecordKind kind, std::uint32_t id) { return id | static_cast<std::uint32_t>(kind) << format::kKindShift; }

/// Whether a piece is a record by itself, rather than a frame: its last word is a tag, and not an id.
bool isRecord(std::span<const Record> pieces) { return pieces.size() == 1 || pieces.back().tag >> format::kKindShift != 0; }

class Reader {
public:
  Reader(const FrameTable &frames, std::span<const std::uint32_t> switchedOff, StreamRecords &out)
      : frames(frames), switchedOff(switchedOff), out(out) {}

  /// Appends what a piece of the stream holds; false where it holds nothing.
  bool append(std::span<const Record> pieces) {
    if (pieces.back().tag == 0)
      return false;
    if (isRecord(pieces))
      out.records.push_back(pieces.front());
    else
      appendFrame(pieces);
    return true;
  }

private:
  /// A record that one clock of a frame, or two, make.
  struct Read {
    unsigned place; ///< twice the word of its last clock, and one more for what begins there
    Record record;
  };

  /// What of a frame one region's clocks make.
  void appendRegion(std::uint32_t id, const FrameRegion &region, std::span<const std::uint32_t> words, std::uint32_t lanes) {
    const std::uint32_t first = words[region.begin], last = words[region.end], object = region.object ? words[region.object] : 0;
    const bool isOff = !switchedOff.empty() && (switchedOff[id % KPERF_SWITCHES / 32] >> id % 32 & 1) != 0;
    if (isOff || (first == 0 && last == 0)) // what is off has its clocks all the same: they may be others' too
      return;
    if (region.kind == format::RegionKind::Range) {
      read.push_back({2 * region.begin + 1, {first, 0, lanes, tagOf(RecordKind::Begin, id)}});
      read.push_back({2 * region.end, {last, 0, lanes, tagOf(RecordKind::End, id)}});
    } else if (region.kind == format::RegionKind::Signal) {
      read.push_back({2 * region.begin + 1, {first, object, lanes, tagOf(RecordKind::Mark, id)}});
    } else {
      const bool isWait = region.kind == format::RegionKind::Wait;
      read.push_back({2 * region.end, {first, last, isWait ? object : lanes, tagOf(RecordKind::Span, id)}});
    }
  }

  void appendFrame(std::span<const Record> pieces) {
    std::uint32_t words[32];
    std::memcpy(words, pieces.data(), pieces.size_bytes());
    const std::span<const std::uint32_t> clocks(words, pieces.size() * 4 - 2);
    std::uint32_t id = pieces.back().tag;
    const FrameRegion *region = frames.find(id);
    out.unknown += region == nullptr;
    read.clear();
    const auto isInside = [&](unsigned word) { return word < clocks.size(); };
    for (std::size_t left = 4 * clocks.size(); region && left > 0; --left) {
      if (!isInside(region->begin) || !isInside(region->end) || !isInside(region->object))
        break;
      appendRegion(id, *region, clocks, pieces.back().lanes);
      id = region->next;
      region = id ? frames.find(id) : nullptr;
    }
    // Clocks are read in the order of the words. Of one clock, what ends comes first, and of two that end, the inner one, which is behind
    // the outer one in the table.
    std::reverse(read.begin(), read.end());
    const auto ends = std::stable_partition(read.begin(), read.end(), [](const Read &each) { return each.place % 2 == 0; });
    std::reverse(ends, read.end());
    std::stable_sort(read.begin(), read.end(), [](const Read &left, const Read &right) { return left.place < right.place; });
    for (const Read &each : read)
      out.records.push_back(each.record);
  }

  const FrameTable &frames;
  std::span<const std::uint32_t> switchedOff;
  StreamRecords &out;
  std::vector<Read> read;
};

/// Lanes that came to a record; all of them where it says what was waited for instead.
unsigned lanesOf(const Record &record, bool isAlone, const FrameTable &frames) {
  const bool hasObject = isAlone && frames.isWait(record.tag & format::kIdMask);
  return hasObject ? 32 : static_cast<unsigned>(std::popcount(record.lanes));
}

} // namespace

StreamRecords recordsOf(const format::WarpHeader &part, std::span<const Record> pieces, const FrameTable &frames, bool keepLast,
                        std::span<const std::uint32_t> switchedOff) {
  StreamRecords result;
  const std::uint32_t size = (part.nameBytes & ((1u << KPERF_STREAM_LANES_SHIFT) - 1)) / 4;
  if (size == 0 || size > 8 || !std::has_single_bit(size))
    return result;
  Reader reader(frames, switchedOff, result);
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
    visits += lanesOf(piece.back(), size == 1, frames);
  }
  result.produced = result.records.size();
  if (isFinished && total > kept && read > 0)
    result.produced += (total - kept) * ((result.records.size() + read - 1) / read);
  const std::uint64_t entered = part.nameBytes >> KPERF_STREAM_LANES_SHIFT;
  const std::uint64_t came = total * entered + part.nameAddress; // which may be below 0
  if (entered == 0)
    result.otherLanes = part.nameAddress;
  else if (isFinished && total <= kept && came > visits)
    result.otherLanes = came - visits;
  return result;
}

} // namespace kperf::runtime
