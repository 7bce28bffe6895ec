// Writes lines to stderr.
#include "tool/process/Message.h"
#include "decoder/io/Utf8.h"

#include <cstdio>
#include <fmt/format.h>

namespace kperf::tool {

void say(std::string_view message) { fmt::print(stderr, "kperf: {}\n", decoder::printable(message)); }

void warn(std::string_view message) { say(fmt::format("warning: {}", message)); }

void note(std::string_view message) { say(fmt::format("note: {}", message)); }

} // namespace kperf::tool
