// Reads every warp of the self-test's trace.
#include "decoder/compare/SelfTestWarps.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

/// What is not said warp by warp.
class Rest final : public TraceVisitor {
public:
  explicit Rest(SelfTestWarps &out) : out(out) {}
  void launches(std::span<const format::LaunchRecord> rows) override { out.launches += rows.size(); }
  void losses(std::span<const format::LossRecord> rows) override {
    for (const format::LossRecord &row : rows)
      out.lost += row.count;
  }

private:
  SelfTestWarps &out;
};

} // namespace

Expected<SelfTestWarps> SelfTestWarps::read(const Trace &trace) {
  SelfTestWarps out;
  out.regions.add(trace);
  if (Status status = SpanDecoder(out.regions, out).run(trace); !status)
    return failure(status.error());
  Rest rest(out);
  if (Status status = trace.visit(rest); !status)
    return failure(status.error());
  out.probeCost = out.samples.cost();
  return out;
}

void SelfTestWarps::warp(const WarpSpans &warp) {
  counts += warp.counts;
  const std::uint32_t kernel = regions.find(warp.header.kernel);
  warps.push_back({warp.header,
                   kernel == RegionSet::kNone ? "" : regions[kernel].function,
                   warp.begin,
                   warp.end,
                   warp.isFinished,
                   {warp.spans.begin(), warp.spans.end()}});
}

std::vector<const SelfTestWarp *> SelfTestWarps::of(std::string_view kernel) const {
  std::vector<const SelfTestWarp *> out;
  for (const SelfTestWarp &warp : warps)
    if (warp.kernel == kernel)
      out.push_back(&warp);
  return out;
}

std::vector<double> SelfTestWarps::lengths(std::string_view region) const {
  std::vector<double> out;
  for (const SelfTestWarp &warp : warps)
    for (const Span &span : warp.spans)
      if (regions[span.region].name == region)
        out.push_back(warp.nsOf(span.cycles()));
  return out;
}

} // namespace kperf::decoder
