// A command of kperf: its options and what runs after they were read. Listed in Commands.def, and one for each view.
#ifndef KPERF_TOOL_COMMAND_H
#define KPERF_TOOL_COMMAND_H

#include "decoder/io/Error.h"
#include "tool/commands/Arguments.h"
#include "tool/process/Message.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::tool {

/// Runs a command whose options were read; gives the exit code.
using Run = std::function<decoder::Expected<int>()>;

struct Command {
  std::string name;
  std::string summary;
  /// Adds the command's options to its part of the command line.
  std::function<Run(const Arguments &)> declare;
};

/// All commands, in the order of the help text.
std::vector<Command> commands();

#define KPERF_COMMAND(name, summary) Run name##Command(const Arguments &arguments);
#include "tool/commands/Commands.def"
#undef KPERF_COMMAND

/// The commands that Views.def makes.
std::vector<Command> viewCommands();

} // namespace kperf::tool

#endif
