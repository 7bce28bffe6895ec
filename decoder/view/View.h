// The ways to look at traces, listed in Views.def. A view returns tables; printers do the rest.
#ifndef KPERF_DECODER_VIEW_H
#define KPERF_DECODER_VIEW_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// What a row of a view stands for; each view knows some.
enum class By : std::uint8_t { Region, Path, Block, Sm, Site, Line, Function, Cache, Page, Unseen };

/// The word for it, as in --by.
const char *name(By by);

struct ViewOptions {
  std::string kernel;                 ///< shell pattern of kernel names; "" for all
  std::string sort = "share";         ///< one of reportSorts()
  std::optional<By> by;               ///< one of the view's groupings; nothing for its first
  std::optional<std::uint64_t> block; ///< whose critical path is listed; nothing for none
  /// Folder to which the paths of source files are relative; "" reads no file: the trace has the regions' first lines.
  std::string source;
  bool isSourceGuessed = false; ///< the user did not name it: a file that reads differently from what was compiled is none of the sources
  bool isPage = false;          ///< with the tables that only a picture makes readable
  std::uint64_t pageSpans = 1'000'000; ///< that the timeline of a page may have: 14 MB
};

/// Bits: which of the options a view heeds.
enum ViewTakes : unsigned {
  kTakesNothing = 0,
  kTakesKernel = 1,
  kTakesSort = 2,
  kTakesBlock = 4,
  kTakesSeveral = 8,
  kTakesSource = 16,
  kHasFindings = 32, ///< gives findings too: --format=sarif
  kTakesLimit = 64,
  kHasTimes = 128 ///< shows times: whose they are is said
};

struct View {
  const char *name;
  const char *summary;
  unsigned takes;
  std::span<const By> groupings; ///< that its rows may have, the usual one first; none: it has but one
  const char *groupingHelp;      ///< of --by, one line
  /// `traces`: at least one; more only under kTakesSeveral.
  Expected<std::vector<Table>> (*run)(std::span<const Trace> traces, const ViewOptions &options);
};

#define KPERF_VIEW(name, summary, takes, ...)                                                                                              \
  Expected<std::vector<Table>> name##View(std::span<const Trace> traces, const ViewOptions &options);
#include "decoder/view/Views.def"
#undef KPERF_VIEW

std::span<const View> views();

/// Words that ViewOptions::sort may be.
std::span<const std::string_view> reportSorts();

} // namespace kperf::decoder

#endif
