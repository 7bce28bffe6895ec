// TranslationUnit: from Clang's locations to bytes of files.
#include "rewriters/unit/TranslationUnit.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::SourceLocation;

namespace kperf {

TranslationUnit::TranslationUnit(const ParsedFile &parsed, Plan &plan, KernelProbes &kernels, StringRef mainName,
                                 const Selection &selection)
    : context(parsed.context), sources(context.getSourceManager()), preprocessing(parsed.preprocessing), reporter(parsed.reporter),
      plan(plan), kernels(kernels), aggregate(selection.aggregate), keepsExtremes(selection.keepsExtremes),
      keepsHistogram(selection.keepsHistogram), originals(parsed.originals), mainName(mainName), variants(context, parsed.preprocessing) {}

std::vector<clang::Decl *> TranslationUnit::declarations() const {
  std::vector<clang::Decl *> own;
  for (clang::Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
    if (!declaration->isFromASTFile())
      own.push_back(declaration);
  return own;
}

static Place decompose(const clang::SourceManager &sources, SourceLocation location) {
  auto [file, offset] = sources.getDecomposedLoc(location);
  return {file, offset};
}

std::optional<Place> TranslationUnit::editablePlace(SourceLocation location) const {
  while (location.isMacroID()) {
    if (!sources.isMacroArgExpansion(location))
      return std::nullopt;
    location = sources.getImmediateSpellingLoc(location);
  }
  if (location.isInvalid() || !sources.getFileEntryRefForID(sources.getFileID(location)))
    return std::nullopt;
  return decompose(sources, location);
}

Place TranslationUnit::expansionPlace(SourceLocation location) const { return decompose(sources, sources.getExpansionLoc(location)); }

Place TranslationUnit::expansionEnd(SourceLocation location) const {
  return decompose(sources, sources.getExpansionRange(location).getEnd());
}

std::optional<Place> TranslationUnit::spelledPlace(SourceLocation location) const {
  SourceLocation spelled = sources.getSpellingLoc(location);
  if (spelled.isInvalid() || !sources.getFileEntryRefForID(sources.getFileID(spelled)))
    return std::nullopt;
  return decompose(sources, spelled);
}

SourceLocation TranslationUnit::annotationToken(SourceLocation marker) const {
  while (marker.isMacroID()) {
    if (sources.isMacroArgExpansion(marker)) {
      marker = sources.getImmediateSpellingLoc(marker);
      continue;
    }
    marker = sources.getImmediateExpansionRange(marker).getBegin();
    SourceLocation spelled = sources.getSpellingLoc(marker);
    SmallString<32> buffer;
    StringRef name = clang::Lexer::getSpelling(spelled, buffer, sources, context.getLangOpts());
    if (annotationNamed(name))
      return marker;
  }
  return {};
}

static std::string absolute(StringRef name) {
  SmallString<256> path(name);
  sys::fs::make_absolute(path);
  sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  return path.str().str();
}

std::string TranslationUnit::keyOf(clang::FileID file) const {
  return variants.pathOf(file, absolute(sources.getFileEntryRefForID(file)->getName()));
}

std::string TranslationUnit::pathOf(clang::FileID file) const {
  clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  bool isMain = file == sources.getMainFileID();
  const std::string path = absolute(entry->getName()), key = variants.pathOf(file, path);
  if (plan.files().contains(key))
    return key;
  StringRef name = isMain ? StringRef(mainName) : entry->getName();
  while (name.consume_front("./"))
    ;
  auto original = originals.find(path);
  plan.addFile(key, {.text = (original == originals.end() ? sources.getBufferData(file) : StringRef(original->second)).str(),
                     .name = name.str(),
                     .isMain = isMain,
                     .original = path,
                     .variant = variants.of(file).macros,
                     .rest = variants.of(file).rest,
                     .edits = {},
                     .insertionsAt = {},
                     .replacements = {}});
  return key;
}

const TokenLayout &TranslationUnit::layoutOf(clang::FileID file) const {
  std::unique_ptr<TokenLayout> &layout = layouts[&sources.getFileEntryRefForID(file)->getFileEntry()];
  if (!layout)
    layout = std::make_unique<TokenLayout>(sources.getBufferData(file), context.getLangOpts());
  return *layout;
}

unsigned TranslationUnit::lineOf(Place place) const { return sources.getLineNumber(place.file, place.offset); }

Region TranslationUnit::regionAt(Place place, format::RegionKind kind, StringRef name) const {
  Region region;
  region.kind = kind;
  region.name = name.str();
  region.path = pathOf(place.file);
  region.file = plan.files().at(region.path).name;
  region.offset = place.offset;
  region.line = region.endLine = lineOf(place);
  region.column = sources.getColumnNumber(place.file, place.offset);
  StringRef text = plan.files().at(region.path).text;
  std::size_t begin = place.offset - (region.column - 1);
  region.source = text.slice(begin, text.find_first_of("\r\n", begin)).rtrim().str();
  return region;
}

void TranslationUnit::skip(SourceLocation location, StringRef name, StringRef function, StringRef reason, bool isTooSmall) const {
  Place place = expansionPlace(location);
  const std::string &file = plan.files().at(pathOf(place.file)).name;
  plan.skip({name.str(), function.str(), file, lineOf(place), sources.getColumnNumber(place.file, place.offset), reason.str(), isTooSmall});
}

} // namespace kperf
