// Line n of the rewritten text is line n of the original, so the diff needs no search.
#include "tool/output/LineDiff.h"

#include <algorithm>
#include <vector>

using llvm::raw_ostream;
using llvm::StringRef;

namespace kperf {

namespace {

constexpr std::size_t contextLines = 3;

/// Lines with their ends, so that a missing last newline stays visible.
std::vector<StringRef> linesOf(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return lines;
}

struct Printer {
  std::vector<StringRef> before, after;
  raw_ostream &out;

  bool differs(std::size_t line) const { return line >= before.size() || line >= after.size() || before[line] != after[line]; }

  void printLine(char mark, StringRef line) const {
    out << mark << line;
    if (!line.ends_with("\n"))
      out << "\n\\ No newline at end of file\n";
  }

  /// Runs of changed lines: all removed lines first, then all added ones.
  void printRun(std::size_t begin, std::size_t end) const {
    for (std::size_t line = begin; line < std::min(end, before.size()); ++line)
      printLine('-', before[line]);
    for (std::size_t line = begin; line < std::min(end, after.size()); ++line)
      printLine('+', after[line]);
  }

  void printHunk(std::size_t begin, std::size_t end) const {
    std::size_t removed = std::min(end, before.size()) - begin, added = std::min(end, after.size()) - begin;
    out << "@@ -" << begin + (removed > 0) << ',' << removed << " +" << begin + (added > 0) << ',' << added << " @@\n";
    for (std::size_t line = begin; line < end;) {
      if (!differs(line)) {
        printLine(' ', before[line++]);
        continue;
      }
      std::size_t run = line;
      while (run < end && differs(run))
        ++run;
      printRun(line, run);
      line = run;
    }
  }

  void print() const {
    std::size_t count = std::max(before.size(), after.size());
    for (std::size_t line = 0; line < count; ++line) {
      if (!differs(line))
        continue;
      std::size_t begin = line - std::min(line, contextLines), last = line;
      for (std::size_t next = line; next < count && next <= last + 2 * contextLines; ++next)
        if (differs(next))
          last = next;
      printHunk(begin, std::min(count, last + 1 + contextLines));
      line = last + contextLines;
    }
  }
};

} // namespace

void printLineDiff(StringRef before, StringRef after, StringRef beforeName, StringRef afterName, raw_ostream &out) {
  if (before == after)
    return;
  out << "--- " << beforeName << "\n+++ " << afterName << '\n';
  Printer{linesOf(before), linesOf(after), out}.print();
}

} // namespace kperf
