// Reads a terminal's or a pipe's other end, and stops when the program ends: a server that it started may hold its end open.
#include "tool/process/LineRelay.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace kperf::process {
namespace {

/// How long a silent program's end may go unnoticed where something else holds its standard error open.
constexpr int kMillisecondsBetweenLooks = 50;

bool hasEnded(pid_t program, int &status, int options) {
  pid_t ended;
  while ((ended = waitpid(program, &status, options)) < 0 && errno == EINTR) {
  }
  return ended != 0;
}

bool isReadable(int descriptor, int milliseconds) {
  pollfd one{descriptor, POLLIN, 0};
  return poll(&one, 1, milliseconds) > 0;
}

} // namespace

LineRelay::LineRelay(LineChange change) : change(std::move(change)) {
  if (!isatty(STDERR_FILENO) || !openTerminal())
    openPipe();
}

LineRelay::~LineRelay() {
  for (const int descriptor : {ours, theirs})
    if (descriptor >= 0)
      close(descriptor);
}

/// A terminal that changes nothing of what passes. Its width is left unknown: lines that are cut to a width could not be told.
bool LineRelay::openTerminal() {
  const int first = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (first < 0)
    return false;
  std::array<char, 128> name;
  const bool isNamed = grantpt(first) == 0 && unlockpt(first) == 0 && ptsname_r(first, name.data(), name.size()) == 0;
  const int second = isNamed ? open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
  termios mode{};
  if (second < 0 || tcgetattr(second, &mode) != 0) {
    close(first);
    if (second >= 0)
      close(second);
    return false;
  }
  cfmakeraw(&mode);
  tcsetattr(second, TCSANOW, &mode);
  ours = first;
  theirs = second;
  return true;
}

bool LineRelay::openPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  ours = ends[0];
  theirs = ends[1];
  return true;
}

void LineRelay::show(std::string_view text) const {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written > 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      return;
  }
}

/// False at the end, which a terminal reports as an error.
bool LineRelay::readSome() {
  std::array<char, 4096> piece;
  const ssize_t bytes = read(ours, piece.data(), piece.size());
  if (bytes <= 0)
    return bytes < 0 && errno == EINTR;
  unfinished.append(piece.data(), static_cast<std::size_t>(bytes));
  std::string shown;
  std::size_t begin = 0;
  for (std::size_t end; (end = unfinished.find('\n', begin)) != std::string::npos; begin = end + 1)
    shown += change(std::string_view(unfinished).substr(begin, end - begin));
  unfinished.erase(0, begin);
  show(shown);
  return true;
}

int LineRelay::relay(pid_t program) {
  close(std::exchange(theirs, -1));
  int status = 0;
  bool isAtEnd = false, isGone = false;
  while (!isAtEnd) {
    if (isReadable(ours, isGone ? 0 : kMillisecondsBetweenLooks))
      isAtEnd = !readSome();
    else if (isGone)
      break;
    else
      isGone = hasEnded(program, status, WNOHANG);
  }
  show(change(std::nullopt) + unfinished);
  unfinished.clear();
  if (!isGone)
    hasEnded(program, status, 0);
  return status;
}

} // namespace kperf::process
