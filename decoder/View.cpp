// The table of views.
#include "View.h"

namespace kperf::decoder {
namespace {

constexpr View kViews[] = {
#define KPERF_VIEW(name, summary, takes) {#name, summary, takes, name##View},
#include "Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

} // namespace kperf::decoder
