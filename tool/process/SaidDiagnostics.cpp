// Compares rendered diagnostics without the lines that say which source included a header.
#include "tool/process/SaidDiagnostics.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace kperf {

static constexpr std::size_t kNamedSources = 3;

static std::string withoutIncludes(StringRef rendered) {
  std::string text;
  SmallVector<StringRef, 8> lines;
  rendered.split(lines, '\n');
  for (const StringRef line : lines)
    if (!line.starts_with("In file included from "))
      text += (line + "\n").str();
  return text;
}

/// The file in front of the first "12:3:"; colours may stand before it.
static std::string fileOf(StringRef text) {
  if (text.consume_front("\x1b["))
    text = text.split('m').second;
  StringRef line = text.split('\n').first;
  for (std::size_t end = line.find(':'); end != StringRef::npos; end = line.find(':', end + 1))
    if (end + 1 < line.size() && isdigit(static_cast<unsigned char>(line[end + 1])))
      return line.take_front(end).str();
  return "";
}

bool SaidDiagnostics::isNew(StringRef rendered, StringRef source) {
  std::string text = withoutIncludes(rendered);
  std::string file = fileOf(text);
  if (said.insert(std::move(text)).second)
    return true;
  if (file != source)
    sourcesOf[file].insert(source.str());
  return false;
}

std::vector<std::string> SaidDiagnostics::repetitions() const {
  std::vector<std::string> lines;
  for (const auto &[file, sources] : sourcesOf) {
    std::string line = "what is said of '" + file + "' is so in ";
    std::size_t number = 0;
    for (const std::string &source : sources) {
      const bool isLast = number + 1 == sources.size();
      if (number == kNamedSources && !isLast) {
        line += " and " + std::to_string(sources.size() - number) + " others";
        break;
      }
      line += (number == 0 ? "'" : isLast ? " and '" : ", '") + source + "'";
      ++number;
    }
    lines.push_back(line + " too");
  }
  return lines;
}

} // namespace kperf
