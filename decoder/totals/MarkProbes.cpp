// Finds the spans around each mark.
#include "decoder/totals/MarkProbes.h"

#include <algorithm>

namespace kperf::decoder {

void MarkProbes::count(const WarpSpans &warp, const Nesting &nesting) {
  marks = warp.marks;
  before.clear();
  nextInside.clear();
  top = 0;
  if (marks.empty())
    return;
  nextInside.resize(warp.spans.size());
  before.push_back(0);
  std::size_t begun = 0; // spans
  std::int32_t around = Nesting::kTop;
  for (const Mark &mark : marks) {
    for (; begun < warp.spans.size() && warp.spans[begun].begin <= mark.at; ++begun)
      if (nesting.parents()[begun] != Nesting::kOverlapping)
        around = static_cast<std::int32_t>(begun);
    while (around >= 0 && warp.spans[static_cast<std::size_t>(around)].end < mark.at)
      around = nesting.parents()[static_cast<std::size_t>(around)];
    const PackedProbes probe = packedProbe(true, warp.isShared[mark.region] != 0);
    before.push_back(before.back() + probe);
    (around >= 0 ? nextInside[static_cast<std::size_t>(around)] : top) += probe;
  }
}

PackedProbes MarkProbes::in(const Span &span) const {
  if (marks.empty())
    return 0;
  const auto first = std::ranges::lower_bound(marks, span.begin, {}, &Mark::at);
  const auto last = std::ranges::upper_bound(marks, span.end, {}, &Mark::at);
  return before[static_cast<std::size_t>(last - marks.begin())] - before[static_cast<std::size_t>(first - marks.begin())];
}

} // namespace kperf::decoder
