// Shows a batch's progress: one line on a terminal that is rewritten, and nothing elsewhere.
#ifndef KPERF_TOOL_BATCH_PROGRESS_H
#define KPERF_TOOL_BATCH_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstddef>
#include <string>

namespace kperf::batch {

/// "[ 3/12] 25%, 40 s left: src/gemm.cu", at most `columns` bytes long. The time left is an estimate from the files done
/// so far and is left out until there is one. Times in seconds.
std::string progressLine(std::size_t done, std::size_t total, double elapsed, llvm::StringRef name, std::size_t columns);

/// "12 s", "3 min 05 s", "1 h 02 min".
std::string durationText(double seconds);

class Progress {
public:
  /// Draws on stderr when that is a terminal.
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Starts anew, with so many things to do.
  void begin(std::size_t count);
  void show(std::size_t done, llvm::StringRef name);
  /// Takes the line away, so that something else can be printed.
  void clear();

private:
  std::size_t total = 0;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  bool isTerminal;
  std::size_t columns;
  bool isShown = false;
};

} // namespace kperf::batch

#endif
