// The source, with time and memory traffic beside it.
#ifndef KPERF_DECODER_ANNOTATE_VIEW_H
#define KPERF_DECODER_ANNOTATE_VIEW_H

#include "decoder/view/View.h"

namespace kperf::decoder {

struct AnnotateOptions final : ViewOptions {
  /// Folder to which the paths of source files are relative; "": the working folder, where a file that reads differently from what was
  /// compiled is none of the sources.
  std::string source;

  std::vector<ViewOption> described() override;
};

/// --source, of any view that shows sources.
ViewOption sourceOption(std::string &folder);

inline constexpr Groupings kAnnotateGroupings{};

Expected<std::vector<Table>> annotateView(std::span<const Trace> traces, const ViewScope &scope, const AnnotateOptions &options = {});

} // namespace kperf::decoder

#endif
