// What every command that prints tables shares.
#include "tool/commands/TableOutput.h"
#include "tool/commands/Command.h"

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
  arguments.add("-o,--output", path, "default: standard output").typeName("FILE");
}

decoder::PrintOptions TableOutput::terminal() const {
  decoder::PrintOptions out;
  if (path != "-" || !isatty(STDOUT_FILENO))
    return out;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    out.columns = size.ws_col;
  const char *kind = std::getenv("TERM");
  out.isColored = !std::getenv("NO_COLOR") && kind && std::string_view(kind) != "dumb";
  return out;
}

decoder::Status TableOutput::print(std::span<const decoder::Table> tables, decoder::Output &out, std::string title,
                                   std::span<const decoder::PageData> data, std::string_view closing) const {
  const decoder::Printer &printer = *decoder::findPrinter(format);
  decoder::PrintOptions options = terminal();
  options.title = std::move(title);
  options.data = data;
  printer.print(tables, options, out);
  out.write(closing);
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

} // namespace kperf::tool
