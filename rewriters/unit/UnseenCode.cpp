// Lexes the ranges that the preprocessor skipped.
#include "rewriters/unit/UnseenCode.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

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
    const bool isUse = previous != "define" && previous != "undef" && previous != "ifdef" && previous != "ifndef" && previous != "defined";
    if ((annotationNamed(word) && isUse) || (word == "kperf" && previous == "pragma"))
      found(offset);
    if (token.isNot(clang::tok::l_paren)) // of defined(KPERF_SCOPE)
      previous = word;
  }
}

/// The names in a condition of TokenLayout::conditionsAt: "#ifdefA#else", "#ifdefined(A)&&B<2".
SmallVector<StringRef, 4> namesIn(StringRef condition) {
  static constexpr StringLiteral kWords[] = {"ifdefined", "ifndef", "ifdef",   "if",   "elifndef", "elifdefined",
                                             "elifdef",   "elif",   "defined", "else", "endif"};
  SmallVector<StringRef, 4> names;
  while (!(condition = condition.drop_until([](char c) { return isAlnum(c) || c == '_' || c == '#'; })).empty()) {
    const bool isDirective = condition.consume_front("#");
    StringRef name = condition.take_while([](char c) { return isAlnum(c) || c == '_'; });
    condition = condition.drop_front(name.size());
    for (StringRef word : kWords)
      if ((isDirective || word == "defined") && name.consume_front(word))
        break;
    if (!name.empty() && !isDigit(name.front()))
      names.push_back(name);
  }
  return names;
}

/// Whether a file that was read defines the macro, under whatever condition.
bool isDefinedInFile(const clang::SourceManager &sources, StringRef name) {
  for (unsigned index = 0; index < sources.local_sloc_entry_size(); ++index) {
    const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(index);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      continue;
    const StringRef text = entry.getFile().getContentCache().getBufferDataIfLoaded().value_or("");
    for (std::size_t at = text.find(name); at != StringRef::npos; at = text.find(name, at + 1)) {
      const StringRef before = text.take_front(at), behind = text.drop_front(at + name.size());
      const bool isWhole = behind.empty() || !(isAlnum(behind.front()) || behind.front() == '_');
      if (isWhole && before.rtrim(" \t").size() < at && before.rtrim(" \t").ends_with("define"))
        return true;
    }
  }
  return false;
}

/// Whether an annotation is left out of every reading of the source: by macros that are the user's to give.
bool isSwitchedOff(const TranslationUnit &unit, Place place) {
  for (const std::string &condition : unit.layoutOf(place.file).conditionsAt(place.offset))
    for (StringRef name : namesIn(condition))
      if (name.starts_with("_") || isDefinedInFile(unit.sources, name)) // the compiler's, or what may follow from those
        return false;
  return true;
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
      if (!seen.emplace(fileOf(unit, begin.file), offset).second || isSwitchedOff(unit, {begin.file, offset}))
        return;
      clang::SourceLocation location = unit.sources.getLocForStartOfFile(begin.file).getLocWithOffset(offset);
      unit.reporter.warning(location, "the preprocessor dropped this annotation for " + architecture + ": it is not instrumented");
    });
  }
}

} // namespace kperf
