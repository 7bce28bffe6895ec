// Decodes the records of each warp into spans.
#include "decoder/span/SpanDecoder.h"
#include "decoder/span/ClockUnwrap.h"

#include <algorithm>

namespace kperf::decoder {

Status SpanDecoder::run(const Trace &trace) {
  ranges.resize(regions.size());
  isShared.resize(regions.size());
  hasWarp = false;
  reading = &trace;
  Status status = trace.visit(*this);
  finishWarp();
  return status;
}

void SpanDecoder::warps(const format::WarpsHeader &head) {
  // A warp's parts may lie on both sides of a section's border: the runtime cuts sections by size.
  if (head.device != section.device || head.policy != section.policy)
    finishWarp();
  section = head;
  const format::DeviceRecord *device = reading->device(head.device);
  warpLanes = device ? std::max(device->warpLanes, 1u) : 32;
}

void SpanDecoder::warp(const format::WarpHeader &header) {
  if (!hasWarp || !continues(header, out.header))
    beginWarp(header);
  part = header;
  buffer.clear();
  splitPairs.clear();
}

void SpanDecoder::records(std::span<const format::Record> rows) {
  const std::size_t read = buffer.size() - splitPairs.size();
  const auto kept = rows.first(std::min(rows.size(), kMaxRecords - std::min<std::size_t>(kMaxRecords, read)));
  if (isReserved(part) || std::ranges::none_of(kept, isAdjacent)) {
    buffer.insert(buffer.end(), kept.begin(), kept.end());
    return;
  }
  for (const format::Record &record : kept)
    isAdjacent(record) ? splitAdjacent(record) : buffer.push_back(record);
}

/// An Adjacent record as the two spans that it stands for; of a region that none goes on from, it stays what it is:
/// damaged.
void SpanDecoder::splitAdjacent(const format::Record &record) {
  const std::uint32_t region = regions.find(idOf(record));
  const std::uint32_t next = region == RegionSet::kNone ? 0 : regions[region].next;
  const std::uint32_t second = regions.find(next);
  if (second == RegionSet::kNone) {
    buffer.push_back(record);
    return;
  }
  const std::uint32_t lanes = lanesOf(part, warpLanes);
  constexpr std::uint32_t kSpan = static_cast<std::uint32_t>(format::RecordKind::Span) << format::kKindShift;
  splitPairs.add(buffer.size());
  buffer.push_back({record.first, record.second, lanes, idOf(record) | kSpan});
  buffer.push_back({record.second, record.lanes, lanes, next | kSpan});
}

void SpanDecoder::beginWarp(const format::WarpHeader &header) {
  finishWarp();
  hasWarp = true;
  out = {};
  out.header = header;
  out.header.produced = out.header.capacity = 0;
  out.device = section.device;
  out.policy = section.policy;
  out.isFinished = true;
  out.begin = lastSeen = header.startCycles;
  out.end = header.startCycles;
  isDamaged = false;
  spans.clear();
  open.clear();
  marks.clear();
  sums.clear();
  ranges.clear();
}

void SpanDecoder::endWarp() {
  out.header.produced += part.produced;
  out.header.capacity += part.capacity;
  if (decoder::isFinished(part)) {
    isDamaged |= part.endCycles < part.startCycles;
    out.end = std::max(out.end, part.endCycles);
    out.header.endNs = std::max(out.header.endNs, part.endNs);
  } else {
    out.isFinished = false;
  }
  out.counts.produced += part.produced;
  out.counts.dropped += part.produced - readRecords();
  out.counts.skipped += part.skipped;
  if (isDamaged) {
    out.counts.damaged += readRecords();
    return;
  }
  const std::uint64_t spansBefore = out.counts.spans;
  decodePart();
  // Records are counted: of a pair of which both are well or both are not, one.
  const std::uint64_t well = std::min<std::uint64_t>(splitPairs.size(), out.counts.spans - spansBefore);
  out.counts.spans -= well;
  out.counts.damaged -= splitPairs.size() - well;
}

void SpanDecoder::decodePart() {
  partIndex = firstIndex(part, section.policy);
  partSpans = spans.size();
  ranges.beginPart();
  partMarks = marks.size();
  sums.beginPart();
  const bool isRing = section.policy == format::KeepPolicy::Last;
  if (isRing && !decoder::isFinished(part))
    rotateUnfinishedRing();
  if (decoder::isFinished(part) && part.endCycles - part.startCycles < (std::uint64_t{1} << 32) - 2 * kEdgeCycles)
    decodeWithin();
  else if (decoder::isFinished(part) && isRing && part.produced > part.capacity)
    decodeBackward();
  else
    decodeForward();
  ranges.endPart();
  if (part.produced > readRecords())
    notePartEdges();
  orderFrom(partSpans);
  const RegionSums::Verdict verdict =
      sums.endPart(decoder::isFinished(part) ? part.endCycles - part.startCycles : 0, part.produced > readRecords());
  out.counts.sums += verdict.sound;
  out.counts.damaged += verdict.damaged;
}

/// The runtime cannot unroll the ring of a warp that did not say how far it got; a drop of the generation shows the
/// seam.
void SpanDecoder::rotateUnfinishedRing() {
  if (!isReserved(part))
    return;
  const auto seam = std::ranges::adjacent_find(
      buffer, [](const format::Record &a, const format::Record &b) { return generationOf(b) == ((generationOf(a) - 1) & 0xf); });
  if (seam != buffer.end())
    std::rotate(buffer.begin(), seam + 1, buffer.end());
}

/// The clock by which records stand in order: their beginning where they were reserved, else their end.
std::uint32_t SpanDecoder::clockOf(const format::Record &record) const {
  return kindOf(record) == format::RecordKind::Span && !isReserved(part) ? record.second : record.first;
}

/// How far a record's clock may lie on the wrong side of its neighbour's.
std::uint64_t SpanDecoder::disorder() const { return isReserved(part) ? kReservedDisorder : kOrderedDisorder; }

/// Whether record i was written in the lap of the ring that its slot is in now.
bool SpanDecoder::isLive(std::size_t i) const {
  const format::Record &record = buffer.data()[i];
  return !decoder::isFinished(part) || generationOf(record) == expectedGeneration(part, partIndex + i);
}

/// A warp that lived for less than a wrap: every clock has one meaning, whatever the order. Nearly all records are spans
/// within the warp's life: those are decoded here without further questions, the others afterwards, one by one.
void SpanDecoder::decodeWithin() {
  const std::uint64_t earliest = part.startCycles - kEdgeCycles;
  const std::size_t count = buffer.size();
  others.clear();
  if (partIndex + count <= part.capacity || !isReserved(part)) { // else their generations differ
    isReserved(part) ? takeSpans<true>(earliest) : takeSpans<false>(earliest);
  } else {
    for (std::uint32_t i = 0; i < count; ++i)
      others.push_back(i);
  }
  for (const std::uint32_t i : others)
    take(i, unwrapFrom(earliest, clockOf(buffer.data()[i])));
}

template <bool isPartReserved> void SpanDecoder::takeSpans(std::uint64_t earliest) {
  constexpr std::uint32_t kPlainSpan = static_cast<std::uint32_t>(format::RecordKind::Span);
  const std::uint64_t first = part.startCycles, last = part.endCycles;
  const std::size_t before = spans.size();
  const auto count = static_cast<std::uint32_t>(buffer.size());
  spans.resize(before + count);
  Span *next = spans.data() + before;
  const format::RegionKind *const kinds = regions.kinds().data();
  std::uint64_t latest = lastSeen;
  for (std::uint32_t i = 0; i < count; ++i) {
    const format::Record record = buffer.data()[i];
    const std::uint32_t region =
        record.tag >> format::kKindShift == kPlainSpan ? regions.find(record.tag & format::kIdMask) : RegionSet::kNone;
    const std::uint64_t time = unwrapFrom(earliest, isPartReserved ? record.first : record.second);
    const std::uint32_t length = record.second - record.first;
    const std::uint64_t begin = isPartReserved ? time : time - length, end = begin + length;
    if (region == RegionSet::kNone || isInstant(kinds[region]) || begin < first || end > last || end < begin) {
      others.push_back(i);
      continue;
    }
    *next++ = {begin, end, region, record.lanes};
    isShared.data()[region] = isPartReserved;
    latest = std::max(latest, end);
  }
  lastSeen = latest;
  spans.resize(static_cast<std::size_t>(next - spans.data()));
  out.counts.spans += spans.size() - before;
}

void SpanDecoder::decodeForward() {
  std::uint64_t running = part.startCycles;
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    const format::Record &record = buffer[i];
    std::uint64_t time = running;
    if ((hasClock(kindOf(record)) || isOpen(record, part)) && isLive(i) && regions.find(idOf(record)) != RegionSet::kNone) {
      const std::uint64_t earliest =
          std::max(running - std::min(running, disorder()), part.startCycles - std::min(part.startCycles, kEdgeCycles));
      const std::uint32_t behind = splitPairs.behind(buffer, i);
      time = unwrapFrom(earliest, clockOf(record) + behind);
      running = std::max(running, time);
      time -= behind;
    }
    take(i, time);
  }
}

