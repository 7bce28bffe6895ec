// kperf: explains the traces that instrumented kernels write.
#include "tool/commands/Command.h"
#include "tool/commands/NewestTrace.h"
#include "tool/process/Spelling.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>

using kperf::tool::Command;
using kperf::tool::Run;
using kperf::tool::say;

namespace {

constexpr int kUsageError = 2;

int unknownCommand(std::string_view word, const std::vector<Command> &commands) {
  std::vector<std::string> names;
  for (const Command &command : commands)
    names.push_back(command.name);
  const std::string nearest = kperf::tool::nearestWord(word, names);
  std::error_code ignored;
  if (nearest.empty() && std::filesystem::is_regular_file(word, ignored)) {
    say(fmt::format("'{}' is no command but a file; did you mean 'kperf explain {}'?", word, word));
    return kUsageError;
  }
  say(fmt::format("unknown command '{}'; {}", word,
                  nearest.empty() ? "kperf --help lists the commands" : fmt::format("did you mean '{}'?", nearest)));
  return kUsageError;
}

/// "-o FILE is required: where to write, - for standard output"; "" where what is missing has no short name.
std::string missingOption(const CLI::App &app) {
  for (const CLI::Option *option : app.get_options())
    if (option->get_required() && option->count() == 0 && !option->get_snames().empty())
      return fmt::format("-{} {} is required: {}", option->get_snames().front(), option->get_type_name(), option->get_description());
  return "";
}

/// What is wrong with the command line, and what was probably meant.
int usageError(const CLI::ParseError &error, const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options())
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
  const std::string help = app.get_parent() ? "kperf " + app.get_name() : "kperf";
  for (const std::string &word : app.remaining()) {
    const std::string nearest = word.starts_with("--") ? kperf::tool::nearestWord(word.substr(0, word.find('=')), names) : "";
    if (!word.starts_with("-"))
      continue;
    say(fmt::format("unknown option '{}'; {}", word.substr(0, word.find('=')),
                    nearest.empty() ? help + " --help lists the options" : fmt::format("did you mean '{}'?", nearest)));
    return kUsageError;
  }
  if (const std::string lacks = error.get_name() == "RequiredError" ? missingOption(app) : ""; !lacks.empty())
    say(fmt::format("{}; see {} --help", lacks, help));
  else
    say(fmt::format("{}; see {} --help", error.what(), help));
  return kUsageError;
}

/// Says of which options one takes several values at once.
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_option_opts(const CLI::Option *option) const override {
    std::string out = CLI::Formatter::make_option_opts(option);
    if (const std::size_t dots = out.find(" ...");
        dots != std::string::npos && !option->get_allow_extra_args() && !option->get_positional())
      out.erase(dots, 4);
    return out;
  }
};

void shape(CLI::App &app) {
  const auto formatter = std::make_shared<HelpFormatter>();
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
  for (const std::string_view heading : {"\n\nOptions:", "\n\nSubcommands:"}) // the top's options and commands need none
    for (std::size_t gap; (gap = text.find(heading)) != std::string::npos;)
      text.erase(gap, app.get_parent() ? 1 : heading.size());
  text.erase(text.find_last_not_of('\n') + 1);
  fmt::print("{}\n", text);
  return 0;
}

/// Nothing, where there is a trace, as "kperf explain"; `kperf help` as "kperf --help", `kperf help COMMAND` as "kperf COMMAND --help"; and
/// what is behind `run` as kperf-cc's and the program's.
void normalise(std::vector<std::string> &words) {
  if (words.empty() && kperf::tool::newestTrace().empty()) {
    say("this folder holds no trace (*.kperf) to explain: run an instrumented program here, or name its trace");
  } else if (words.empty()) {
    words.emplace_back("explain"); // what one wants to know after a run
    say("kperf --help lists what else there is to ask");
  }
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.resize(std::min<std::size_t>(words.size(), 1));
    words.emplace_back("--help");
  } else if (words.size() > 1 && words[0] == "run" && words[1] != "--help" && words[1] != "-h") {
    words.insert(words.begin() + 1, "run"); // CLI11 leaves what follows a word that it does not know
  }
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<Command> commands = kperf::tool::commands();
  CLI::App app{"", "kperf"};
  shape(app);
  // With no line for each of these: all of it is to be seen in a terminal of 24 lines.
  app.get_formatter()->label("Usage", "Explains traces of GPU kernels. Usage");
  app.get_formatter()->label("OPTIONS", "--help | --version");
  app.set_version_flag("--version", "kperf " KPERF_VERSION)->group("");
  app.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App *, Run>> runs;
  for (const Command &command : commands) {
    CLI::App *sub = app.add_subcommand(command.name, command.summary);
    shape(*sub);
    runs.emplace_back(sub, command.declare(kperf::tool::Arguments(*sub)));
  }
  app.get_option("--help")->group(""); // commands take it over from what is shown
  std::vector<std::string> words(argv + 1, argv + argc);
  normalise(words);
  if (!words.empty() && words[0][0] != '-' &&
      std::ranges::none_of(commands, [&](const Command &command) { return command.name == words[0]; }))
    return unknownCommand(words[0], commands);
  try {
    std::ranges::reverse(words); // as CLI11 takes them
    app.parse(words);
  } catch (const CLI::CallForHelp &) {
    return printHelp(app);
  } catch (const CLI::ParseError &error) {
    if (error.get_exit_code() == 0)
      return app.exit(error);
    const auto parsed = app.get_subcommands();
    return usageError(error, parsed.empty() ? app : *parsed.front());
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
