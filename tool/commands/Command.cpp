// The table of commands.
#include "tool/commands/Command.h"

namespace kperf::tool {

std::vector<Command> commands() {
  std::vector<Command> out = viewCommands();
#define KPERF_COMMAND(word, text, ...) out.push_back({.name = #word, .summary = text, .declare = word##Command __VA_OPT__(, ) __VA_ARGS__});
#include "tool/commands/Commands.def"
#undef KPERF_COMMAND
  return out;
}

} // namespace kperf::tool
