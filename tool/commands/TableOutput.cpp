// What every command that prints tables shares.
#include "tool/commands/TableOutput.h"
#include "decoder/print/Wrapped.h"
#include "decoder/table/ColumnMeanings.h"
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kperf::tool {

void TableOutput::declare(const Arguments &arguments, std::vector<std::string> more) {
  std::vector<std::string> formats;
  for (const decoder::Printer &printer : decoder::printers())
    formats.emplace_back(printer.name);
  formats.insert(formats.end(), more.begin(), more.end());
  arguments.add("--format", format, fmt::format("{}", fmt::join(formats, ", "))).oneOf(formats);
  arguments.add("--width", width, "text: columns to fill (the terminal's, else 80)").typeName("N").within(40, 10000);
  arguments.flag("--explain-columns", isExplaining, "print what the columns mean, and exit");
  arguments.add("-o,--output", path, "default: standard output").typeName("FILE");
}

decoder::PrintOptions TableOutput::terminal() const {
  decoder::PrintOptions out;
  out.columns = static_cast<unsigned>(width.value_or(out.columns));
  if (path != "-" || !isatty(STDOUT_FILENO))
    return out;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 && !width)
    out.columns = size.ws_col;
  const char *kind = std::getenv("TERM");
  out.isColored = !std::getenv("NO_COLOR") && kind && std::string_view(kind) != "dumb";
  return out;
}

decoder::Expected<int> TableOutput::explain(std::string_view command, decoder::Output &out) const {
  constexpr std::size_t kIndent = 4;
  const std::size_t columns = terminal().columns;
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

decoder::Status TableOutput::print(std::span<const decoder::Table> tables, decoder::Output &out, std::string origin, std::string title,
                                   std::span<const decoder::PageData> data, std::string_view closing) const {
  const decoder::Printer &printer = *decoder::findPrinter(format);
  decoder::PrintOptions options = terminal();
  options.origin = std::move(origin);
  options.title = std::move(title);
  options.data = data;
  printer.print(tables, options, out);
  out.write(closing);
  if (!printer.printsNotes && !options.origin.empty())
    warn(options.origin);
  if (!printer.printsNotes)
    for (const decoder::Table &table : tables)
      for (const std::string &note : table.notes)
        warn(note);
  return out.finish();
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
  return traces;
}

decoder::Expected<std::vector<decoder::Trace>> openTracesOrNewest(const std::vector<std::string> &named) {
  const auto names = tracesOrNewest(named);
  if (!names)
    return decoder::failure(names.error());
  return openTraces(*names);
}

} // namespace kperf::tool
