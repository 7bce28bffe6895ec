// Splits the input into messages, and writes messages whole.
#include "tool/lsp/Connection.h"

#include <cerrno>
#include <charconv>
#include <fmt/format.h>
#include <poll.h>
#include <strings.h>
#include <unistd.h>

namespace kperf::tool {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20; ///< of a message: editors send whole files
constexpr std::size_t kMaxHead = 4096;

/// Of the lines above a message.
std::optional<std::size_t> lengthOf(std::string_view head) {
  constexpr std::string_view kName = "content-length:";
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(head.size(), line.size() + 2));
    if (line.size() < kName.size() || strncasecmp(line.data(), kName.data(), kName.size()) != 0)
      continue;
    line.remove_prefix(kName.size());
    line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
    std::size_t length = 0;
    const auto [end, code] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (code == std::errc() && end == line.data() + line.size() && length <= kMaxBytes)
      return length;
    return {};
  }
  return {};
}

} // namespace

std::optional<Connection::Event> Connection::takeMessage() {
  const std::size_t end = buffer.find("\r\n\r\n");
  if (end == std::string::npos)
    return buffer.size() > kMaxHead ? std::optional(Event::BadHead) : std::nullopt;
  const auto length = lengthOf(std::string_view(buffer).substr(0, end));
  if (!length)
    return Event::BadHead;
  const std::size_t begin = end + 4;
  if (buffer.size() - begin < *length)
    return {};
  message = buffer.substr(begin, *length);
  buffer.erase(0, begin + *length);
  return Event::Message;
}

Connection::Event Connection::wait(std::chrono::milliseconds atMost) {
  for (;;) {
    if (const auto event = takeMessage())
      return *event;
    pollfd input{.fd = in, .events = POLLIN, .revents = 0};
    const int ready = poll(&input, 1, static_cast<int>(atMost.count()));
    if (ready == 0)
      return Event::Silence;
    char chunk[65536];
    const ssize_t count = ready < 0 ? -1 : read(in, chunk, sizeof chunk);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return Event::End;
    buffer.append(chunk, static_cast<std::size_t>(count));
  }
}

bool Connection::send(std::string_view json) const {
  const std::string whole = fmt::format("Content-Length: {}\r\n\r\n{}", json.size(), json);
  for (std::string_view left = whole; !left.empty();) {
    const ssize_t count = write(out, left.data(), left.size());
    if (count < 0 && errno != EINTR)
      return false;
    left.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return true;
}

} // namespace kperf::tool
