// Finds records of one event in several streams of a warp by their clocks.
#include "runtime/device/ReconvergedCalls.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace kperf::runtime {
namespace {

using format::Record;
using format::RecordKind;

RecordKind kindOf(const Record &record) { return static_cast<RecordKind>(record.tag >> format::kKindShift & format::kKindMask); }
std::uint32_t idOf(const Record &record) { return record.tag & format::kIdMask; }

/// A span, a range with both ends, or an instant.
struct Entry {
  std::size_t stream, begin, end; ///< records: of a range two, else one
  std::uint64_t began, ended;     ///< clocks
  std::uint32_t id, lanes;

  auto event() const { return std::tie(id, ended, lanes); }
};

/// The clocks of a stream's records, which are in the order of their ends, with the bits that records leave out.
class Clock {
public:
  explicit Clock(std::uint64_t start) : time(start) {}

  std::uint64_t of(std::uint32_t low) {
    const std::uint64_t earliest = time < kLate ? 0 : time - kLate;
    return time = earliest + (low - static_cast<std::uint32_t>(earliest));
  }

private:
  static constexpr std::uint64_t kLate = 1 << 20; // a frame's words are in the order of the text

  std::uint64_t time;
};

using SharedIds = std::unordered_set<std::uint32_t>;

/// The regions that several streams have.
SharedIds sharedIds(std::span<const StreamRecords> streams) {
  std::unordered_map<std::uint32_t, std::size_t> firsts;
  SharedIds shared;
  if (streams.size() < 2)
    return shared;
  for (std::size_t stream = 0; stream < streams.size(); ++stream)
    for (const Record &record : streams[stream].records)
      if (const auto [first, isNew] = firsts.try_emplace(idOf(record), stream); first->second != stream)
        shared.insert(idOf(record));
  return shared;
}

void addEntries(std::vector<Entry> &entries, std::size_t index, const StreamRecords &stream, const SharedIds &shared) {
  Clock clock(stream.startCycles);
  std::map<std::uint32_t, std::deque<Entry>> open; // ranges, first in, first out
  for (std::size_t at = 0; at < stream.records.size(); ++at) {
    const Record &record = stream.records[at];
    const bool isSpan = kindOf(record) == RecordKind::Span;
    const std::uint64_t time = clock.of(isSpan ? record.second : record.first);
    if (!shared.contains(idOf(record)))
      continue;
    const std::uint64_t began = isSpan ? time - (record.second - record.first) : time;
    const Entry entry{index, at, at, began, time, idOf(record), record.lanes};
    std::deque<Entry> &ranges = open[entry.id];
    if (kindOf(record) == RecordKind::Begin) {
      ranges.push_back(entry);
    } else if (kindOf(record) != RecordKind::End) {
      entries.push_back(entry);
    } else if (!ranges.empty()) {
      entries.push_back({index, ranges.front().begin, at, ranges.front().began, time, entry.id, entry.lanes});
      ranges.pop_front();
    }
  }
}

std::uint32_t lanesAtBegin(const Entry &entry, std::span<const StreamRecords> streams) {
  return streams[entry.stream].records[entry.begin].lanes;
}

void setLanes(StreamRecords &stream, std::size_t record, std::uint32_t lanes) {
  stream.records[record].lanes = lanes;
  if (const auto piece = std::ranges::upper_bound(stream.pieces, record, {}, &StreamPiece::end); piece->end == record + 1)
    piece->lanes = static_cast<std::uint32_t>(std::popcount(lanes));
}

/// Of ranges that several calls began together, and ended apart: each beginning keeps the lanes that are in its end, and the first one
/// those that are in none.
void divideBegins(std::span<StreamRecords> streams, std::vector<Entry> ranges) {
  const auto event = [&](const Entry &entry) { return std::tuple(entry.id, entry.began, lanesAtBegin(entry, streams), entry.stream); };
  std::ranges::sort(ranges, {}, event);
  for (std::size_t first = 0, end; first < ranges.size(); first = end) {
    const auto [id, began, lanes, stream] = event(ranges[first]);
    const auto isSame = [&](const Entry &entry) { return entry.id == id && entry.began == began && lanesAtBegin(entry, streams) == lanes; };
    for (end = first + 1; end < ranges.size() && isSame(ranges[end]);)
      ++end;
    std::uint32_t left = lanes;
    for (std::size_t at = first + 1; at < end; ++at)
      if (const std::uint32_t own = left & ranges[at].lanes; ranges[at].stream != stream && own != 0 && own != left) {
        setLanes(streams[ranges[at].stream], ranges[at].begin, own);
        left &= ~own;
      }
    setLanes(streams[stream], ranges[first].begin, left);
  }
}

/// What becomes of a record: another stream has all that it says, or its end only.
enum class Fate : std::uint8_t { Stays, IsToldElsewhere, EndIsTold };

void erase(StreamRecords &stream, const std::vector<Fate> &fates) {
  std::size_t kept = 0, at = 0;
  for (StreamPiece &piece : stream.pieces) {
    for (; at < piece.end; ++at) {
      piece.isToldElsewhere = fates[at] == Fate::IsToldElsewhere; // a piece is all of what its last clock is
      if (fates[at] == Fate::Stays)
        stream.records[kept++] = stream.records[at];
    }
    piece.end = kept;
  }
  stream.produced -= stream.records.size() - kept;
  stream.records.resize(kept);
}

std::int64_t visitsOf(const StreamRecords &stream, bool isAllKnown) {
  std::int64_t visits = 0;
  for (const StreamPiece &piece : stream.pieces)
    visits += isAllKnown && piece.isToldElsewhere ? 0 : piece.lanes;
  return visits;
}

} // namespace

