// What every command that prints tables shares: where to, in which format, and the notes that a format has no place
// for.
#ifndef KPERF_TOOL_TABLE_OUTPUT_H
#define KPERF_TOOL_TABLE_OUTPUT_H

#include "decoder/io/Output.h"
#include "decoder/print/Printer.h"
#include "decoder/trace/Trace.h"
#include "tool/commands/Arguments.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::tool {

struct TableOutput {
  std::string format = "text", path = "-";
  std::optional<std::uint64_t> width;
  bool isExplaining = false; ///< whether the user asks for what the columns mean, in place of the tables

  /// Adds --format (the printers, then `more`) and -o.
  void declare(const Arguments &arguments, std::vector<std::string> more = {});
  /// What the columns of a command's tables mean; no trace is read for it.
  decoder::Expected<int> explain(std::string_view command, decoder::Output &out) const;
  /// Prints by the printer that `format` names; notes go to stderr where it has no place for them.
  /// `origin`: whose times they are; `title` and `data` are for pages; `closing` is text that stands behind the tables.
  decoder::Status print(std::span<const decoder::Table> tables, decoder::Output &out, std::string origin = {}, std::string title = {},
                        std::span<const decoder::PageData> data = {}, std::string_view closing = {}) const;
  decoder::PrintOptions terminal() const;
};

/// Opens traces, and warns of incomplete ones.
decoder::Expected<std::vector<decoder::Trace>> openTraces(std::span<const std::string> names);
/// The same of the newest trace here where none is named.
decoder::Expected<std::vector<decoder::Trace>> openTracesOrNewest(const std::vector<std::string> &named);

} // namespace kperf::tool

#endif
