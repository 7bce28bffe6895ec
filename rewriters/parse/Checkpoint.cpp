// Forks the checkpoints and talks to each over a socket.
#include "rewriters/parse/Checkpoint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <cstdint>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace kperf {

namespace {

bool sendAll(int connection, StringRef bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    bytes = bytes.drop_front(static_cast<std::size_t>(sent));
  }
  return true;
}

bool receiveAll(int connection, char *bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t received = recv(connection, bytes, size, 0);
    if (received < 0 && errno == EINTR)
      continue;
    if (received <= 0)
      return false;
    bytes += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

/// A number of strings, each behind its size.
std::string packed(ArrayRef<StringRef> strings) {
  std::string bytes;
  const auto number = [&](std::uint64_t value) { bytes.append(reinterpret_cast<const char *>(&value), sizeof value); };
  number(strings.size());
  for (StringRef each : strings) {
    number(each.size());
    bytes += each;
  }
  return bytes;
}

std::optional<std::vector<std::string>> receiveStrings(int connection) {
  std::uint64_t count = 0;
  if (!receiveAll(connection, reinterpret_cast<char *>(&count), sizeof count))
    return std::nullopt;
  std::vector<std::string> strings(count);
  for (std::string &each : strings) {
    std::uint64_t size = 0;
    if (!receiveAll(connection, reinterpret_cast<char *>(&size), sizeof size))
      return std::nullopt;
    each.resize(size);
    if (!receiveAll(connection, each.data(), size))
      return std::nullopt;
  }
  return strings;
}

bool isInclude(StringRef line) {
  line = line.ltrim();
  return line.consume_front("#") && line.ltrim().starts_with("include");
}

/// Where the rest begins in the rewritten text; nothing when the lines before it were edited otherwise than by writing out
/// the way to a header that is as it was.
std::optional<std::size_t> restOf(StringRef original, StringRef rewritten, std::size_t begin, bool hasHeaders) {
  StringRef before = original.take_front(begin), rest = rewritten;
  while (!before.empty()) {
    StringRef line, now;
    std::tie(line, before) = before.split('\n');
    std::tie(now, rest) = rest.split('\n');
    if (line != now && (hasHeaders || !isInclude(line) || !isInclude(now)))
      return std::nullopt;
  }
  return rewritten.size() - rest.size();
}

} // namespace

Checkpoints::~Checkpoints() {
  for (const Child &child : children)
    end(child);
}

/// A child that waits for a request finds that none will come.
void Checkpoints::end(const Child &child) {
  close(child.connection);
  while (waitpid(child.process, nullptr, 0) < 0 && errno == EINTR)
    ;
}

std::optional<ReadBackRequest> Checkpoints::add(std::size_t begin) {
  int ends[2];
  if (isFull() || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::nullopt;
  const pid_t self = getpid(), process = fork();
  if (process != 0) {
    close(ends[1]);
    if (process > 0)
      children.push_back({process, ends[0], begin});
    else
      close(ends[0]);
    return std::nullopt;
  }
  for (const int fault : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGINT, SIGTERM})
    std::signal(fault, SIG_DFL); // what this process set up is to be done once
  close(ends[0]);
  for (const Child &other : children)
    close(other.connection);
  children.clear();
  parent = ends[1];
  std::optional<std::vector<std::string>> strings = getppid() == self ? receiveStrings(parent) : std::nullopt;
  if (!strings || strings->size() < 2)
    _exit(0);
  ReadBackRequest request{{(*strings)[0], (*strings)[1]}, {}};
  for (std::size_t index = 2; index + 1 < strings->size(); index += 2)
    request.headers.push_back({(*strings)[index], (*strings)[index + 1]});
  return request;
}

void Checkpoints::answer(bool isClean) const {
  sendAll(parent, isClean ? "y" : "n");
  _exit(0);
}

bool Checkpoints::readBack(StringRef original, const FileText &rewritten, const std::vector<FileText> &headers, StringRef opening) {
  for (; !children.empty(); children.pop_back()) {
    const Child child = children.back();
    if (std::optional<std::size_t> rest = restOf(original, rewritten.text, child.begin, !headers.empty())) {
      const std::string line = std::to_string(1 + original.take_front(child.begin).count('\n'));
      const std::string text = opening.str() + "#line " + line + "\n" + rewritten.text.substr(*rest);
      std::vector<StringRef> strings = {rewritten.path, text};
      for (const FileText &header : headers)
        append_range(strings, std::initializer_list<StringRef>{header.path, header.text});
      char isClean = 'n';
      const bool isAnswered = sendAll(child.connection, packed(strings)) && receiveAll(child.connection, &isClean, 1);
      return isAnswered && isClean == 'y';
    }
    end(child);
  }
  return false;
}

} // namespace kperf
