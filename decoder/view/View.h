// The ways to look at traces, listed in Views.def. A view returns tables; printers do the rest.
#ifndef KPERF_DECODER_VIEW_H
#define KPERF_DECODER_VIEW_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

struct ViewOptions {
  std::string kernel;                 ///< shell pattern of kernel names; "" for all
  std::string sort = "share";         ///< one of reportSorts()
  std::string by = "";                ///< one of those that the view knows; "" for its first
  std::optional<std::uint64_t> block; ///< whose critical path is listed; nothing for none
  /// Folder to which the paths of source files are relative; "" reads no file: the trace has the regions' first lines.
  std::string source;
  bool isSourceGuessed = false; ///< the user did not name it: a file that reads differently from what was compiled is none of the sources
  bool isPage = false;                ///< with the tables that only a picture makes readable
  std::uint64_t pageSpans = 1'000'000; ///< that the timeline of a page may have: 14 MB
};

/// Bits: which of the options a view heeds.
enum ViewTakes : unsigned {
  kTakesNothing = 0,
  kTakesKernel = 1,
  kTakesSort = 2,
  kTakesBy = 4,
  kTakesSeveral = 8,
  kTakesSource = 16,
  kTakesMemoryBy = 32,
  kTakesOverlapBy = 64,
  kHasFindings = 128, ///< gives findings too: --format=sarif
  kTakesLimit = 256,
  kHasTimes = 512 ///< shows times: whose they are is said
};

struct View {
  const char *name;
  const char *summary;
  unsigned takes;
  /// `traces`: at least one; more only under kTakesSeveral.
  Expected<std::vector<Table>> (*run)(std::span<const Trace> traces, const ViewOptions &options);
};

#define KPERF_VIEW(name, summary, takes)                                                                               \
  Expected<std::vector<Table>> name##View(std::span<const Trace> traces, const ViewOptions &options);
#include "decoder/view/Views.def"
#undef KPERF_VIEW

std::span<const View> views();

/// Words that ViewOptions::sort may be.
std::span<const std::string_view> reportSorts();

} // namespace kperf::decoder

#endif
