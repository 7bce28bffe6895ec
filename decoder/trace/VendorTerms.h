// A GPU vendor's own words for the columns that kperf names in NVIDIA's.
#ifndef KPERF_DECODER_VENDOR_TERMS_H
#define KPERF_DECODER_VENDOR_TERMS_H

#include "decoder/trace/Trace.h"

#include <string>
#include <string_view>

namespace kperf::decoder {

/// AMD's: HIP Programming Guide, "Hardware implementation" and "Terminology".
struct VendorTerms {
  std::string_view warp, block, sm;
  std::string_view sharedMemory;
  std::string_view passes;     ///< in which shared memory serves one access
  std::string_view sumsOfWarp; ///< how lanes of a warp add up
  /// What shared memory adds up by itself, though counts don't know of it; "" where nothing is known. (docs/measurements.md.)
  std::string_view ownSums;
};

/// Of a device's architecture, "sm_90" or "gfx942"; NVIDIA's where it says neither.
const VendorTerms &termsOf(std::string_view architecture);

/// Of a trace's devices; NVIDIA's where they are of several vendors.
const VendorTerms &termsOf(const Trace &trace);

/// A sentence that says what columns mean whose words are not the vendor's; empty where they are.
std::string glossaryOf(const Trace &trace);

} // namespace kperf::decoder

#endif
