// Which cache lines the program touched, and when: the payload of References sections, which belong to format.h.
#ifndef KPERF_FORMAT_REFERENCES_H
#define KPERF_FORMAT_REFERENCES_H

#include <kperf/format.h>

namespace kperf::format {

/// A reference is one memory instruction of a warp that touches one 128-byte line of global memory: there are as many as kLines counts.
///
/// Lines fall into classes by a hash of their address: class 0 has half of all lines, class 1 a quarter, and so on; the last two are
/// equal. All references to the lines of a class are kept, or, where they would be too many, none that the reader may use: the class is
/// incomplete then. Each complete class is an unbiased sample of the lines, so that all complete ones together are a sample of
/// the rate that their shares add up to; only lines of so many uses that they leave no room for their class are missing more
/// often than others (spatially hashed sampling: Waldspurger et al., "Efficient MRC Construction with
/// SHARDS", FAST 2015).
inline constexpr unsigned kReferenceClasses = 24;
inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorBytes = 32;

/// Before the ReferenceRecord[] of one device. Sections of one device and run continue each other.
struct ReferencesHeader {
  std::uint32_t device;
  std::uint32_t incomplete; ///< bit c: class c is incomplete; once it is, it stays so
  std::uint32_t sampled;    ///< one in this many blocks was looked at; 1: all of them
  std::uint32_t run; ///< tells processes of a merged trace apart, and lives of a device that was reset: their orders have nothing in common
};
static_assert(sizeof(ReferencesHeader) == 16);

/// One reference. Ascending in nothing: the reader sorts by `order`.
struct ReferenceRecord {
  std::uint64_t line;     ///< address / kLineBytes | multiprocessor << kReferenceSmShift | class << kReferenceClassShift
  std::uint32_t order;    ///< of the references that were kept on the device, as they came
  std::uint32_t tag;      ///< id of the site | 32-byte sectors of the line that were touched, a bit each, << kReferenceSectorShift
  std::int32_t iteration; ///< of the innermost loop around the site that counts: its variable; kNoIteration without one
  std::uint32_t reserved; ///< 0
};
static_assert(sizeof(ReferenceRecord) == 24 && offsetof(ReferenceRecord, iteration) == 16);

/// Of a run that kept none.
inline constexpr ReferencesHeader kNoReferences = {0, (1u << kReferenceClasses) - 1, 1, 0};
inline constexpr std::uint64_t kReferenceLineMask = (1ull << 48) - 1;
inline constexpr unsigned kReferenceSmShift = 48; ///< 11 bits
inline constexpr std::uint32_t kReferenceSmMask = 0x7ff;
inline constexpr unsigned kReferenceClassShift = 59;  ///< 5 bits
inline constexpr unsigned kReferenceSectorShift = 24; ///< 4 bits
inline constexpr std::int32_t kNoIteration = -0x7fffffff - 1;

} // namespace kperf::format

#endif
