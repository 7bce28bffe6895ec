// Relays a program's standard error to ours, line by line, so that lines can be changed.
#ifndef KPERF_TOOL_LINE_RELAY_H
#define KPERF_TOOL_LINE_RELAY_H

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace kperf::process {

/// What is shown for a line, which has no new line at its end; the result has one for each line that it holds. Without a line: what was
/// held back, at the end.
using LineChange = std::function<std::string(std::optional<std::string_view> line)>;

/// One end is the program's standard error: a terminal where ours is one, for programs choose colours by that, or a pipe.
class LineRelay {
public:
  /// Opens both ends. Not isOpen() where the system has none left.
  explicit LineRelay(LineChange change);
  ~LineRelay();
  LineRelay(const LineRelay &) = delete;
  LineRelay &operator=(const LineRelay &) = delete;

  bool isOpen() const { return ours >= 0; }
  /// The descriptor that is to be the program's standard error.
  int programsEnd() const { return theirs; }
  /// Once the program has started: passes lines on until it has ended and all that it wrote is shown. The result is waitpid()'s status.
  int relay(pid_t program);

private:
  bool openTerminal();
  bool openPipe();
  bool readSome();
  void show(std::string_view text) const;

  LineChange change;
  int ours = -1, theirs = -1;
  std::string unfinished; ///< a line without its end
};

} // namespace kperf::process

#endif
