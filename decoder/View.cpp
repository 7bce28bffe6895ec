// The table of views.
#include "decoder/View.h"

namespace kperf::decoder {
namespace {

constexpr View kViews[] = {
#define KPERF_VIEW(name, summary, takes) {#name, summary, takes, name##View},
#include "decoder/Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

} // namespace kperf::decoder
