// The table of views.
#include "decoder/view/View.h"

#include <array>
#include <utility>

namespace kperf::decoder {
namespace {

template <typename... Each> consteval std::array<By, sizeof...(Each)> groupings(const char *, Each... each) { return {each...}; }
template <typename... Each> consteval const char *groupingHelp(const char *help, Each...) { return help; }

#define KPERF_VIEW(name, summary, takes, ...) constexpr auto name##Groupings = groupings(__VA_ARGS__);
#include "decoder/view/Views.def"
#undef KPERF_VIEW

constexpr View kViews[] = {
#define KPERF_VIEW(name, summary, takes, ...) {#name, summary, takes, name##Groupings, groupingHelp(__VA_ARGS__), name##View},
#include "decoder/view/Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

const char *name(By by) {
  switch (by) {
  case By::Region:
    return "region";
  case By::Path:
    return "path";
  case By::Block:
    return "block";
  case By::Sm:
    return "sm";
  case By::Site:
    return "site";
  case By::Line:
    return "line";
  case By::Function:
    return "function";
  case By::Cache:
    return "cache";
  case By::Page:
    return "page";
  case By::Unseen:
    return "unseen";
  }
  std::unreachable();
}

} // namespace kperf::decoder
