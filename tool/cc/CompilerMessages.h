// Changes a compiler's messages about instrumented copies so that they are about the sources that the user wrote.
#ifndef KPERF_TOOL_CC_COMPILERMESSAGES_H
#define KPERF_TOOL_CC_COMPILERMESSAGES_H

#include "tool/cc/ColouredLine.h"
#include "tool/cc/ColumnMap.h"

#include "llvm/ADT/StringRef.h"

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::cc {

/// A copy and what it is of, by their paths.
struct CopiedFile {
  std::string copy, original;
};

/// Changes messages of nvcc, GCC and Clang line by line. A line that is quoted becomes the user's where edits changed it, and the columns
/// and marks of the message move with it; all else stays as it is. Files are read once the compiler says something.
class CompilerMessages {
public:
  /// `countsBytes`: columns of the compiler's are Clang's, which count bytes; others count places on the screen.
  CompilerMessages(std::vector<CopiedFile> files, bool countsBytes) : files(files.begin(), files.end()), countsBytes(countsBytes) {}

  /// What is to be shown for a line, each with its new line; without one: what was held back until it is known what follows.
  std::string change(std::optional<std::string_view> line);

private:
  struct File {
    CopiedFile paths;
    std::string name; ///< by which the compiler knows it
    std::string copyText, originalText;
    std::vector<llvm::StringRef> read, written; ///< lines
    bool isLoaded = false;

    explicit File(CopiedFile paths) : paths(std::move(paths)) {}
    void load();
    bool isEdited(std::size_t line) const;
  };
  /// The line that a compiler shows with its marks below.
  struct Quote {
    ColumnMap map;
    std::string counted; ///< by which columns become bytes of the line that was read
    std::string written; ///< by which bytes of the user's line become columns
    std::size_t margin;  ///< columns before both

    std::size_t place(std::size_t column) const;
  };

  std::optional<std::string> place(const ColouredLine &line);
  std::optional<std::string> numberedLine(const ColouredLine &line);
  std::optional<std::string> bareLine(const ColouredLine &line);
  ColouredLine quoted(const ColouredLine &line, std::size_t margin, std::size_t number);
  ColouredLine marks(const ColouredLine &line) const;
  static std::size_t column(const File &of, std::size_t number, std::size_t given, bool isInBytes);
  std::string withOriginals(ColouredLine line) const;
  std::string release();

  std::deque<File> files;
  bool countsBytes;
  File *file = nullptr;             ///< of the last place
  std::size_t number = 0;           ///< the line of it that may be quoted without a number, where edits changed it; else 0
  bool isIndented = false;          ///< by two columns, as nvcc does
  std::optional<ColouredLine> held; ///< that line, if marks follow
  std::optional<Quote> quote;       ///< whose marks may follow
};

} // namespace kperf::cc

#endif
