// A way to look at traces: it returns tables; printers do the rest. Views.h lists them.
#ifndef KPERF_DECODER_VIEW_H
#define KPERF_DECODER_VIEW_H

#include "decoder/io/Error.h"
#include "decoder/table/Table.h"
#include "decoder/trace/Trace.h"

#include <cstdint>
#include <memory>
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

/// What is asked of any view.
struct ViewScope {
  std::string kernel;        ///< shell pattern of kernel names; "" for all
  std::optional<By> by;      ///< one of the view's groupings; nothing for its first
  bool readsSources = false; ///< else no file is read: the trace has the regions' first lines
  bool isPage = false;       ///< with the tables that only a picture makes readable
};

/// An option that a view takes on the command line.
struct ViewOption {
  using Value = std::variant<std::string *, std::uint64_t *, std::optional<std::uint64_t> *>;

  const char *name;                             ///< "--sort"
  Value value;                                  ///< that it sets
  const char *shown = "WORD";                   ///< what --help shows in place of the value
  const char *help = nullptr;                   ///< null: the words
  std::span<const std::string_view> words = {}; ///< the texts that it may be; none: any
  std::uint64_t min = 0, max = 0;               ///< of a number; 0: any
};

/// The options that a view alone has, at first with their defaults. Each view derives its own.
class ViewOptions {
public:
  virtual ~ViewOptions() = default;
  /// They refer to this object.
  virtual std::vector<ViewOption> described() { return {}; }
};

/// What the rows of a view may stand for.
struct Groupings {
  std::span<const By> all = {}; ///< the usual one first; none: it has but one
  const char *help = nullptr;   ///< of --by
};

/// Bits: what to expect of a view.
enum ViewTraits : unsigned {
  kTakesOne = 0,
  kTakesSeveral = 1, ///< traces
  kHasFindings = 2,  ///< its tables have findings
  kHasTimes = 4,     ///< shows times: whose they are is said
  kHasKernels = 8,   ///< ViewScope::kernel chooses among its rows
  kIsAsRecorded = 16 ///< where not all was recorded, it shows what was, and says nothing of how far all of it is from that
};

struct View {
  const char *name;
  const char *summary;
  unsigned traits;
  Groupings groupings;
  std::unique_ptr<ViewOptions> (*options)();
  /// `traces`: at least one; more only under kTakesSeveral. `options`: made by this view.
  Expected<std::vector<Table>> (*runWith)(std::span<const Trace> traces, const ViewScope &scope, const ViewOptions &options);

  Expected<std::vector<Table>> run(std::span<const Trace> traces, const ViewScope &scope) const {
    return runWith(traces, scope, *options());
  }
};

} // namespace kperf::decoder

#endif
