// One side of a comparison: its traces' samples, by the keys that identify kernels and regions.
#ifndef KPERF_DECODER_DIFF_SIDE_H
#define KPERF_DECODER_DIFF_SIDE_H

#include "decoder/compare/RunChange.h"
#include "decoder/totals/LaunchSamples.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace kperf::decoder {

/// What stays when lines move, or another annotation asks for the same: function, name, kind (Scope for all kinds of regions that an
/// annotation, a rule or --auto places), and the ordinal among those by line and column.
using RegionIdentity = std::tuple<std::string, std::string, format::RegionKind, std::uint32_t>;

struct SideRegion {
  /// By run: one for each launch where all of it is known, in a reduced trace one for all; ns has fewer runs where a clock is unknown.
  std::vector<RunValues> cycles, ns;
  std::uint64_t visits = 0;
  Region region;
};

struct SideKernel {
  std::string name, plain;
  std::vector<RunValues> durationNs; ///< by run
  std::uint64_t launches = 0, warps = 0, warpsLaunched = 0, dropped = 0;
  bool isSampled = false;    ///< of a launch, not all blocks are there
  std::uint64_t untimed = 0; ///< entries of unknown time
  std::map<RegionIdentity, SideRegion> regions;
};

struct DiffSide {
  std::vector<SideKernel> kernels;
  std::set<RegionIdentity> regions; ///< of its builds, entered or not
  std::vector<std::string> others, devices;
  std::uint64_t runs = 0, reduced = 0; ///< traces; those of them that are reduced, of which each has one value, the mean of its launches
  format::Target target = format::Target::Unknown;
  bool isVirtual = false; ///< its times are of the virtual clock, which says the same of the same work
};

/// Reads all traces of one side; they must be of one build, and all reduced or none.
Expected<DiffSide> readSide(std::span<const Trace> traces, const std::string &kernelPattern, Measure measure);

/// An error when times of the two sides say nothing about each other; `first…`: a trace of each.
Status checkComparable(const DiffSide &a, const Trace &firstOfA, const DiffSide &b, const Trace &firstOfB);

} // namespace kperf::decoder

#endif
