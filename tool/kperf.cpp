// kperf: explains the traces that instrumented kernels write.
#include "tool/commands/Command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <numeric>

using kperf::tool::Command;
using kperf::tool::Run;
using kperf::tool::say;

namespace {

constexpr int kUsageError = 2;

/// Letters to insert, delete or replace to get from one word to the other.
std::size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j)
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (from[i - 1] != to[j - 1])}));
  }
  return row.back();
}

int unknownCommand(std::string_view word, const std::vector<Command> &commands) {
  const auto nearest =
      std::ranges::min_element(commands, {}, [&](const Command &command) { return editDistance(word, command.name); });
  const bool isNear = editDistance(word, nearest->name) <= 2;
  say(fmt::format("unknown command '{}'; {}", word,
                  isNear ? fmt::format("did you mean '{}'?", nearest->name) : "kperf --help lists the commands"));
  return kUsageError;
}

void shape(CLI::App &app) {
  const auto formatter = std::make_shared<CLI::Formatter>();
  formatter->column_width(24);
  formatter->label("Positionals", "Arguments");
  formatter->label("Subcommands", "Commands");
  formatter->label("SUBCOMMAND", "COMMAND");
  formatter->label("TEXT", "WORD");
  formatter->label("REQUIRED", "(required)");
  app.formatter(formatter);
  app.get_option("--help")->description("print this help and exit");
}

/// Of the command that was parsed, if one was; without the empty lines that CLI11 ends it with, nor those above the
/// options and the commands, for all of it is to be seen in a terminal of 24 lines.
int printHelp(const CLI::App &app) {
  std::string text = app.help();
  for (const std::string_view heading : {"\n\nOptions:", "\n\nSubcommands:"})
    if (const std::size_t gap = text.find(heading); gap != std::string::npos)
      text.erase(gap, 1);
  text.erase(text.find_last_not_of('\n') + 1);
  fmt::print("{}\n", text);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<Command> commands = kperf::tool::commands();
  CLI::App app{"kperf explains the traces that instrumented GPU kernels write", "kperf"};
  shape(app);
  app.set_version_flag("--version", "kperf " KPERF_VERSION, "print the version and exit");
  app.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App *, Run>> runs;
  for (const Command &command : commands) {
    CLI::App *sub = app.add_subcommand(command.name, command.summary);
    shape(*sub);
    runs.emplace_back(sub, command.declare(kperf::tool::Arguments(*sub)));
  }
  if (argc > 1 && argv[1][0] != '-' &&
      std::ranges::none_of(commands, [&](const Command &command) { return command.name == argv[1]; }))
    return unknownCommand(argv[1], commands);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp &) {
    return printHelp(app);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    const auto parsed = app.get_subcommands();
    say(fmt::format("{}; see kperf {}--help", error.what(),
               parsed.empty() ? "" : parsed.front()->get_name() + " "));
    return kUsageError;
  }
  for (const auto &[sub, run] : runs) {
    if (!sub->parsed())
      continue;
    try {
      const kperf::decoder::Expected<int> result = run();
      if (!result)
        say(fmt::format("error: {}", result.error().text()));
      return result ? *result : kUsageError;
    } catch (const std::bad_alloc &) {
      say("error: there is not enough memory for what is to be read");
      return kUsageError;
    }
  }
  return printHelp(app);
}
