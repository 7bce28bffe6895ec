// Recognises three forms: "name(line): …" with indented line and marks, "name:line:column: …" with a bare line, or a numbered one.
#include "tool/cc/CompilerMessages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <utility>

namespace kperf::cc {
namespace {

bool beginsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// How many columns a byte takes on the screen, in column `at`.
std::size_t widthOf(char c, std::size_t at) { return c == '\t' ? 8 - at % 8 : beginsCharacter(c); }

/// The column of a byte, both counted from 0; bytes behind the end take one each.
std::size_t columnOf(llvm::StringRef line, std::size_t byte) {
  std::size_t column = 0;
  for (const char c : line.take_front(byte))
    column += widthOf(c, column);
  return column + (byte - std::min(byte, line.size()));
}

/// The byte that is shown in a column.
std::size_t byteIn(llvm::StringRef line, std::size_t column) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::size_t width = widthOf(line[at], begin);
    if (width > column - begin)
      return at;
    begin += width;
  }
  return line.size() + (column - begin);
}

/// Tabs as a compiler shows them: up to the next stop, or one space each.
std::string withoutTabs(llvm::StringRef line, bool toStops) {
  std::string out;
  std::size_t column = 0;
  for (const char c : line) {
    const std::size_t width = widthOf(c, column);
    out.append(c != '\t' ? 1 : toStops ? width : 1, c == '\t' ? ' ' : c);
    column += width;
  }
  return out;
}

std::vector<llvm::StringRef> linesOf(llvm::StringRef text) {
  std::vector<llvm::StringRef> lines;
  while (!text.empty()) {
    const auto [line, rest] = text.split('\n');
    lines.push_back(line.rtrim('\r'));
    text = rest;
  }
  return lines;
}

std::string contentsOf(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  return text ? (*text)->getBuffer().str() : std::string();
}

constexpr llvm::StringLiteral kFirstLine = "#line 1 \"";

/// "^~~~" and nothing else.
bool isMarks(llvm::StringRef text) { return text.contains('^') && text.find_first_not_of(" ^~") == llvm::StringRef::npos; }

/// GCC's "…/kperf/host/…:   required from …": a step through kperf's headers, which the user's code doesn't have.
bool isOwnStep(llvm::StringRef text) {
  const auto [place, step] = text.split(":   ");
  return place.contains("/kperf/host/") && step.contains("required ");
}

/// "   12 | ": how wide that is, or 0; the number is 0 where there is none.
std::size_t marginOf(llvm::StringRef text, std::size_t &number) {
  llvm::StringRef rest = text.ltrim(' ');
  number = 0;
  const bool isNumbered = !rest.consumeInteger(10, number);
  return rest.consume_front(isNumbered ? " |" : "|") && (rest.empty() || rest.consume_front(" ")) ? text.size() - rest.size() : 0;
}

} // namespace

void CompilerMessages::File::load() {
  if (std::exchange(isLoaded, true))
    return;
  copyText = contentsOf(paths.copy);
  originalText = contentsOf(paths.original);
  llvm::StringRef text = copyText;
  const std::size_t first = text.starts_with(kFirstLine) ? 0 : text.find(("\n" + kFirstLine).str());
  if (first == llvm::StringRef::npos)
    return;
  text = text.drop_front(text.find(kFirstLine, first) + kFirstLine.size());
  const auto [line, rest] = text.split('\n');
  for (std::size_t i = 0; i < line.size() && line[i] != '"'; ++i)
    name += line[i] == '\\' && i + 1 < line.size() ? line[++i] : line[i];
  read = linesOf(rest);
  written = linesOf(originalText);
}

bool CompilerMessages::File::isEdited(std::size_t line) const {
  return line > 0 && line <= std::min(read.size(), written.size()) && read[line - 1] != written[line - 1];
}

std::size_t CompilerMessages::Quote::place(std::size_t column) const { return columnOf(written, map.toWritten(byteIn(counted, column))); }

/// A column as the compiler counts, from 1, in the user's line.
std::size_t CompilerMessages::column(const File &of, std::size_t number, std::size_t given, bool isInBytes) {
  if (!of.isEdited(number) || given == 0)
    return given;
  const llvm::StringRef written = of.written[number - 1];
  const ColumnMap map(of.read[number - 1], written);
  // GCC counts bytes of the copy, and makes columns of them by the user's file
  return 1 + (isInBytes ? map.toWritten(given - 1) : columnOf(written, map.toWritten(byteIn(written, given - 1))));
}

/// "name(line): …" and "name:line:column: …", of a file that was copied.
std::optional<std::string> CompilerMessages::place(const ColouredLine &line) {
  for (File &each : files) {
    each.load();
    llvm::StringRef rest = line.text;
    std::size_t found = 0, given = 0;
    if ((each.name.empty() || !rest.consume_front(each.name)) && !rest.consume_front(each.paths.original))
      continue;
    const bool isByLine = rest.consume_front("(") && !rest.consumeInteger(10, found) && rest.starts_with("): ");
    if (!isByLine && (!rest.consume_front(":") || rest.consumeInteger(10, found) || !rest.consume_front(":")))
      continue;
    const std::size_t begin = line.text.size() - rest.size();
    if (!isByLine && (rest.consumeInteger(10, given) || !rest.starts_with(":")))
      continue;
    std::string shown = release();
    file = &each;
    number = each.isEdited(found) ? found : 0;
    isIndented = isByLine;
    if (isByLine || number == 0)
      return shown + line.str() + "\n";
    const std::size_t end = line.text.size() - rest.size();
    // GCC counts bytes where it says what a template is "   required from"
    const std::string column = llvm::utostr(CompilerMessages::column(each, found, given, countsBytes || rest.starts_with(":   ")));
    const auto moved = [&](std::size_t at, bool) {
      return at < end ? std::min(at, begin + column.size()) : at - end + begin + column.size();
    };
    return shown + line.withText(line.text.substr(0, begin) + column + rest.str(), moved).str() + "\n";
  }
  return std::nullopt;
}