/// What a ring lost lies at its beginning: the end is the known side.
void SpanDecoder::decodeBackward() {
  times.resize(buffer.size());
  std::uint64_t running = part.endCycles;
  for (std::size_t i = buffer.size(); i-- > 0;) {
    const format::Record &record = buffer[i];
    times[i] = running;
    if (!hasClock(kindOf(record)) || !isLive(i) || regions.find(idOf(record)) == RegionSet::kNone)
      continue;
    const std::uint32_t behind = splitPairs.behind(buffer, i);
    times[i] = unwrapUntil(std::min(running + disorder(), part.endCycles + kEdgeCycles), clockOf(record) + behind);
    running = std::min(running, times[i]);
    times[i] -= behind;
  }
  for (std::size_t i = 0; i < buffer.size(); ++i)
    take(i, times[i]);
}

/// Moves times that lie just outside the warp's life to its edge; false when they lie further out.
bool SpanDecoder::place(std::uint64_t &begin, std::uint64_t &end) const {
  const std::uint64_t first = part.startCycles;
  if (begin + kEdgeCycles < first || end < begin)
    return false;
  begin = std::max(begin, first);
  end = std::max(end, first);
  if (!decoder::isFinished(part))
    return true;
  if (end > part.endCycles + kEdgeCycles)
    return false;
  end = std::min(end, part.endCycles);
  begin = std::min(begin, part.endCycles);
  return true;
}

