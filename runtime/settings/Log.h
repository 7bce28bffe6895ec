// What the runtime logs: lines on stderr that begin with "kperf: ".
#ifndef KPERF_RUNTIME_LOG_H
#define KPERF_RUNTIME_LOG_H

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace kperf::runtime {

/// '?' for control characters, of C1 (in UTF-8) too, and for those that change the direction of text: names of files and kernels are in
/// what is said, and a terminal would obey them.
inline void makePrintable(char *line) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(line[i]); };
  for (std::size_t i = 0; line[i] != 0; ++i)
    if (at(i) < 0x20 || at(i) == 0x7f || (i > 0 && at(i - 1) == 0xc2 && at(i) >= 0x80 && at(i) < 0xa0))
      line[i] = '?';
    else if (i > 1 && at(i - 2) == 0xe2 &&
             ((at(i - 1) == 0x80 && ((at(i) >= 0x8b && at(i) <= 0x8f) || (at(i) >= 0xa8 && at(i) <= 0xae))) ||
              (at(i - 1) == 0x81 && at(i) >= 0xa0 && at(i) <= 0xaf)))
      line[i - 2] = line[i - 1] = line[i] = '?'; // U+200B to U+200F, U+2028 to U+202E, U+2060 to U+206F
}

/// Writes one line to stderr in one call, so that lines of several threads do not mix.
[[gnu::format(printf, 1, 2)]] inline void log(const char *format, ...) {
  char line[1024] = "kperf: ";
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line + std::strlen(line), sizeof(line) - std::strlen(line), format, arguments);
  va_end(arguments);
  makePrintable(line);
  const std::size_t length = std::strlen(line);
  line[length] = '\n';
  if (::write(STDERR_FILENO, line, length + 1) < 0) { // not by stdio: a thread that died may hold its lock
  }
}

} // namespace kperf::runtime

#endif
