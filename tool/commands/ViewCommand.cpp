// `kperf report`, `kperf info`, …: each view of the decoder as a command, printed by any printer.
#include "Command.h"
#include "NewestTrace.h"
#include "decoder/Output.h"
#include "decoder/Printer.h"
#include "decoder/View.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <memory>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kperf::tool {
namespace {

using decoder::View;

struct Options {
  std::vector<std::string> traces;
  std::string format = "text", output = "-";
  decoder::ViewOptions view;
};

decoder::PrintOptions terminal(const std::string &output) {
  decoder::PrintOptions out;
  if (output != "-" || !isatty(STDOUT_FILENO))
    return out;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
    out.columns = size.ws_col;
  const char *kind = std::getenv("TERM");
  out.isColored = !std::getenv("NO_COLOR") && kind && std::string_view(kind) != "dumb";
  return out;
}

decoder::Expected<int> run(const View &view, const Options &options) {
  decoder::Expected<decoder::OutputFile> out = decoder::OutputFile::open(options.output);
  if (!out)
    return decoder::failure(out.error());
  std::vector<std::string> names = options.traces;
  if (names.empty()) {
    auto newest = traceOrNewest("");
    if (!newest)
      return decoder::failure(newest.error());
    names.push_back(*newest);
  }
  std::vector<decoder::Trace> traces;
  for (const std::string &name : names) {
    auto trace = decoder::Trace::open(name);
    if (!trace)
      return decoder::failure(trace.error());
    traces.push_back(std::move(*trace));
    if (const std::string &reason = traces.back().incomplete(); !reason.empty())
      warn(fmt::format("{} is incomplete: {}", name, reason));
  }
  const auto tables = view.run(traces, options.view);
  if (!tables)
    return decoder::failure(tables.error());
  const decoder::Printer &printer = *decoder::findPrinter(options.format);
  printer.print(*tables, terminal(options.output), *out);
  if (!printer.printsNotes)
    for (const decoder::Table &table : *tables)
      for (const std::string &note : table.notes)
        warn(note);
  if (auto status = out->finish(); !status)
    return decoder::failure(status.error());
  return 0;
}

Run declare(const View &view, CLI::App &app) {
  const auto options = std::make_shared<Options>();
  CLI::Option *traces = app.add_option("TRACE", options->traces, "default: the newest *.kperf here");
  if (!(view.takes & decoder::kTakesSeveral))
    traces->expected(0, 1);
  std::vector<std::string> formats, sorts;
  for (const decoder::Printer &printer : decoder::printers())
    formats.emplace_back(printer.name);
  for (const std::string_view sort : decoder::reportSorts())
    sorts.emplace_back(sort);
  app.add_option("--format", options->format, fmt::format("{}", fmt::join(formats, ", ")))
      ->check(CLI::IsMember(formats).description(""));
  if (view.takes & decoder::kTakesKernel)
    app.add_option("--kernel", options->view.kernel, "only kernels whose name matches GLOB")->type_name("GLOB");
  if (view.takes & decoder::kTakesBy)
    app.add_option("--by", options->view.by, "region, or path: as regions nest")
        ->check(CLI::IsMember({"region", "path"}).description(""));
  if (view.takes & decoder::kTakesSort)
    app.add_option("--sort", options->view.sort, fmt::format("{}", fmt::join(sorts, ", ")))
        ->check(CLI::IsMember(sorts).description(""));
  app.add_option("-o,--output", options->output, "default: standard output")->type_name("FILE");
  return [&view, options] { return run(view, *options); };
}

} // namespace

std::vector<Command> viewCommands() {
  std::vector<Command> out;
  for (const View &view : decoder::views())
    out.push_back({view.name, view.summary, [&view](CLI::App &app) { return declare(view, app); }});
  return out;
}

} // namespace kperf::tool
