// What rows of a view stand for, in words.
#include "decoder/view/View.h"

#include <utility>

namespace kperf::decoder {

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
