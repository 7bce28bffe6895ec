// The table of views.
#include "decoder/view/View.h"

#include <utility>

namespace kperf::decoder {
namespace {

constexpr View kViews[] = {
#define KPERF_VIEW(name, summary, traits) {#name, summary, traits, name##Options, name##View},
#include "decoder/view/Views.def"
#undef KPERF_VIEW
};

} // namespace

std::span<const View> views() { return kViews; }

std::span<const By> View::groupings() const {
  for (const ViewOption &option : options())
    if (!option.groupings.empty())
      return option.groupings;
  return {};
}

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
