// What kperf says on stderr: a line each, with its name in front. Nothing else in it writes there but the progress of a read.
#ifndef KPERF_TOOL_MESSAGE_H
#define KPERF_TOOL_MESSAGE_H

#include <string_view>

namespace kperf::tool {

/// "kperf: …". The message may hold names of traces and of files: what is no printable text in them becomes '?', new lines too.
void say(std::string_view message);
/// "kperf: warning: …": something is missing or may mislead, and this is what to do.
void warn(std::string_view message);
/// "kperf: note: …": what a reader of the output should know.
void note(std::string_view message);

} // namespace kperf::tool

#endif
