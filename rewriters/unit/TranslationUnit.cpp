// Maps Clang's source locations to offsets in files.
#include "rewriters/unit/TranslationUnit.h"

#include "rewriters/source/Path.h"

#include "clang/AST/DeclCXX.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using clang::SourceLocation;

namespace kperf {

TranslationUnit::TranslationUnit(const ParsedFile &parsed, StringRef mainName, const Selection &selection, bool isStrict)
    : context(parsed.context), sources(context.getSourceManager()), preprocessing(parsed.preprocessing), reporter(parsed.reporter),
      selection(selection), buffers(parsed.context.getSourceManager()), originals(parsed.originals), strict(isStrict), mainName(mainName),
      variants(context, parsed.preprocessing, analyses) {}

/// In the order of the source. A block around an #include, `extern "C++"` or a namespace, stands for what is in it: each of its
/// declarations may be of another file, a system header perhaps.
static void addDeclarations(const clang::DeclContext &block, const clang::SourceManager &sources,
                            std::vector<clang::Decl *> &declarations) {
  const auto fileOf = [&](const clang::Decl *declaration) {
    return sources.getFileID(sources.getExpansionLoc(declaration->getBeginLoc()));
  };
  for (clang::Decl *declaration : block.noload_decls()) {
    if (declaration->isFromASTFile())
      continue;
    const clang::DeclContext *inner =
        isa<clang::LinkageSpecDecl, clang::NamespaceDecl>(declaration) ? clang::Decl::castToDeclContext(declaration) : nullptr;
    const clang::FileID file = fileOf(declaration);
    if (inner && any_of(inner->noload_decls(), [&](const clang::Decl *each) { return fileOf(each) != file; }))
      addDeclarations(*inner, sources, declarations);
    else
      declarations.push_back(declaration);
  }
}

std::vector<clang::Decl *> TranslationUnit::declarations() const {
  std::vector<clang::Decl *> own;
  addDeclarations(*context.getTranslationUnitDecl(), sources, own);
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

std::string TranslationUnit::textIn(clang::SourceRange range) const {
  const std::optional<Place> begin = editablePlace(range.getBegin()), end = editablePlace(range.getEnd());
  if (!begin || !end || begin->file != end->file || begin->offset > end->offset)
    return {};
  return layoutOf(begin->file).textBetween(begin->offset, end->offset);
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
    if (isAnnotationMacro(name))
      return marker;
  }
  return {};
}

namespace {

struct PathInPlan {
  PathInPlan(clang::FileID file, const TranslationUnit &unit, const FileVariants &variants)
      : text(variants.pathOf(file, absolutePath(unit.sources.getFileEntryRefForID(file)->getName()))) {}
  std::string text;
};

struct HeaderChoice {
  HeaderChoice(clang::FileID file, const TranslationUnit &unit) {
    const clang::OptionalFileEntryRef entry = unit.sources.getFileEntryRefForID(file);
    isLookedInto = entry && anyMatchesPath(unit.selection.headers, entry->getName());
  }
  bool isLookedInto;
};

struct FileLayout {
  FileLayout(const clang::FileEntry *, const TranslationUnit &unit, clang::FileID file)
      : tokens(unit.sources.getBufferData(file), unit.context.getLangOpts()) {}
  TokenLayout tokens;
};

} // namespace

const std::string &TranslationUnit::pathOf(clang::FileID file) const { return analyses.get<PathInPlan>(file, *this, variants).text; }

namespace {

/// The first inclusion, or the main file, that has the path.
struct FileOfPath {
  FileOfPath(StringRef path, const TranslationUnit &unit) {
    const auto isIt = [&](clang::FileID each) { return each.isValid() && unit.pathOf(each) == path; };
    if (const clang::OptionalFileEntryRef entry = unit.sources.getFileManager().getOptionalFileRef(path))
      if (file = unit.sources.translateFile(*entry); isIt(file))
        return;
    for (const IncludeUse &include : unit.preprocessing.includes) // as a variant it lies nowhere
      if (isIt(include.entered)) {
        file = include.entered;
        return;
      }
  }
  clang::FileID file;
};

struct FileOfPlan {
  FileOfPlan(StringRef path, const TranslationUnit &unit, const FileVariants &variants, const OriginalTexts &originals) {
    const clang::FileID id = unit.analyses.get<FileOfPath>(path, unit).file;
    const clang::FileEntryRef entry = *unit.sources.getFileEntryRefForID(id);
    file.isMain = id == unit.sources.getMainFileID();
    StringRef name = file.isMain ? StringRef(unit.mainFileName()) : entry.getName();
    while (name.consume_front("./"))
      ;
    file.name = name.str();
    file.original = absolutePath(entry.getName());
    const auto original = originals.find(file.original);
    file.text = (original == originals.end() ? unit.sources.getBufferData(id) : StringRef(original->second)).str();
    const FileVariant &variant = variants.of(id);
    file.variant = variant.macros;
    file.rest = variant.rest;
  }
  SourceFile file;
};

} // namespace

const SourceFile &TranslationUnit::fileAt(StringRef path) const { return analyses.get<FileOfPlan>(path, *this, variants, originals).file; }

clang::FileID TranslationUnit::fileIdOf(StringRef path) const { return analyses.get<FileOfPath>(path, *this).file; }

StringRef TranslationUnit::textOf(clang::FileEntryRef header) const {
  const std::optional<MemoryBufferRef> buffer = buffers.getMemoryBufferForFileOrNone(header);
  return buffer ? buffer->getBuffer() : StringRef();
}

bool TranslationUnit::isLookedInto(clang::FileID file) const { return analyses.get<HeaderChoice>(file, *this).isLookedInto; }

bool TranslationUnit::isForeign(SourceLocation location) const {
  const SourceLocation place = sources.getExpansionLoc(location);
  return sources.isInSystemHeader(place) && !isLookedInto(sources.getFileID(place));
}

const TokenLayout &TranslationUnit::layoutOf(clang::FileID file) const {
  return analyses.get<FileLayout>(&sources.getFileEntryRefForID(file)->getFileEntry(), *this, file).tokens;
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
