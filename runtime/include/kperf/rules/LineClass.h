// Computes the class of a cache line (kperf/format_references.h).
#ifndef KPERF_LINE_CLASS_H
#define KPERF_LINE_CLASS_H

#include <kperf/format_references.h>
#include <kperf/rules/BlockSample.h>

#if defined(__CUDACC__) && !defined(__CUDA__) // Clang that compiles CUDA itself takes what is constexpr for both
#define KPERF_LINE_FUNCTION __host__ __device__ inline
#else
#define KPERF_LINE_FUNCTION constexpr
#endif

namespace kperf {
namespace detail {

/// By the leading zeros of a hash, so that each class has half as many lines as the one before. `line`: address / 128.
KPERF_LINE_FUNCTION uint32_t classOfLine(uint64_t line) {
  const uint32_t hash = scrambled(static_cast<uint32_t>(line) + static_cast<uint32_t>(line >> 32) * 0x9e3779b1u);
  const uint32_t last = format::kReferenceClasses - 1, stop = hash | 0x80000000u >> last; // no more zeros than that
#if defined(__CUDA_ARCH__) && !defined(__CUDA__)
  return static_cast<uint32_t>(__clz(static_cast<int>(stop)));
#else
  return static_cast<uint32_t>(__builtin_clz(stop));
#endif
}

/// ReferenceRecord::line.
KPERF_LINE_FUNCTION uint64_t packedLine(uint64_t line, uint32_t multiprocessor, uint32_t lineClass) {
  return (line & format::kReferenceLineMask) | uint64_t{multiprocessor & format::kReferenceSmMask} << format::kReferenceSmShift |
         uint64_t{lineClass} << format::kReferenceClassShift;
}

} // namespace detail
} // namespace kperf

#undef KPERF_LINE_FUNCTION

#endif
