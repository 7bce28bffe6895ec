// The table of views.
#include "decoder/view/View.h"

namespace kperf::decoder {
namespace {

constexpr View kViews[] = {
#define KPERF_VIEW(name, summary, takes) {#name, summary, takes, name##View},
#include "decoder/view/Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

} // namespace kperf::decoder
