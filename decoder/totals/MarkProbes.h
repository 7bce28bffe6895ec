// Tells which regions of a warp hold the probes of its marks and signals, each of which is a record with one clock.
#ifndef KPERF_DECODER_MARK_PROBES_H
#define KPERF_DECODER_MARK_PROBES_H

#include "decoder/span/Nesting.h"
#include "decoder/totals/ProbeCost.h"

#include <span>
#include <vector>

namespace kperf::decoder {

class MarkProbes {
public:
  /// Computes the results below, which live until the next call, from a warp and the tree of its spans.
  void count(const WarpSpans &warp, const Nesting &nesting);

  PackedProbes all() const { return before.empty() ? 0 : before.back(); }
  PackedProbes onTop() const { return top; } ///< of marks that no region is around
  /// Between the span's begin and its end.
  PackedProbes in(const Span &span) const;
  /// For each span of marks of which it is the region next around; empty where the warp has none.
  std::span<const PackedProbes> next() const { return nextInside; }

private:
  std::span<const Mark> marks;
  std::vector<PackedProbes> before; ///< each mark, and the end
  std::vector<PackedProbes> nextInside;
  PackedProbes top = 0;
};

} // namespace kperf::decoder

#endif
