// Computes quantiles of many durations in bounded memory: exact while they are few, then from a log-linear histogram.
#ifndef KPERF_DECODER_QUANTILES_H
#define KPERF_DECODER_QUANTILES_H

#include "decoder/span/LengthPowers.h"

#include <kperf/format_summary.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace kperf::decoder {

class Quantiles {
public:
  struct Extremes {
    std::uint64_t min, max;
  };
  static constexpr std::size_t kMaxExact = 256;
  /// Half a bucket: each power of two is cut into 128.
  static constexpr double kRelativeError = 1.0 / 256;

  void add(std::uint64_t value) {
    ++total;
    cycles += value;
    smallest = value < smallest ? value : smallest;
    largest = value > largest ? value : largest;
    if (!isHistogram)
      return addExact(value);
    ++bucket(value);
  }

  /// Adds `count` values, at least one, of which nothing else is known.
  void addSum(std::uint64_t count, std::uint64_t sum, const std::optional<Extremes> &extremes) {
    total += count;
    unknown += count;
    cycles += sum;
    hasExtremes &= extremes.has_value();
    smallest = std::min(smallest, extremes ? extremes->min : smallest);
    largest = std::max(largest, extremes ? extremes->max : largest);
  }

  /// Says of that many of the values of addSum() how long they are, by powers of two: as many counts as format::kLengthPowers.
  template <typename Count> void addPowers(std::span<const Count> counts) {
    powers.resize(format::kLengthPowers);
    for (std::size_t power = 0; power < format::kLengthPowers; ++power) {
      powers[power] += counts[power];
      inPowers += counts[power];
    }
  }

  std::uint64_t count() const { return total; }
  /// Whether every value is known as such: only then at() and forValues() tell of all.
  bool areKnown() const { return unknown == 0; }
  std::uint64_t unknownCount() const { return unknown; }
  /// Whether every value is known at least by its power of two: only then within() tells of all.
  bool areBounded() const { return inPowers == unknown; }
  /// Of the values that are known by their power of two alone, how many are of each; empty: there are none.
  std::span<const std::uint64_t> unknownByPower() const { return powers; }
  /// Whether min() and max() are those of all values; else they mean nothing.
  bool areExtremesKnown() const { return hasExtremes; }
  std::uint64_t min() const { return total == 0 ? 0 : smallest; }
  std::uint64_t max() const { return largest; }
  std::uint64_t sum() const { return cycles; }
  double mean() const { return total == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(total); }
  bool isExact() const { return !isHistogram; }

  /// The smallest value that is not less than a share `q` of those that are known as such (nearest rank), within kRelativeError unless
  /// isExact().
  std::uint64_t at(double q) const;

  /// What that of all values lies in, where areBounded().
  LengthRange within(double q) const;

  /// Calls `take(value, count)` for ascending values: exact ones, or the smallest of each bucket.
  template <typename Take> void forValues(Take take) const {
    std::vector<std::uint64_t> sorted = exact;
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint64_t value : sorted)
      take(value, std::uint64_t{1});
    for (std::size_t octave = 0; octave < octaves.size(); ++octave)
      for (std::size_t i = 0; octaves[octave] && i < octaves[octave]->size(); ++i)
        if (const std::uint64_t count = (*octaves[octave])[i])
          take(octave == 0 ? i : (i + (std::size_t{1} << kLinearBits)) << (octave - 1), count);
  }

  /// Calls `take(power, count)` for the powers of two that some values are known to have, ascending.
  template <typename Take> void forPowers(Take take) const {
    const std::array<std::uint64_t, kPowers> all = byPower();
    for (unsigned power = 0; power < kPowers; ++power)
      if (all[power] > 0)
        take(power, all[power]);
  }

  /// The values while isExact(), in the order in which they came.
  std::span<const std::uint64_t> values() const { return exact; }
  /// Calls `take(bucket, count)` for the buckets in use, ascending, as format.h numbers them.
  template <typename Take> void forBuckets(Take take) const {
    for (std::uint32_t octave = 0; octave < octaves.size(); ++octave)
      for (std::uint32_t i = 0; octaves[octave] && i < format::kLinearBuckets; ++i)
        if (const std::uint64_t count = (*octaves[octave])[i])
          take(octave * format::kLinearBuckets + i, count);
  }
  /// Adds buckets of other values, of which the sum is known. A bucket is less than format::kLengthBuckets.
  void addBuckets(std::span<const format::LengthBucket> buckets, const Extremes &extremes, std::uint64_t sumOfAll);

  /// Adds all of another's, as if its values had come here.
  void add(const Quantiles &other);

private:
  static constexpr unsigned kLinearBits = 7; ///< buckets in a power of two, as a power of two
  static_assert(format::kLinearBuckets == 1u << kLinearBits);
  static constexpr unsigned kOctaves = 64 - kLinearBits;
  using Octave = std::array<std::uint64_t, 1u << kLinearBits>;

  static constexpr unsigned kPowers = 65; ///< of 64 bits
  std::array<std::uint64_t, kPowers> byPower() const;
  void addExact(std::uint64_t value);
  void becomeHistogram();
  std::uint64_t &slot(std::uint32_t octave, std::uint64_t i) {
    std::unique_ptr<Octave> &counts = octaves.data()[octave];
    if (!counts)
      counts = std::make_unique<Octave>();
    return counts->data()[i & ((1u << kLinearBits) - 1)];
  }

  /// Values below 128 have buckets of their own in octave 0; octave e holds 128·2^(e-1) up to 256·2^(e-1).
  std::uint64_t &bucket(std::uint64_t value) {
    const unsigned octave = value < (1u << kLinearBits) ? 0 : static_cast<unsigned>(std::bit_width(value)) - kLinearBits;
    return slot(octave, octave == 0 ? value : value >> (octave - 1));
  }

  std::uint64_t unknown = 0, inPowers = 0;
  std::uint64_t total = 0, smallest = ~std::uint64_t{0}, largest = 0, cycles = 0;
  bool isHistogram = false, hasExtremes = true;
  std::vector<std::uint64_t> exact, powers;
  std::vector<std::unique_ptr<Octave>> octaves;
};

} // namespace kperf::decoder

#endif
