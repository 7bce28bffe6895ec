// Writes the progress line and estimates the time left.
#include "tool/batch/Progress.h"

#include "llvm/Support/Process.h"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace kperf::batch {

std::string durationText(double seconds) {
  const auto whole = static_cast<unsigned long>(std::max(seconds, 0.0) + 0.5);
  auto twoDigits = [](unsigned long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (whole < 60)
    return std::to_string(whole) + " s";
  if (whole < 3600)
    return std::to_string(whole / 60) + " min " + twoDigits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + twoDigits(whole % 3600 / 60) + " min";
}

std::string progressLine(std::size_t done, std::size_t total, double elapsed, llvm::StringRef name, std::size_t columns) {
  const std::string all = std::to_string(total);
  std::string line = std::to_string(done);
  line = "[" + std::string(all.size() - std::min(all.size(), line.size()), ' ') + line + "/" + all + "] " +
         std::to_string(total == 0 ? 100 : done * 100 / total) + "%";
  if (done > 0 && done < total)
    line += ", " + durationText(elapsed / static_cast<double>(done) * static_cast<double>(total - done)) + " left";
  if (!name.empty())
    line += ": " + name.str();
  return line.size() <= columns ? line : line.substr(0, columns);
}

/// Of the terminal behind stderr; the last one stays free, for some terminals wrap when it is written.
static std::size_t usableColumns() {
  winsize size = {};
  constexpr std::size_t kFewest = 20, kUsual = 79;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return kUsual;
  return std::max<std::size_t>(size.ws_col, kFewest + 1) - 1;
}

Progress::Progress() : isTerminal(llvm::sys::Process::StandardErrIsDisplayed()), columns(usableColumns()) {}

void Progress::begin(std::size_t count) {
  total = count;
  start = std::chrono::steady_clock::now();
}

void Progress::show(std::size_t done, llvm::StringRef name) {
  if (!isTerminal)
    return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  llvm::errs() << "\r\033[K" << progressLine(done, total, elapsed.count(), name, columns);
  isShown = true;
}

void Progress::clear() {
  if (isShown)
    llvm::errs() << "\r\033[K";
  isShown = false;
}

} // namespace kperf::batch
