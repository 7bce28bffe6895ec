// The ways to look at traces, listed in Views.def. A view returns tables; printers do the rest.
#ifndef KPERF_DECODER_VIEW_H
#define KPERF_DECODER_VIEW_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"
#include "decoder/view/PlacedInstructions.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace kperf::decoder {

/// What a row of a view stands for; each view knows some.
enum class By : std::uint8_t { Region, Path, Block, Sm, Site, Line, Function, Cache, Page, Unseen };

/// The word for it, as in --by.
const char *name(By by);

/// What the options of all views come to; each view heeds those that it describes.
struct ViewOptions {
  std::string kernel;                 ///< shell pattern of kernel names; "" for all
  std::string sort = "share";         ///< how the report's rows stand
  std::optional<By> by;               ///< one of the view's groupings; nothing for its first
  std::optional<std::uint64_t> block; ///< whose critical path is listed; nothing for none
  /// Folder to which the paths of source files are relative; "": the working folder, where a file that reads differently from what was
  /// compiled is none of the sources.
  std::string source;
  bool readsSources = false;                 ///< else no file is read: the trace has the regions' first lines
  bool isPage = false;                       ///< with the tables that only a picture makes readable
  std::string placementFile;                 ///< that `placement` is read from; "" for none
  std::vector<PlacedInstructions> placement; ///< empty: nothing is known
  std::uint64_t pageSpans = 1'000'000;       ///< that the timeline of a page may have: 14 MB
};

/// An option that a view takes on the command line.
struct ViewOption {
  using Member = std::variant<std::string ViewOptions::*, std::uint64_t ViewOptions::*, std::optional<std::uint64_t> ViewOptions::*,
                              std::optional<By> ViewOptions::*>;

  const char *name;                             ///< "--kernel"
  Member member;                                ///< that it sets
  const char *value = "WORD";                   ///< what --help shows in place of the value
  const char *help = nullptr;                   ///< null: the words
  std::span<const std::string_view> words = {}; ///< the texts that it may be; none: any
  std::span<const By> groupings = {};           ///< the groupings that it may be, the usual one first
  std::uint64_t min = 0, max = 0;               ///< of a number; 0: any
};

constexpr ViewOption kKernelOption{
    .name = "--kernel", .member = &ViewOptions::kernel, .value = "GLOB", .help = "only kernels whose name matches GLOB"};
constexpr ViewOption kSourceOption{
    .name = "--source", .member = &ViewOptions::source, .value = "FOLDER", .help = "folder of the sources (default: this one)"};

/// Bits: what to expect of a view.
enum ViewTraits : unsigned {
  kTakesOne = 0,
  kTakesSeveral = 1, ///< traces
  kHasFindings = 2,  ///< its tables have findings
  kHasTimes = 4      ///< shows times: whose they are is said
};

struct View {
  const char *name;
  const char *summary;
  unsigned traits;
  std::span<const ViewOption> (*options)();
  /// `traces`: at least one; more only under kTakesSeveral.
  Expected<std::vector<Table>> (*run)(std::span<const Trace> traces, const ViewOptions &options);

  /// That its rows may have, the usual one first; none: it has but one.
  std::span<const By> groupings() const;
};

#define KPERF_VIEW(name, summary, traits)                                                                                                  \
  std::span<const ViewOption> name##Options();                                                                                             \
  Expected<std::vector<Table>> name##View(std::span<const Trace> traces, const ViewOptions &options);
#include "decoder/view/Views.def"
#undef KPERF_VIEW

std::span<const View> views();

} // namespace kperf::decoder

#endif
