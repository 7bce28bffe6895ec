// The edits, regions and sites that one rewriter adds to a plan, as a value.
#ifndef KPERF_REWRITERS_PLANADDITIONS_H
#define KPERF_REWRITERS_PLANADDITIONS_H

#include "rewriters/plan/Plan.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace kperf {

/// Edits, regions and sites. An index means the plan's region or site, or, beyond those, one of these: Plan::add() comes before anything
/// else is added to the plan.
class PlanAdditions {
public:
  explicit PlanAdditions(const Plan &plan) : plan(plan) {}

  /// The index of a region; the same place, kind and name give the same index.
  std::size_t addRegion(Region region) { return add(regions, std::move(region), plan.regions().size()); }
  /// The index of an access site; the same bytes and kind give the same index.
  std::size_t addSite(Site site) { return add(sites, std::move(site), plan.sites().size()); }
  void addEdit(Edit edit) { edits.push_back(std::move(edit)); }

  /// Regions `index` and `next` share records.
  void setNext(std::size_t index, std::size_t following) { next.emplace_back(index, following); }
  /// A function with a stream of its own records the region.
  void setStream(std::size_t index, const StreamPlace &place) { streams.emplace_back(index, place); }
  void setNextInFrame(std::size_t index, std::size_t following) { nextInFrame.emplace_back(index, following); }

  /// Says of a place that it is not timed; the same place and name count once.
  void skip(SkippedSite site) { skipped.push_back(std::move(site)); }
  /// The translation unit is registered even where there is no region and no site.
  void needModule() { needsModule = true; }

private:
  friend class Plan;

  template <typename Row> std::size_t add(UniqueRows<Row> &rows, Row row, std::size_t first) {
    const std::optional<std::size_t> known = plan.indexOf(row);
    return known ? *known : first + rows.add(std::move(row));
  }

  const Plan &plan;
  UniqueRows<Region> regions;
  UniqueRows<Site> sites;
  std::vector<Edit> edits;
  std::vector<std::pair<std::size_t, std::size_t>> next, nextInFrame;
  std::vector<std::pair<std::size_t, StreamPlace>> streams;
  std::vector<SkippedSite> skipped;
  bool needsModule = false;
};

} // namespace kperf

#endif
