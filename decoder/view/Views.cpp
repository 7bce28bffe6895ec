// The table of views.
#include "decoder/view/Views.h"

#include "decoder/view/AnnotateView.h"
#include "decoder/view/DistributionView.h"
#include "decoder/view/InfoView.h"
#include "decoder/view/MemoryView.h"
#include "decoder/view/OverlapView.h"
#include "decoder/view/ReportView.h"

namespace kperf::decoder {
namespace {

template <typename Own> std::unique_ptr<ViewOptions> makeOptions() { return std::make_unique<Own>(); }

template <typename Own, Expected<std::vector<Table>> (*View)(std::span<const Trace>, const ViewScope &, const Own &)>
Expected<std::vector<Table>> runView(std::span<const Trace> traces, const ViewScope &scope, const ViewOptions &options) {
  return View(traces, scope, static_cast<const Own &>(options));
}

constexpr View kViews[] = {
#define KPERF_VIEW(name, Name, summary, traits)                                                                                            \
  {#name, summary, traits, k##Name##Groupings, makeOptions<Name##Options>, runView<Name##Options, name##View>},
#include "decoder/view/Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

} // namespace kperf::decoder
