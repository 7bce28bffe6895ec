// The table of commands.
#include "tool/commands/Command.h"

#include <cstdio>
#include <fmt/format.h>

namespace kperf::tool {

std::vector<Command> commands() {
  std::vector<Command> out = viewCommands();
#define KPERF_COMMAND(name, summary) out.push_back({#name, summary, name##Command});
#include "tool/commands/Commands.def"
#undef KPERF_COMMAND
  return out;
}

void warn(std::string_view message) { fmt::print(stderr, "kperf: warning: {}\n", message); }

} // namespace kperf::tool
