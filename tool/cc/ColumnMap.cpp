// Aligns two lines by dynamic programming over their tokens.
#include "tool/cc/ColumnMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace kperf::cc {
namespace {

struct Token {
  std::size_t begin, end;
};

bool isWordByte(char c) { return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

std::size_t endOfToken(llvm::StringRef line, std::size_t begin) {
  if (line[begin] == '"' || line[begin] == '\'') {
    std::size_t end = begin + 1;
    while (end < line.size() && line[end] != line[begin])
      end += line[end] == '\\' ? 2 : 1;
    return std::min(end + 1, line.size());
  }
  std::size_t end = begin + 1;
  while (isWordByte(line[begin]) && end < line.size() && isWordByte(line[end]))
    ++end;
  return end;
}

std::vector<Token> tokensOf(llvm::StringRef line) {
  std::vector<Token> tokens;
  for (std::size_t at = 0; at < line.size();) {
    if (llvm::isSpace(line[at])) {
      ++at;
      continue;
    }
    tokens.push_back({at, endOfToken(line, at)});
    at = tokens.back().end;
  }
  return tokens;
}

/// The best alignment of two lines' tokens.
class Alignment {
public:
  Alignment(llvm::StringRef read, llvm::StringRef written)
      : read(read), written(written), rows(tokensOf(read)), others(tokensOf(written)), width(others.size() + 1) {}

  /// The pairs of tokens, as numbers, in order.
  std::vector<std::pair<std::size_t, std::size_t>> find() {
    constexpr std::size_t kMaxCells = 4'000'000; // of a line that no one reads
    if ((rows.size() + 1) * width > kMaxCells)
      return {};
    fill();
    return trace();
  }
  llvm::ArrayRef<Token> readTokens() const { return rows; }
  llvm::ArrayRef<Token> writtenTokens() const { return others; }

private:
  /// Of the tokens before this cell's: the most that pairs are worth, at all and where the last two tokens are one.
  struct Cell {
    unsigned best = 0, paired = 0;
  };

  Cell &at(std::size_t row, std::size_t column) { return cells[row * width + column]; }
  /// What a pair is worth: words more than brackets, which are everywhere; 0 where the tokens differ.
  unsigned worth(const Token &a, const Token &b) const {
    if (read.slice(a.begin, a.end) != written.slice(b.begin, b.end))
      return 0;
    return isWordByte(read[a.begin]) ? 6 : 3;
  }

  void fill() {
    cells.assign((rows.size() + 1) * width, {});
    for (std::size_t i = 1; i <= rows.size(); ++i)
      for (std::size_t j = 1; j < width; ++j) {
        Cell &cell = at(i, j);
        const Cell &before = at(i - 1, j - 1);
        if (const unsigned own = worth(rows[i - 1], others[j - 1]))
          cell.paired = own + std::max(before.best, before.paired > 0 ? before.paired + kFollows : 0);
        cell.best = std::max({cell.paired, at(i - 1, j).best, at(i, j - 1).best});
      }
  }

  std::vector<std::pair<std::size_t, std::size_t>> trace() {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    bool isPaired = false; // by the pair behind it, which follows on this one
    for (std::size_t i = rows.size(), j = others.size(); i > 0 && j > 0;) {
      const Cell &cell = at(i, j);
      if (isPaired || (cell.paired > 0 && cell.paired == cell.best)) {
        const Cell &before = at(i - 1, j - 1);
        isPaired = before.paired > 0 && before.paired + kFollows >= before.best;
        pairs.emplace_back(--i, --j);
      } else if (at(i, j - 1).best == cell.best) { // the user's token has no equal, so those before it get theirs as late as they can
        --j;
      } else {
        --i;
      }
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }

  static constexpr unsigned kFollows = 1;

  llvm::StringRef read, written;
  std::vector<Token> rows, others;
  std::size_t width;
  std::vector<Cell> cells;
};

} // namespace

ColumnMap::ColumnMap(llvm::StringRef read, llvm::StringRef written) {
  Alignment alignment(read, written);
  const auto pairs = alignment.find();
  const llvm::ArrayRef<Token> rows = alignment.readTokens(), others = alignment.writtenTokens();
  likely = 3 * pairs.size() > std::min(rows.size(), others.size());
  const std::size_t end = written.rtrim().size();
  std::size_t next = others.empty() ? end : others.front().begin; // where the user's next token begins
  std::size_t row = 0;
  auto pair = pairs.begin();
  for (std::size_t column = 0; column <= read.size(); ++column) {
    std::optional<std::size_t> behind; // the end of the user's token that ends here
    for (; row < rows.size() && rows[row].end <= column; ++row)
      if (pair != pairs.end() && pair->first == row) {
        const std::size_t other = (pair++)->second;
        next = other + 1 < others.size() ? others[other + 1].begin : end;
        if (rows[row].end == column)
          behind = others[other].end;
      }
    const bool isShared = row < rows.size() && pair != pairs.end() && pair->first == row && rows[row].begin <= column;
    columns.push_back(isShared ? others[pair->second].begin + (column - rows[row].begin) : behind.value_or(next));
  }
}

std::size_t ColumnMap::toWritten(std::size_t column) const {
  return column < columns.size() ? columns[column] : columns.back() + (column - columns.size() + 1);
}

} // namespace kperf::cc
