// Makes traces of imagined kernels from a seed, and says what is in them.
#ifndef KPERF_TEST_TRACE_GENERATOR_H
#define KPERF_TEST_TRACE_GENERATOR_H

#include "decoder/trace/Writer.h"

#include <cstdint>
#include <random>
#include <vector>

namespace kperf::test {

/// Bounds of what is generated; each trace draws from them.
struct TraceShape {
  unsigned launches = 3, blocks = 4, warpsPerBlock = 2;
  unsigned recordsPerWarp = 40; ///< about as many are produced
  unsigned capacity = 64;       ///< a power of two
  bool keepsLast = false;
  bool hasRanges = true, hasMarks = true, hasParts = true, hasUnfinished = false;
  bool hasWaits = false;      ///< and signals, that make no sense together
  bool hasCalibration = true; ///< a warp that says what probes cost
  double cyclesPerNs = 1.98;
  std::uint32_t tickNs = 32;
  unsigned meanRegionCycles = 400;
};

/// What a trace would show if nothing had been dropped.
struct TraceTruth {
  std::uint64_t spans = 0, spanCycles = 0, warps = 0, warpCycles = 0, produced = 0, kept = 0;
};

class TraceGenerator {
public:
  TraceGenerator(const TraceShape &shape, std::uint64_t seed) : shape(shape), random(seed) {}

  /// The bytes of a trace file.
  std::vector<std::byte> make(bool isComplete = true);
  const TraceTruth &truth() const { return sums; }

  /// The same piece by piece, for traces that are larger than memory: the file up to its first Warps section, then for
  /// each launch a Warps section, then the End section.
  std::vector<std::byte> head();
  std::vector<std::byte> launch();
  std::vector<std::byte> end() const;

private:
  struct Part { ///< records in the order in which they stand in memory, before any is dropped
    std::vector<format::Record> records;
    bool isReserved = false;
  };

  void start();
  void tables();
  void launchRows();
  void calibration();
  void warpsOfLaunch();
  void warp(std::uint64_t gridId, unsigned block, unsigned index);
  void body(Part &own, Part &shared, std::uint64_t &now, unsigned depth);
  void scope(Part &part, std::uint64_t &now, Part &own, Part &shared, unsigned depth);
  void range(Part &part, std::uint64_t &now);
  void waitOrSignal(Part &part, std::uint64_t &now);
  void write(const format::WarpHeader &base, Part &part, bool isContinued, bool isFinished);
  std::uint64_t draw(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(random); }
  bool chance(double probability) { return std::bernoulli_distribution(probability)(random); }
  std::uint64_t nsAt(std::uint64_t cycles, unsigned sm) const;
  format::Record record(format::RecordKind kind, std::uint32_t id, std::uint64_t first, std::uint64_t second) const;

  TraceShape shape;
  std::mt19937_64 random;
  decoder::Writer writer;
  TraceTruth sums;
  std::uint64_t clockNow = 0;     ///< cycles since the device started
  std::uint64_t launchesMade = 0; ///< whose warps are written
  std::uint64_t sectionsMade = 0, partsMade = 0;
};

} // namespace kperf::test

#endif
