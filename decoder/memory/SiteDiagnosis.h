// What the counters of one access site say is wrong with it, and what would help.
#ifndef KPERF_DECODER_SITE_DIAGNOSIS_H
#define KPERF_DECODER_SITE_DIAGNOSIS_H

#include "decoder/memory/MemoryFindings.h"

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// An array, as far as a function's accesses to it tell. In shared memory what helps has to help all those with conflicts.
struct AccessedArray {
  unsigned mixed = 0;   ///< accesses that are each of several shapes
  bool hasRows = false; ///< that lanes of some access with conflicts differ by
  bool canPad = true;   ///< rows: each access whose lanes lie at least a pass over the banks apart has fewer conflicts then
  bool canSkip = true;  ///< an element after each pass over the banks: each access has fewer conflicts then
};

/// What is accessed, without its indices: "p" of "p[2 * pitch]" and of "&p[i].x".
std::string_view arrayOf(std::string_view expression);

/// Adds what the site tells of its array.
void describeArray(const SiteTotals &site, AccessedArray &array);

/// Adds what is wrong with the site, which accesses `array`.
void diagnoseSite(const SiteTotals &site, const AccessedArray &array, std::vector<MemoryFinding> &out);

/// "1.50", "32": two decimals where they say something.
std::string shortNumber(double value);

} // namespace kperf::decoder

#endif
