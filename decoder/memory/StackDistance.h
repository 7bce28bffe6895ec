// Counts how many other lines are touched between two uses of a line: the smallest cache, in lines, with least-recently-used replacement in
// which the second use hits.
#ifndef KPERF_DECODER_STACK_DISTANCE_H
#define KPERF_DECODER_STACK_DISTANCE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kperf::decoder {

/// What stackDistances() says of the first use of a line.
inline constexpr std::uint32_t kFirstUse = 0xffffffff;

/// A hash of a line's number; lines of arrays are evenly spaced, which the standard library's hash keeps. The finaliser of S. Vigna's
/// splitmix64.
struct LineHash {
  std::size_t operator()(std::uint64_t line) const {
    line = (line ^ line >> 30) * 0xbf58476d1ce4e5b9u;
    line = (line ^ line >> 27) * 0x94d049bb133111ebu;
    return line ^ line >> 31;
  }
};

/// For each use, in the order in which they happen, of a line: the number of different lines since the line's use before.
/// R. L. Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9(2), 1970, with the tree of
/// G. Almási et al., "Calculating stack distances efficiently", MSP 2002. O(n log n); fewer than 2^32 - 1 lines.
std::vector<std::uint32_t> stackDistances(std::span<const std::uint64_t> lines);

} // namespace kperf::decoder

#endif
