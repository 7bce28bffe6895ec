// Messages of the Language Server Protocol over two file descriptors: a head with the length, then JSON (specification 3.17, "Base
// Protocol").
#ifndef KPERF_TOOL_CONNECTION_H
#define KPERF_TOOL_CONNECTION_H

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace kperf::tool {

class Connection {
public:
  Connection(int in, int out) : in(in), out(out) {}

  enum class Event {
    Message, ///< in text()
    Silence, ///< nothing whole came within the time
    End,     ///< of the input
    BadHead, ///< no length that can be read: where the next message begins is not known
  };
  Event wait(std::chrono::milliseconds atMost);
  const std::string &text() const { return message; }

  /// Whether the other side still takes it.
  bool send(std::string_view json) const;

private:
  std::optional<Event> takeMessage();

  int in, out;
  std::string buffer, message;
};

} // namespace kperf::tool

#endif
