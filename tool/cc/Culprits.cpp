// Bisects the regions of a source until the one that can't be built is found.
#include "tool/cc/Culprits.h"

#include "llvm/ADT/STLExtras.h"

namespace kperf::cc {
namespace {

/// Kernels' own rows are there for what they hold.
bool isCandidate(const Region &region) { return region.kind != format::RegionKind::Kernel; }

std::vector<RegionPlace> placesOf(llvm::ArrayRef<Region> regions) {
  std::vector<RegionPlace> places;
  for (const Region &region : regions)
    places.push_back(placeOf(region));
  return places;
}

} // namespace

/// Leaves out all candidates, and what is recorded in their place: of work that several signals start the first one has the record.
bool Culprits::addThoseBehind() {
  for (;;) {
    const auto left = builds.leaveOut(placesOf(candidates));
    if (!left)
      return false;
    const std::size_t known = candidates.size();
    const std::vector<RegionPlace> places = placesOf(candidates);
    llvm::copy_if(*left, std::back_inserter(candidates),
                  [&](const Region &each) { return isCandidate(each) && !llvm::is_contained(places, placeOf(each)); });
    if (candidates.size() == known)
      return true;
  }
}

/// What can't be built with the group and all that is kept.
std::optional<KernelChanges> Culprits::buildWith(Regions group) {
  ++count;
  std::vector<RegionPlace> with = placesOf(group);
  with.insert(with.end(), kept.begin(), kept.end());
  std::vector<RegionPlace> without = placesOf(candidates);
  llvm::erase_if(without, [&](const RegionPlace &each) { return llvm::is_contained(with, each); });
  auto built = builds.leaveOut(without) ? builds.compile() : std::nullopt;
  return built ? std::optional(withoutHopeless(std::move(*built))) : std::nullopt;
}

KernelChanges Culprits::withoutHopeless(KernelChanges changes) const {
  llvm::erase_if(changes, [&](const plain::KernelChange &each) { return hopeless.contains(each.kernel); });
  return changes;
}

/// Keeps of the group what can be built with all that is kept. `refused`: what can't be with the group and what is around it; `isKnown`:
/// with the group alone.
bool Culprits::settle(Regions group, KernelChanges refused, bool isKnown) {
  if (!isKnown && count < kMaxBuilds) {
    auto built = buildWith(group);
    if (!built)
      return false;
    if (built->empty()) {
      llvm::append_range(kept, placesOf(group));
      return true;
    }
    refused = std::move(*built);
  }
  if (group.size() == 1 || count >= kMaxBuilds) {
    for (const Region &region : group)
      found.push_back({region, refused});
    return true;
  }
  const Regions first = group.take_front(group.size() / 2), second = group.drop_front(first.size());
  const std::size_t before = found.size();
  return settle(first, refused, false) && settle(second, refused, found.size() == before);
}

std::optional<std::vector<Culprit>> Culprits::find(std::vector<Region> regions, KernelChanges refused) {
  candidates = std::move(regions);
  llvm::erase_if(candidates, [](const Region &each) { return !isCandidate(each); });
  if (candidates.empty())
    return std::vector<Culprit>();
  if (!addThoseBehind())
    return std::nullopt;
  const auto without = builds.compile();
  if (!without)
    return std::nullopt;
  for (const plain::KernelChange &each : *without)
    hopeless.insert(each.kernel);
  const bool isKnown = !refused.empty();
  refused = withoutHopeless(std::move(refused));
  if (isKnown && refused.empty()) // nothing that can be left out helps
    return std::vector<Culprit>();
  if (!settle(candidates, std::move(refused), isKnown))
    return std::nullopt;
  return std::move(found);
}

} // namespace kperf::cc