void mergeReconverged(std::span<StreamRecords> streams) {
  const SharedIds shared = sharedIds(streams);
  if (shared.empty())
    return;
  std::vector<Entry> entries;
  for (std::size_t index = 0; index < streams.size(); ++index)
    addEntries(entries, index, streams[index], shared);
  std::ranges::sort(entries, {}, [](const Entry &entry) { return std::tuple_cat(entry.event(), std::tie(entry.began, entry.stream)); });
  std::vector<std::vector<Fate>> fates(streams.size());
  for (std::size_t index = 0; index < streams.size(); ++index)
    fates[index].resize(streams[index].records.size());
  for (std::size_t at = 1, first = 0; at < entries.size(); ++at) {
    const Entry &entry = entries[at];
    if (entry.event() != entries[first].event()) {
      first = at;
    } else if (entry.stream != entries[first].stream) { // within one stream nothing is there twice
      fates[entry.stream][entry.begin] = entry.began == entries[first].began ? Fate::IsToldElsewhere : Fate::EndIsTold;
      fates[entry.stream][entry.end] = Fate::IsToldElsewhere;
    }
  }
  std::erase_if(entries, [&](const Entry &entry) { return entry.begin == entry.end || fates[entry.stream][entry.end] != Fate::Stays; });
  divideBegins(streams, std::move(entries));
  for (std::size_t index = 0; index < streams.size(); ++index)
    erase(streams[index], fates[index]);
}

std::uint64_t otherLanesOf(std::span<const StreamRecords> streams) {
  const bool isAllKnown = std::ranges::all_of(streams, [](const StreamRecords &stream) { return stream.came || stream.isRow; });
  std::uint64_t sum = 0;
  std::int64_t missing = 0;
  for (const StreamRecords &stream : streams) {
    sum += stream.otherLanes;
    if (!stream.came)
      continue;
    const std::int64_t own = *stream.came - visitsOf(stream, isAllKnown);
    if (isAllKnown && stream.saysLanes)
      missing += own;
    else
      sum += static_cast<std::uint64_t>(std::max<std::int64_t>(own, 0));
  }
  return sum + static_cast<std::uint64_t>(std::max<std::int64_t>(missing, 0));
}

} // namespace kperf::runtime