void SpanDecoder::take(std::size_t i, std::uint64_t time) {
  const format::Record &record = buffer.data()[i];
  const format::RecordKind kind = kindOf(record);
  if (kind == format::RecordKind::Empty) {
    ++out.counts.empty;
    std::uint64_t same = time;
    if (const std::uint32_t region = regions.find(idOf(record)); region != RegionSet::kNone && isOpen(record, part) && place(time, same)) {
      open.push_back({time, time, region, record.lanes});
      lastSeen = std::max(lastSeen, time);
    }
    return;
  }
  if (!isLive(i)) {
    ++out.counts.stale;
    return;
  }
  const std::uint32_t region = regions.find(idOf(record));
  const Action action = region == RegionSet::kNone ? Action::Damaged : actionFor(kind, regions.kinds().data()[region]);
  if (action == Action::Take)
    return takeSpan(record, region, time);
  if (action == Action::Sum)
    return sums.take(record, region);
  std::uint64_t same = time;
  if (action == Action::Damaged || !place(time, same)) {
    ++out.counts.damaged;
    return;
  }
  lastSeen = std::max(lastSeen, time);
  if (action == Action::Mark) {
    marks.push_back({time, region, record.lanes, record.second});
    isShared[region] = isReserved(part);
    ++out.counts.marks;
  } else {
    ranges.add({time, region, record.lanes, action == Action::Open});
  }
}

void SpanDecoder::takeSpan(const format::Record &record, std::uint32_t region, std::uint64_t time) {
  const std::uint32_t length = record.second - record.first;
  std::uint64_t begin = isReserved(part) ? time : time - length;
  std::uint64_t end = begin + length;
  if (!place(begin, end)) {
    ++out.counts.damaged;
    return;
  }
  lastSeen = std::max(lastSeen, end);
  spans.push_back({begin, end, region, record.lanes});
  isShared.data()[region] = isReserved(part);
  ++out.counts.spans;
}

