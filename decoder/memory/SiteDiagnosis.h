// What the counters of one access site say is wrong with it, and what would help.
#ifndef KPERF_DECODER_SITE_DIAGNOSIS_H
#define KPERF_DECODER_SITE_DIAGNOSIS_H

#include "decoder/memory/MemoryFindings.h"

#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// An array of shared memory, as far as its accesses with conflicts tell: what helps has to help all of them.
struct SharedArray {
  bool hasRows = false; ///< that lanes of some access differ by
  bool canPad = true;   ///< rows: each access whose lanes lie at least a pass over the banks apart has fewer conflicts then
  bool canSkip = true;  ///< an element after each pass over the banks: each access has fewer conflicts then
};

/// What is accessed, without its indices: "p" of "p[2 * pitch]" and of "&p[i].x".
std::string_view arrayOf(std::string_view expression);

/// Adds what the site's conflicts tell of its array.
void describeArray(const SiteTotals &site, SharedArray &array);

/// Adds what is wrong with the site, which accesses `array`.
void diagnoseSite(const SiteTotals &site, const SharedArray &array, std::vector<MemoryFinding> &out);

/// "1.50", "32": two decimals where they say something.
std::string shortNumber(double value);

} // namespace kperf::decoder

#endif
