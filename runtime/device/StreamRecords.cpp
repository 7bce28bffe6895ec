// Reads frames and records from streams.
#include "runtime/device/StreamRecords.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <utility>
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
  /// A record that a frame holds: which of its region's it is, and where its clocks are.
  struct Step {
    std::uint32_t id;
    RecordKind kind;
    FrameRegion region;
  };

  /// What frames of a region hold, in the order in which their clocks are read. Of one clock, what ends comes first, and of two that end,
  /// the inner one, which is behind the outer one in the table.
  std::vector<Step> stepsOf(std::uint32_t id, unsigned clocks) const {
    std::map<std::pair<unsigned, int>, Step> inOrder; // by twice the word, one more for what begins there; then by depth
    const FrameRegion *region = frames.find(id);
    for (int depth = 0; region && depth < kMaxRegions; ++depth) {
      if (region->begin >= clocks || region->end >= clocks || region->object >= clocks)
        break;
      const auto add = [&](unsigned word, bool isBegin, RecordKind kind) {
        inOrder.emplace(std::pair(2 * word + isBegin, isBegin ? depth : -depth), Step{id, kind, *region});
      };
      if (region->kind == format::RegionKind::Range)
        add(region->begin, true, RecordKind::Begin);
      if (region->kind == format::RegionKind::Signal)
        add(region->begin, true, RecordKind::Mark);
      else
        add(region->end, false, region->kind == format::RegionKind::Range ? RecordKind::End : RecordKind::Span);
      id = region->next;
      region = id ? frames.find(id) : nullptr;
    }
    std::vector<Step> steps;
    for (const auto &[place, step] : inOrder)
      if (!isOff(step.id)) // it has its clocks all the same: they may be others' too
        steps.push_back(step);
    return steps;
  }

  bool isOff(std::uint32_t id) const { return !switchedOff.empty() && (switchedOff[id % KPERF_SWITCHES / 32] >> id % 32 & 1) != 0; }

  void appendFrame(std::span<const Record> pieces) {
    std::uint32_t words[32];
    std::memcpy(words, pieces.data(), pieces.size_bytes());
    const std::uint32_t id = pieces.back().tag, lanes = pieces.back().lanes;
    out.unknown += frames.find(id) == nullptr;
    const auto [known, isNew] = stepsById.try_emplace(id);
    if (isNew)
      known->second = stepsOf(id, static_cast<unsigned>(pieces.size() * 4 - 2));
    for (const Step &step : known->second) {
      const FrameRegion &region = step.region;
      const std::uint32_t first = words[region.begin], last = words[region.end], object = region.object ? words[region.object] : 0;
      if (first == 0 && last == 0)
        continue;
      const std::uint32_t tag = tagOf(step.kind, step.id);
      if (step.kind == RecordKind::Span)
        out.records.push_back({first, last, region.kind == format::RegionKind::Wait ? object : lanes, tag});
      else
        out.records.push_back({step.kind == RecordKind::End ? last : first, object, lanes, tag});
    }
  }

  static constexpr int kMaxRegions = 128; ///< of a frame, lest a table that is no chain keeps us

  const FrameTable &frames;
  std::span<const std::uint32_t> switchedOff;
  StreamRecords &out;
  std::map<std::uint32_t, std::vector<Step>> stepsById; ///< of the first region: all pieces of a stream are as long
};

/// Whether a record says what was waited for, and nothing the lanes that came.
bool hasObject(const Record &record, const FrameTable &frames) { return frames.isWait(record.tag & format::kIdMask); }

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
  const std::uint64_t oldest = keepLast && capacity > 0 && total > capacity ? total % capacity : 0;
  result.startCycles = part.startCycles;
  for (std::uint64_t index = 0; index < kept; ++index) {
    const auto piece = pieces.subspan((oldest + index) % capacity * size, size);
    if (!reader.append(piece))
      continue;
    const bool isSaid = size > 1 || !hasObject(piece.back(), frames);
    result.pieces.push_back({result.records.size(), isSaid ? static_cast<std::uint32_t>(std::popcount(piece.back().lanes)) : 32});
    result.saysLanes &= isSaid;
  }
  const std::uint64_t read = result.pieces.size();
  result.produced = result.records.size();
  if (isFinished && total > kept) // of pieces that nobody kept it is not known how many records each holds: one at least
    result.produced += (total - kept) * (read > 0 ? (result.records.size() + read - 1) / read : 1);
  const std::uint64_t entered = part.nameBytes >> KPERF_STREAM_LANES_SHIFT;
  result.isRow = entered == 0;
  if (result.isRow)
    result.otherLanes = part.nameAddress;
  else if (isFinished && total <= kept)
    result.came = static_cast<std::int64_t>(total * entered + part.nameAddress);
  return result;
}

} // namespace kperf::runtime
