// The regions of one or several traces of the same build, numbered densely.
#ifndef KPERF_DECODER_REGION_SET_H
#define KPERF_DECODER_REGION_SET_H

#include "decoder/trace/Trace.h"
#include "decoder/trace/VendorTerms.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

struct Region {
  std::uint32_t id;
  format::RegionKind kind;
  std::string name, function, file, source;
  std::uint32_t line, column, endLine;
  format::SyncOperation operation; ///< of a Wait or a Signal
  format::SyncObject object;       ///< what it does that with
  std::uint32_t next = 0;          ///< id of the region that its Adjacent records go on with; 0: none

  /// "file:line", or "" when unknown.
  std::string location() const;
  /// Its name as that of what lets a wait go on: asynchronous work is named after what started or closed it.
  std::string work() const;
};

/// Whether objects of the kind are told by the address of a barrier in shared memory; on the host target, by a number.
bool isAddress(format::SyncObject kind);

class RegionSet {
public:
  static constexpr std::uint32_t kNone = ~0u;

  /// Adds what is new. A region that is there already with another kind or name counts as a conflict.
  void add(const Trace &trace);

  /// The dense index of a 24-bit id, or kNone. Three loads, whatever the ids: this is asked for every record.
  std::uint32_t find(std::uint32_t id) const {
    const auto &node = nodes[id >> 16 & 0xff];
    const Leaf *leaf = node ? (*node)[id >> 8 & 0xff].get() : nullptr;
    return leaf ? (*leaf)[id & 0xff] : kNone;
  }
  const Region &operator[](std::uint32_t index) const { return regions[index]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(regions.size()); }
  std::span<const format::RegionKind> kinds() const { return kindList; }
  /// By index: whether another region's Adjacent records go on with it, so that it begins with the clock that the other
  /// one ends with.
  std::span<const std::uint8_t> seconds() const { return secondList; }
  /// Whether any region is a wait.
  bool hasWaits() const;
  /// Whether any is an arrival that may be at another block's barrier.
  bool hasRemoteArrivals() const;
  /// Whether any is an arrival at a barrier of the block of which the number is not known.
  bool hasUnnumberedArrivals() const;
  /// The names of some of them; of those that share one, with the place behind it: "load (k.cu:8)". `other`: of what is no region.
  std::vector<std::string> distinctNames(std::span<const std::uint32_t> indices, std::string_view other) const;
  /// Regions that share an id although they differ: their numbers cannot be told apart.
  std::uint64_t conflicts() const { return conflictCount; }
  /// The words of the traces' GPUs; NVIDIA's before there is a trace.
  const VendorTerms &terms() const { return *words; }
  /// What an Expect's object stands for: a step of format::kExpectedShift's lower bits.
  std::uint32_t expectedUnit() const { return unit; }
  /// The object that a wait's or a signal's record names, without what else it says of it there.
  std::uint32_t objectIn(std::uint32_t index, std::uint32_t value) const;
  /// Of a warp of the traces' GPUs.
  std::uint32_t lanes() const { return warpLanes; }

private:
  using Leaf = std::array<std::uint32_t, 256>;
  using Node = std::array<std::unique_ptr<Leaf>, 256>;
  std::vector<Region> regions;
  std::vector<format::RegionKind> kindList; ///< regions[i].kind, close together
  std::vector<std::uint8_t> secondList;
  std::array<std::unique_ptr<Node>, 256> nodes; ///< by the id's upper byte, then the middle one, then the lower one
  std::uint64_t conflictCount = 0;
  const VendorTerms *words = &termsOf("");
  std::uint32_t unit = 8, warpLanes = 32;
};

} // namespace kperf::decoder

#endif
