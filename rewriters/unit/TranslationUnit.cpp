// Maps Clang's source locations to offsets in files.
#include "rewriters/unit/TranslationUnit.h"

#include "rewriters/source/Path.h"

#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::SourceLocation;

namespace kperf {

TranslationUnit::TranslationUnit(const ParsedFile &parsed, StringRef mainName, const Selection &selection, KnownInstances known,
                                 bool isStrict)
    : context(parsed.context), sources(context.getSourceManager()), preprocessing(parsed.preprocessing), reporter(parsed.reporter),
      selection(selection), originals(parsed.originals), instantiator(parsed.sema), knownInstances(known), strict(isStrict),
      mainName(mainName), variants(context, parsed.preprocessing) {}

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

/// Code that the preprocessor leaves out here, where it reads for a GPU, may be there for the CPU, and launch other instances.
bool TranslationUnit::seesAllLaunches() const {
  const auto launches = [&](clang::SourceRange range) {
    const Place begin = decompose(sources, range.getBegin()), end = decompose(sources, range.getEnd());
    const StringRef file = sources.getBufferData(begin.file), text = file.slice(begin.offset, end.offset);
    return begin.file == end.file && !sources.isInSystemHeader(range.getBegin()) && file.contains("__CUDA_ARCH__") &&
           (text.contains("<<<") || text.contains("LaunchKernel"));
  };
  if (!allLaunchesAreSeen)
    allLaunchesAreSeen = none_of(preprocessing.skipped, launches);
  return *allLaunchesAreSeen;
}

Instantiator *TranslationUnit::instantiatorOf(const clang::FunctionDecl *kernel) const {
  const bool isInMainFile = expansionPlace(kernel->getLocation()).file == sources.getMainFileID();
  // In a system header, code that launches it may not have been read.
  const bool areAll = knownInstances == KnownInstances::All && !sources.isInSystemHeader(kernel->getLocation());
  return (areAll || (isInMainFile && knownInstances != KnownInstances::None)) && seesAllLaunches() ? &instantiator : nullptr;
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

const std::string &TranslationUnit::pathOf(clang::FileID file) const {
  const auto [entry, isNew] = paths.try_emplace(file);
  if (isNew) {
    entry->second = variants.pathOf(file, absolutePath(sources.getFileEntryRefForID(file)->getName()));
    fileIds.try_emplace(entry->second, file);
  }
  return entry->second;
}

const SourceFile &TranslationUnit::fileAt(StringRef path) const {
  if (const auto known = files.find(path); known != files.end())
    return known->second;
  const clang::FileID file = fileIds.find(path)->second;
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  const bool isMain = file == sources.getMainFileID();
  StringRef name = isMain ? StringRef(mainName) : entry->getName();
  while (name.consume_front("./"))
    ;
  const std::string place = absolutePath(entry->getName());
  const auto original = originals.find(place);
  const FileVariant &variant = variants.of(file);
  return files
      .try_emplace(path.str(),
                   SourceFile{.text = (original == originals.end() ? sources.getBufferData(file) : StringRef(original->second)).str(),
                              .name = name.str(),
                              .isMain = isMain,
                              .original = place,
                              .variant = variant.macros,
                              .rest = variant.rest})
      .first->second;
}

bool TranslationUnit::isLookedInto(clang::FileID file) const {
  const auto [known, isNew] = lookedInto.try_emplace(file);
  if (isNew)
    if (const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file))
      known->second = anyMatchesPath(selection.headers, entry->getName());
  return known->second;
}

bool TranslationUnit::isForeign(SourceLocation location) const {
  const SourceLocation place = sources.getExpansionLoc(location);
  return sources.isInSystemHeader(place) && !isLookedInto(sources.getFileID(place));
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
  region.file = fileAt(region.path).name;
  region.offset = place.offset;
  region.line = region.endLine = lineOf(place);
  region.column = sources.getColumnNumber(place.file, place.offset);
  StringRef text = fileAt(region.path).text;
  std::size_t begin = place.offset - (region.column - 1);
  region.source = text.slice(begin, text.find_first_of("\r\n", begin)).rtrim().str();
  return region;
}

void TranslationUnit::refuse(SourceLocation location, StringRef region, const Twine &reason) const {
  if (strict)
    reporter.error(location, reason);
  else
    reporter.warning(location, "region '" + region + "' is not recorded: " + reason + "; --strict stops here");
}

SkippedSite TranslationUnit::skippedAt(SourceLocation location, StringRef name, StringRef function, StringRef reason,
                                       bool isTooSmall) const {
  const Place place = expansionPlace(location);
  return {name.str(),   function.str(), fileOf(place.file).name, lineOf(place), sources.getColumnNumber(place.file, place.offset),
          reason.str(), isTooSmall};
}

} // namespace kperf
