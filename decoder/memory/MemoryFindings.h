// What is wrong with an access site, what would help, and how much, predicted from the recorded addresses.
#ifndef KPERF_DECODER_MEMORY_FINDINGS_H
#define KPERF_DECODER_MEMORY_FINDINGS_H

#include "decoder/memory/MemoryTotals.h"
#include "decoder/table/Table.h"

#include <string>
#include <vector>

namespace kperf::decoder {

struct MemoryFinding {
  TracedSite site;
  const char *rule;                    ///< one word for what is wrong
  std::string cause;                   ///< with the numbers that show it
  std::string fix;                     ///< a candidate: only the author knows whether the program allows it
  std::string effect;                  ///< what it would make of those numbers
  unsigned rowPadding = 0;             ///< bytes that the rows of an array in shared memory would be padded by; 0: that is not the fix
  double saved = 0;                    ///< sectors and wavefronts that the fix would save, for the order of findings
  std::vector<TracedSite> others = {}; ///< of the same array, by place: the numbers are of all of them together
};

/// Of the sites that waste at least a tenth of what they move; those that would save most first. Conflicts of all accesses to one array of
/// shared memory have one remedy, as far as there is one for all.
std::vector<MemoryFinding> diagnoseAccesses(const MemoryTotals &totals);

/// The same, with accesses together that a function makes to one array in one region, of one cause and one remedy.
std::vector<MemoryFinding> diagnoseArrays(const MemoryTotals &totals);

/// The same for code review tools, of the first site.
Finding asFinding(const MemoryFinding &fault);
/// The same for people, of all sites.
Excerpt asExcerpt(const MemoryFinding &fault);

/// Passes over the banks that a warp of 32 lanes needs: fewest and most, over the places that its first lane may have.
struct BankWays {
  unsigned least, most;
  bool operator==(const BankWays &) const = default;
};

/// Of lanes whose elements of `bytes` bytes lie `stride` bytes apart, in an array with `skipped` bytes left out after every 128.
BankWays bankWays(std::uint64_t stride, unsigned bytes, unsigned skipped = 0);

} // namespace kperf::decoder

#endif
