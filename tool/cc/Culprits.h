// Finds which of a source's regions and waits can't be built, by leaving some out and compiling the rest.
#ifndef KPERF_TOOL_CC_CULPRITS_H
#define KPERF_TOOL_CC_CULPRITS_H

#include "tool/plain/PlainCopies.h"

#include "rewriters/plan/RegionPlace.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kperf::cc {

using KernelChanges = std::vector<plain::KernelChange>;

/// Builds of one source with some of its regions left out.
class PartialBuilds {
public:
  virtual ~PartialBuilds() = default;

  /// Leaves these out, and says what is recorded then. Nothing: the search is to stop.
  virtual std::optional<std::vector<Region>> leaveOut(llvm::ArrayRef<RegionPlace> places) = 0;
  /// Compiles what was written, and says which kernels can't be built so; empty: all can. Nothing: the search is to stop.
  virtual std::optional<KernelChanges> compile() = 0;
};

/// A region that has to be left out.
struct Culprit {
  Region region;
  KernelChanges refused; ///< what kernels were with it, those that can't be built so
};

class Culprits {
public:
  /// A search that took so many builds leaves out what it has not looked at.
  static constexpr unsigned kMaxBuilds = 64;

  explicit Culprits(PartialBuilds &builds) : builds(builds) {}

  /// Those of `regions` without which all kernels can be built: no smaller part of them will do, so far as regions do not excuse each
  /// other. Empty where leaving out all of them does not help, or nothing needs to be. `refused`: what is known of the build with all of
  /// them. Nothing: the search was stopped.
  std::optional<std::vector<Culprit>> find(std::vector<Region> regions, KernelChanges refused);

private:
  using Regions = llvm::ArrayRef<Region>;

  bool addThoseBehind();
  KernelChanges withoutHopeless(KernelChanges changes) const;
  std::optional<KernelChanges> buildWith(Regions group);
  bool settle(Regions group, KernelChanges refused, bool isKnown);

  PartialBuilds &builds;
  std::vector<Region> candidates;
  std::vector<RegionPlace> kept; ///< with which all kernels can be built
  std::vector<Culprit> found;
  std::set<std::string> hopeless; ///< kernels that can't be built whatever is left out
  unsigned count = 0;             ///< of builds
};

} // namespace kperf::cc

#endif
