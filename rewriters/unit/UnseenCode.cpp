// Lexes the ranges that the preprocessor skipped.
#include "rewriters/unit/UnseenCode.h"

#include "clang/Lex/Lexer.h"

#include <set>

using namespace llvm;

namespace kperf {

namespace {

using Key = std::pair<std::string, unsigned>;

/// The file itself, whichever of its readings the place is in.
std::string fileOf(const TranslationUnit &unit, clang::FileID file) {
  const clang::OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(file);
  return entry ? entry->getName().str() : std::string();
}

/// Calls `found` with the offset of every annotation in the range.
void findAnnotations(StringRef text, unsigned begin, unsigned end, const clang::LangOptions &options, function_ref<void(unsigned)> found) {
  StringRef range = text.slice(begin, end);
  if (!range.contains("KPERF_") && !range.contains("kperf"))
    return;
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), options, text.begin(), text.begin() + begin, text.end());
  clang::Token token;
  StringRef previous;
  for (lexer.LexFromRawLexer(token); token.isNot(clang::tok::eof); lexer.LexFromRawLexer(token)) {
    unsigned offset = token.getLocation().getRawEncoding() - 1;
    if (offset >= end)
      return;
    StringRef word = token.is(clang::tok::raw_identifier) ? token.getRawIdentifier() : StringRef();
    if (annotationNamed(word) || (word == "kperf" && previous == "pragma"))
      found(offset);
    previous = word;
  }
}

} // namespace

void warnOfUnseenAnnotations(const TranslationUnit &unit, StringRef architecture) {
  std::set<Key> seen;
  for (const AnnotationExpansion &annotation : unit.preprocessing.annotations)
    if (std::optional<Place> place = unit.spelledPlace(annotation.token))
      seen.emplace(fileOf(unit, place->file), place->offset);
  for (clang::SourceRange range : unit.preprocessing.skipped) {
    Place begin = unit.expansionPlace(range.getBegin()), end = unit.expansionPlace(range.getEnd());
    clang::OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(begin.file);
    if (!entry || unit.sources.isInSystemHeader(range.getBegin()) || StringRef(entry->getName()).contains("kperf/annotate"))
      continue;
    findAnnotations(unit.sources.getBufferData(begin.file), begin.offset, end.offset, unit.context.getLangOpts(), [&](unsigned offset) {
      if (!seen.emplace(fileOf(unit, begin.file), offset).second)
        return;
      clang::SourceLocation location = unit.sources.getLocForStartOfFile(begin.file).getLocWithOffset(offset);
      unit.reporter.warning(location, "the preprocessor dropped this annotation for " + architecture + ": it is not instrumented");
    });
  }
}

} // namespace kperf