/// Where records of a part were dropped, what is known ends with its last kept record, begins with its first, or both. A record stands
/// where its region began if it was reserved, else where that ended: what a region that ends later, or began earlier, holds beyond
/// that is not known.
void SpanDecoder::notePartEdges() {
  std::uint64_t first = kNever, last = 0;
  const std::vector<std::uint64_t> firstOfPairs = splitPairs.keys(buffer); // they stand where the second ones do
  for (std::size_t i = partSpans; i < spans.size(); ++i) {
    if (std::ranges::binary_search(firstOfPairs, SplitPairs::key(spans[i])))
      continue;
    const std::uint64_t at = isReserved(part) ? spans[i].begin : spans[i].end;
    first = std::min(first, at);
    last = std::max(last, at);
  }
  for (const RangePairs::Event &event : ranges.ofPart()) {
    first = std::min(first, event.at);
    last = std::max(last, event.at);
  }
  for (std::size_t i = partMarks; i < marks.size(); ++i) {
    first = std::min(first, marks[i].at);
    last = std::max(last, marks[i].at);
  }
  const bool isRing = section.policy == format::KeepPolicy::Last;
  if (!isRing && part.produced > part.skipped + readRecords())
    out.kept.loseNewest(last, isReserved(part));
  if (isRing || part.skipped > 0)
    out.kept.loseOldest(first, isReserved(part));
}

void SpanDecoder::finishWarp() {
  if (!hasWarp)
    return;
  hasWarp = false;
  if (isDamaged)
    return sink.damagedWarp(out.header, out.device);
  if (!out.isFinished)
    out.end = std::max(out.end, lastSeen);
  out.header.endCycles = out.end;
  const std::size_t firstPair = spans.size();
  ranges.pair(spans, out.counts, out.kept.hasLostOldest);
  out.kept.noteOpenEnds(ranges.earliestOpen(), ranges.latestOrphan());
  orderFrom(firstPair);
  if (!std::ranges::is_sorted(marks, {}, &Mark::at))
    std::ranges::stable_sort(marks, {}, &Mark::at);
  out.kept.clampTo(out.begin, out.end);
  out.spans = spans;
  out.marks = marks;
  std::ranges::stable_sort(open, {}, &Span::begin);
  out.open = open;
  out.sums = sums.all();
  out.lengthsOfSums = sums.allLengths();
  out.unmatched = ranges.unmatched();
  out.isShared = isShared;
  out.isPaired = ranges.paired();
  out.isSecond = regions.seconds();
  if (out.header.kernel == format::kCalibrationKernel)
    sink.calibration(out);
  else
    sink.warp(out);
}

/// Sorts the spans from `first` on, which are nearly in order, and merges them with the sorted ones before. Records
/// that stand in the order of their ends have each region behind those inside it: few steps back for each.
void SpanDecoder::orderFrom(std::size_t first) {
  const auto precedes = [](const Span &a, const Span &b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; };
  const auto start = spans.begin() + static_cast<std::ptrdiff_t>(first);
  std::ptrdiff_t budget = 32 * (spans.end() - start);
  for (auto at = start; at != spans.end(); ++at) {
    if (at == start || !precedes(*at, *(at - 1)))
      continue;
    const Span span = *at;
    auto place = at - 1; // it belongs before this one, and mostly not far before
    for (int steps = 16; place != start && precedes(span, *(place - 1)); --place)
      if (--steps == 0) {
        place = std::upper_bound(start, place, span, precedes);
        break;
      }
    budget -= at - place;
    if (budget < 0) {
      std::sort(start, spans.end(), precedes);
      break;
    }
    std::move_backward(place, at, at + 1);
    *place = span;
  }
  if (start != spans.begin() && start != spans.end() && precedes(*start, *(start - 1)))
    std::inplace_merge(spans.begin(), start, spans.end(), precedes);
}

} // namespace kperf::decoder
