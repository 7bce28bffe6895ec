// Computes which memory a program touches, and how much other memory it touches between two uses of a line.
//
// All figures are of cache lines of 128 bytes. Where only a share of the lines was kept, they are estimates; errors are half-widths of
// 95 % confidence intervals, 0 where nothing is missing.
#ifndef KPERF_DECODER_LOCALITY_H
#define KPERF_DECODER_LOCALITY_H

#include "decoder/memory/ReferenceRuns.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace kperf::decoder {

/// Values of loops' variables.
struct Iterations {
  std::optional<std::int32_t> first, last;

  void include(std::int32_t iteration);
};

struct ReuseEstimate {
  double value = 0, error = 0;
};

/// What the references of some sites come to.
struct GroupLocality {
  double references = 0;
  double lineUses = 0, lines = 0;     ///< of all runs, uses and the lines that they are of, by what was looked at alone
  ReuseEstimate footprint;            ///< bytes of the lines touched: of the run that touched most
  double touchedBytes = 0;            ///< of these, in sectors of 32 bytes
  double firstUses = 0;               ///< percent of the references that are the first to their line by any site
  std::optional<double> distance;     ///< bytes of other lines between two uses of a line: median of the uses that are no first ones;
                                      ///< the store of an update, which comes back at once, is none
  std::optional<double> smDistance;   ///< the same among the uses of one multiprocessor
  std::optional<double> meanDistance; ///< as `distance`, the mean
  Iterations iterations;

  double usesOfLine() const { return lines > 0 ? lineUses / lines : 0; }
};

/// Percent of the references that a fully associative cache of that size with least-recently-used replacement would have.
struct CacheHits {
  std::uint64_t bytes;
  ReuseEstimate device;         ///< one cache for all multiprocessors
  ReuseEstimate multiprocessor; ///< one for each
};

/// A piece of the address space that holds lines which were touched.
struct TouchedPages {
  std::uint64_t address, bytes;
  double references = 0, lines = 0, sectors = 0;
  double begin = 0, end = 0; ///< first and last use, percent of the run's references
  Iterations iterations;
  std::vector<std::uint32_t> sites; ///< that touched it, those with most references first
  std::vector<double> overTime;     ///< references in equal parts of the run
};

class Locality {
public:
  static constexpr std::size_t kTimeParts = 32;

  static Expected<Locality> read(std::span<const Trace> traces, const std::string &functions);

  bool isEmpty() const { return runs.isEmpty(); }
  const ReferenceRuns &source() const { return runs; }
  /// N where 1 block in N was counted, the largest of all runs; 1: every block.
  std::uint32_t sampled() const;
  /// The least share of the lines that was kept in any run.
  double rate() const;
  /// Uses that the kept lines stand for, over those that were counted: far from 1 where the lines that are used most were left out, since
  /// it is they that leave no room for their class. 1 where that is not known.
  double keptShare() const;
  /// Distances are multiples of this, in bytes: what one kept line stands for.
  double step() const { return format::kLineBytes / rate(); }
  /// Bytes touched in the run that touched most.
  ReuseEstimate footprint() const;
  /// `groupOf`: by site; sites that are not there are in no group.
  std::vector<GroupLocality> groups(const std::unordered_map<std::uint32_t, std::size_t> &groupOf, std::size_t count) const;
  /// For powers of two, up to the first that holds everything.
  std::vector<CacheHits> cacheHits() const;
  /// In the order of addresses, at most `most`, of the run with the most references.
  std::vector<TouchedPages> pages(std::size_t most) const;

private:
  /// A run's distances in sampled lines, parallel to its references.
  struct Distances {
    std::vector<std::uint32_t> device, multiprocessor;
  };
  static Distances distancesOf(const ReferenceRun &run);

  ReferenceRuns runs;
  std::vector<Distances> distances; ///< parallel to the runs
};

} // namespace kperf::decoder

#endif
