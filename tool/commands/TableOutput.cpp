// Prints the tables of commands.
#include "tool/commands/TableOutput.h"
#include "decoder/print/Wrapped.h"
#include "decoder/table/ColumnMeanings.h"
#include "decoder/trace/SameBuild.h"
#include "decoder/view/ReadableNames.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/RepeatedTraces.h"
#include "tool/commands/SharedOptions.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kperf::tool {
namespace {

constexpr unsigned kMinColumns = 40, kMaxColumns = 10000;
/// Of what is no terminal and says no COLUMNS: nobody's screen, so that columns are left out for want of room in few tables.
constexpr unsigned kPipeColumns = 160;

/// Columns of the terminal that standard output is; nothing where it is none.
std::optional<unsigned> terminalColumns() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < kMinColumns)
    return {};
  return size.ws_col;
}

} // namespace

void TableOutput::declare(const Arguments &arguments, decoder::Form last) {
  for (const decoder::Printer &printer : decoder::printers())
    if (printer.form <= last)
      formats.emplace_back(printer.name);
  arguments.add("--format", format, fmt::format("{} (by FILE, else text)", fmt::join(formats, ", "))).oneOf(formats);
  arguments.add("--width", width, "text: columns to fill (the terminal's, COLUMNS, 160)").typeName("N").within(kMinColumns, kMaxColumns);
  addNames(arguments, names);
  arguments.flag("--explain-columns", isExplaining, "print what the columns mean, and exit");
  addOutput(arguments, path);
}

const decoder::Printer &TableOutput::printer() const {
  const std::string name = format.empty() ? formatOfFile(path, formats) : format;
  return *decoder::findPrinter(name.empty() ? "text" : name);
}

bool TableOutput::isOnTerminal() const { return path == "-" && isatty(STDOUT_FILENO); }

unsigned TableOutput::columns() const {
  if (width)
    return static_cast<unsigned>(*width);
  if (isOnTerminal())
    return terminalColumns().value_or(decoder::PrintOptions().columns);
  const char *told = std::getenv("COLUMNS");
  unsigned columns = 0;
  const char *const end = told ? told + std::strlen(told) : told;
  const bool isNumber = told && std::from_chars(told, end, columns).ptr == end && columns >= kMinColumns;
  return isNumber ? std::min(columns, kMaxColumns) : kPipeColumns;
}

decoder::Expected<int> TableOutput::explain(std::string_view command, decoder::Output &out) const {
  constexpr std::size_t kIndent = 4;
  const std::size_t columns = this->columns();
  bool isFirst = true;
  for (const decoder::TableMeaning &table : decoder::tableMeanings()) {
    if (table.command.substr(0, table.command.find(' ')) != command)
      continue;
    out.write(decoder::wrapped(fmt::format("{}{}{}", isFirst ? "" : "\n", table.name, table.intro.empty() ? "" : ": " + table.intro),
                               columns, 2));
    isFirst = false;
    for (const decoder::TableMeaning::Row &row : table.rows) {
      out.write(decoder::wrapped(fmt::format("  {}", fmt::join(row.keys, ", ")), columns, 2));
      out.write(std::string(kIndent, ' ') + decoder::wrapped(row.meaning, columns - kIndent, kIndent));
    }
  }
  if (auto status = out.finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

/// People read short names of kernels; programs get whole ones, which identify them.
void TableOutput::printWithNames(const decoder::Printer &printer, std::span<const decoder::Table> tables, decoder::PrintOptions options,
                                 decoder::Output &out) const {
  if (names == "full" || (printer.form != decoder::Form::Text && printer.form != decoder::Form::Page))
    return printer.print(tables, options, out);
  const decoder::ReadableNames readable(tables);
  options.shortNames = readable.json();
  printer.print(readable.tables(tables), options, out);
}

decoder::Status TableOutput::print(std::span<const decoder::Table> tables, decoder::Output &out, decoder::PrintOptions options) const {
  const decoder::Printer &printer = this->printer();
  const char *kind = std::getenv("TERM");
  options.columns = columns();
  options.isColored = isOnTerminal() && !std::getenv("NO_COLOR") && kind && std::string_view(kind) != "dumb";
  options.version = KPERF_VERSION;
  printWithNames(printer, tables, options, out);
  if (!printer.printsNotes && !options.origin.empty())
    note(options.origin);
  if (!printer.printsNotes)
    for (const decoder::Table &table : tables)
      sayNotes(table);
  return out.finish();
}

std::string formatOfFile(std::string_view path, std::span<const std::string> formats) {
  const std::string_view suffix = path.substr(std::min(path.rfind('.') + 1, path.size()));
  const std::string_view format = suffix == "htm" ? "html" : suffix == "xml" ? "junit" : suffix;
  return path.contains('.') && std::ranges::find(formats, format) != formats.end() ? std::string(format) : "";
}

void sayNotes(const decoder::Table &table) {
  for (std::size_t index = 0; index < table.notes.size(); ++index)
    (index < table.leadNotes ? warn : note)(table.notes[index]);
}

decoder::Expected<std::vector<decoder::Trace>> openTraces(std::span<const std::string> names) {
  std::vector<decoder::Trace> traces;
  for (const std::string &name : names) {
    auto trace = decoder::Trace::open(name);
    if (!trace)
      return decoder::failure(trace.error());
    traces.push_back(std::move(*trace));
    if (const std::string &reason = traces.back().incomplete(); !reason.empty())
      warn(fmt::format("{} is incomplete: {}", name, reason));
  }
  for (const std::string &repeated : repeatedTraces(traces))
    warn(repeated);
  return traces;
}

decoder::Expected<std::vector<decoder::Trace>> openTracesOrNewest(const std::vector<std::string> &named) {
  const auto names = tracesOrNewest(named);
  if (!names)
    return decoder::failure(names.error());
  return openTraces(*names);
}

void warnOfMixedBuilds(std::span<const decoder::Trace> traces, const std::string &output) {
  for (const decoder::Summands summands : {decoder::Summands::Times, decoder::Summands::Accesses})
    if (const std::string builds = decoder::mixedBuilds(traces, summands); !builds.empty())
      warn(fmt::format("{} has {} of {}, which nothing tells apart in it: give traces of one build at a time", output,
                       summands == decoder::Summands::Times ? "times" : "counts of accesses", builds));
}

} // namespace kperf::tool