/// The user's line in the place of one that is shown behind a margin.
ColouredLine CompilerMessages::quoted(const ColouredLine &line, std::size_t margin, std::size_t number) {
  const ColouredLine shown = line.dropFront(margin);
  const std::string written = withoutTabs(file->written[number - 1], /*toStops=*/!isIndented);
  const bool isWritten = llvm::StringRef(shown.text).rtrim() == llvm::StringRef(written).rtrim();
  Quote made = isWritten ? Quote{ColumnMap(file->read[number - 1], file->written[number - 1]), file->written[number - 1].str(), "", margin}
                         : Quote{ColumnMap(shown.text, written), shown.text, written, margin};
  if (isWritten) // GCC reads the user's file to show it, and marks what it read in the copy
    made.written = made.counted;
  if (!made.map.isLikely())
    return line;
  quote = std::move(made);
  ColouredLine out = line.takeFront(margin);
  const auto place = [&](std::size_t at) { return byteIn(written, quote->place(columnOf(shown.text, at))); };
  const ColouredLine changed =
      shown.withText(written, [&](std::size_t at, bool isEnd) { return isEnd ? std::min(place(at - 1) + 1, place(at)) : place(at); });
  for (const ColouredLine::Escape &escape : changed.escapes)
    out.escapes.push_back({escape.at + margin, escape.sequence});
  out.text += changed.text;
  return out;
}

/// Marks and words below a quoted line, moved to where the user's line has what they are about.
ColouredLine CompilerMessages::marks(const ColouredLine &line) const {
  const std::size_t margin = quote->margin;
  const auto place = [&](std::size_t at) { return at < margin ? at : margin + quote->place(at - margin); };
  const llvm::StringRef given = line.text;
  std::vector<std::size_t> moved(given.size() + 1);
  for (std::size_t at = 0; at < moved.size(); ++at)
    moved[at] = at;
  std::string out = given.take_front(margin).str();
  for (std::size_t at = margin; at < given.size();) {
    const std::size_t begin = given.find_first_not_of(' ', at);
    if (begin == llvm::StringRef::npos)
      break;
    const std::size_t end = std::min(given.find(' ', begin), given.size());
    const bool isMarked = isMarks(given.slice(begin, end)) || given.slice(begin, end).find_first_not_of('~') == llvm::StringRef::npos;
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t to = moved[i] = isMarked ? place(i) : place(begin) + (i - begin);
      out.resize(std::max(out.size(), to + 1), ' ');
      if (out[to] != '^')
        out[to] = given[i];
    }
    at = end;
  }
  return line.withText(out, [&](std::size_t at, bool isEnd) { return isEnd ? moved[at - 1] + 1 : moved[at]; });
}

/// "   12 | text", and what is below it behind the same margin.
std::optional<std::string> CompilerMessages::numberedLine(const ColouredLine &line) {
  std::size_t shown = 0;
  const std::size_t margin = marginOf(line.text, shown);
  if (margin == 0 || !file)
    return std::nullopt;
  if (shown == 0 && quote && quote->margin == margin)
    return marks(line).str() + "\n";
  const std::string before = release();
  return before + (file->isEdited(shown) ? quoted(line, margin, shown) : line).str() + "\n";
}

/// A line without a number, which is the quoted one when marks follow.
std::optional<std::string> CompilerMessages::bareLine(const ColouredLine &line) {
  if (number == 0)
    return std::nullopt;
  if (line.text.empty())
    return release() + line.str() + "\n";
  if (!held || !isMarks(line.text)) {
    std::string shown = held ? withOriginals(*held) : std::string();
    held = line;
    return shown;
  }
  const ColouredLine text = quoted(*held, isIndented ? 2 : 0, number);
  const std::string shown = text.str() + "\n" + (quote ? marks(line) : line).str() + "\n";
  held.reset();
  quote.reset();
  number = 0;
  return shown;
}

/// nvcc's count of errors names the copy.
std::string CompilerMessages::withOriginals(ColouredLine line) const {
  for (const File &each : files) {
    const std::string name = "in the compilation of \"" + each.paths.copy + "\"";
    if (const std::size_t at = line.text.find(name); at != std::string::npos && line.escapes.empty())
      line.text.replace(at, name.size(), "in the compilation of \"" + each.paths.original + "\"");
  }
  return line.str() + "\n";
}

std::string CompilerMessages::release() {
  std::string shown = held ? withOriginals(*held) : std::string();
  held.reset();
  quote.reset();
  number = 0;
  return shown;
}

std::string CompilerMessages::change(std::optional<std::string_view> text) {
  if (!text)
    return release();
  const ColouredLine line = ColouredLine::read(*text);
  if (auto shown = place(line))
    return *shown;
  if (isOwnStep(line.text))
    return release();
  if (auto shown = numberedLine(line))
    return *shown;
  if (auto shown = bareLine(line))
    return *shown;
  return withOriginals(line);
}

} // namespace kperf::cc
