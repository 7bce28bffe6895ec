// `kperf lsp`: a language server that shows what a trace says in an editor.
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/commands/SharedOptions.h"
#include "tool/lsp/Connection.h"
#include "tool/lsp/Server.h"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace kperf::tool {
namespace {

constexpr std::chrono::milliseconds kBetweenLooks{1000}; ///< at the traces, while the editor says nothing

struct Options {
  std::vector<std::string> traces;
  std::string kernel;
};

/// Reads the traces again where others are there, or they were written again.
class ChangedTraces {
public:
  explicit ChangedTraces(const Options &options) : options(options) {}

  std::optional<decoder::Expected<TraceNotes>> operator()() {
    std::vector<std::string> names = options.traces;
    if (names.empty())
      if (const std::string newest = newestTrace(); !newest.empty())
        names.push_back(newest);
    std::string now;
    for (const std::string &name : names) {
      std::error_code code;
      const auto time = std::filesystem::last_write_time(name, code);
      now += fmt::format("{}\n{}\n", name, code ? 0 : time.time_since_epoch().count());
    }
    if (seen && *seen == now)
      return {};
    seen = now;
    if (names.empty())
      return decoder::failure(noTrace());
    return readTraceNotes(names, options.kernel);
  }

private:
  const Options &options;
  std::optional<std::string> seen; ///< names and times of the traces that were read
};

decoder::Expected<int> serve(const Options &options) {
  std::signal(SIGPIPE, SIG_IGN); // an editor that is gone is an end like another
  Connection connection(STDIN_FILENO, STDOUT_FILENO);
  bool isTaken = true;
  Server server(ChangedTraces(options),
                [&](const Server::Json &message) { isTaken = isTaken && connection.send(decoder::jsonText(message)); });
  while (!server.isOver() && isTaken) {
    switch (connection.wait(kBetweenLooks)) {
    case Connection::Event::Message:
      server.take(connection.text());
      break;
    case Connection::Event::Silence:
      server.refresh();
      break;
    case Connection::Event::BadHead:
      server.refuse("a head without a Content-Length that can be read");
      return 1;
    case Connection::Event::End:
      return server.exitCode();
    }
  }
  return server.exitCode();
}

} // namespace

Run lspCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  addTraces(arguments, options->traces, "of one build; ");
  addKernel(arguments, options->kernel);
  arguments.footer("For editors, which start it and talk to it over standard input and output (LSP):\n"
                   "times and traffic as inlay hints and on hovering, findings as diagnostics, and\n"
                   "fixes where one is an edit. A trace that changes on disk is read again.\n"
                   "docs/guide.md has the settings for VS Code and Neovim.");
  return [options] { return serve(*options); };
}

} // namespace kperf::tool
