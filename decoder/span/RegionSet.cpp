// The regions of one or several traces of the same build, numbered densely.
#include "decoder/span/RegionSet.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace kperf::decoder {

std::string Region::work() const { return (operation == format::SyncOperation::CommitAwait ? "group before " : "") + name; }

std::string Region::location() const { return file.empty() ? "" : fmt::format("{}:{}", file, line); }

std::vector<std::string> RegionSet::distinctNames(std::span<const std::uint32_t> indices, std::string_view other) const {
  struct Namesakes {
    std::set<std::uint32_t> indices;
    std::set<std::string> lines;
  };
  const auto placeOf = [](const Region &region, bool hasColumn) {
    const std::string place = region.location().substr(region.file.rfind('/') + 1);
    return hasColumn && !place.empty() ? fmt::format("{}:{}", place, region.column) : place;
  };
  std::map<std::string_view, Namesakes> namesakes;
  for (const std::uint32_t index : indices)
    if (index < size()) {
      Namesakes &of = namesakes[regions[index].name];
      of.indices.insert(index);
      of.lines.insert(placeOf(regions[index], false));
    }
  std::vector<std::string> names;
  for (const std::uint32_t index : indices) {
    const Namesakes *const of = index < size() ? &namesakes[regions[index].name] : nullptr;
    const std::string place = of && of->indices.size() > 1 ? placeOf(regions[index], of->lines.size() < of->indices.size()) : "";
    names.push_back(!of ? std::string(other) : place.empty() ? regions[index].name : fmt::format("{} ({})", regions[index].name, place));
  }
  return names;
}

bool RegionSet::hasRemoteArrivals() const {
  return std::ranges::find(regions, format::SyncObject::RemoteBarrier, &Region::object) != regions.end();
}

bool RegionSet::hasUnnumberedArrivals() const {
  return std::ranges::any_of(regions, [](const Region &region) {
    return region.object == format::SyncObject::SomeBlockBarrier && region.operation == format::SyncOperation::Arrive;
  });
}

bool isAddress(format::SyncObject kind) { return kind == format::SyncObject::SharedBarrier || kind == format::SyncObject::PipelineSlot; }

std::uint32_t RegionSet::objectIn(std::uint32_t index, std::uint32_t value) const {
  const bool mayBeOfCluster = unit > 1 && isAddress(regions[index].object) && value != format::kNoAddress; // numbers, on the host target
  return mayBeOfCluster ? value & ~format::kOfCluster : value;
}

bool RegionSet::hasWaits() const { return std::ranges::find(kindList, format::RegionKind::Wait) != kindList.end(); }

void RegionSet::add(const Trace &trace) {
  words = &termsOf(trace); // traces that are added up are of one target
  unit = trace.header().target == format::Target::Host ? 1 : 8;
  if (!trace.devices().empty())
    warpLanes = std::max(trace.devices().front().warpLanes, 1u);
  for (const format::RegionRecord &row : trace.regions()) {
    const std::uint32_t known = find(row.id);
    if (known != kNone) {
      Region &region = regions[known];
      if (region.next == 0) // of a build whose regions can be switched off, and share nothing
        region.next = nextOf(row);
      if (region.kind != row.kind || region.name != trace.string(row.name) || region.function != trace.string(row.function))
        ++conflictCount;
      continue;
    }
    auto &node = nodes[row.id >> 16 & 0xff];
    if (!node)
      node = std::make_unique<Node>();
    auto &leaf = (*node)[row.id >> 8 & 0xff];
    if (!leaf) {
      leaf = std::make_unique<Leaf>();
      leaf->fill(kNone);
    }
    (*leaf)[row.id & 0xff] = size();
    regions.push_back({row.id, row.kind, std::string(trace.string(row.name)), std::string(trace.string(row.function)),
                       std::string(trace.string(row.file)), std::string(trace.string(row.source)), row.line, row.column, row.endLine,
                       operationOf(row), objectOf(row), nextOf(row)});
    kindList.push_back(row.kind);
  }
  secondList.assign(regions.size(), 0);
  for (const Region &region : regions)
    if (const std::uint32_t next = region.next ? find(region.next) : kNone; next != kNone)
      secondList[next] = 1;
}

} // namespace kperf::decoder
