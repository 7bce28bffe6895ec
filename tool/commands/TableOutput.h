// Shared by the commands that print tables: where to, in which format, and the notes that a format has no place for.
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
  std::string format, path = "-", names = "short"; ///< format "": by the name of the file, else text
  std::optional<std::uint64_t> width;
  bool isExplaining = false; ///< whether the user asks for what the columns mean, in place of the tables

  /// Adds --format, which names the printers of forms up to `last`, --names and -o.
  void declare(const Arguments &arguments, decoder::Form last = decoder::Form::Rows);
  decoder::Form form() const { return printer().form; }
  /// What the columns of a command's tables mean; no trace is read for it.
  decoder::Expected<int> explain(std::string_view command, decoder::Output &out) const;
  /// Prints by the printer that `format` names, on this terminal; notes go to stderr where it has no place for them.
  decoder::Status print(std::span<const decoder::Table> tables, decoder::Output &out, decoder::PrintOptions options = {}) const;
  unsigned columns() const;

private:
  const decoder::Printer &printer() const;
  bool isOnTerminal() const;
  void printWithNames(const decoder::Printer &printer, std::span<const decoder::Table> tables, decoder::PrintOptions options,
                      decoder::Output &out) const;

  std::vector<std::string> formats; ///< that the command has
};

/// The format that a file's name asks for, as x.html does; "" where it asks for none of them.
std::string formatOfFile(std::string_view path, std::span<const std::string> formats);

/// Says a table's notes on stderr: warnings are those that its rows mislead without, and all others are notes, as the text calls them.
void sayNotes(const decoder::Table &table);

/// Opens traces, and warns of incomplete ones and of those that are given twice.
decoder::Expected<std::vector<decoder::Trace>> openTraces(std::span<const std::string> names);
/// The same of the newest trace here where none is named.
decoder::Expected<std::vector<decoder::Trace>> openTracesOrNewest(const std::vector<std::string> &named);
/// Warns when `output`, which is made of the traces, holds runs of several builds: nothing in it tells them apart.
void warnOfMixedBuilds(std::span<const decoder::Trace> traces, const std::string &output);

} // namespace kperf::tool

#endif
