// The table of commands.
#include "tool/commands/Command.h"

namespace kperf::tool {

std::vector<Command> commands() {
  std::vector<Command> out = viewCommands();
#define KPERF_COMMAND(name, summary) out.push_back({#name, summary, name##Command});
#include "tool/commands/Commands.def"
#undef KPERF_COMMAND
  return out;
}

} // namespace kperf::tool
