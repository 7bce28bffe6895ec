// Collects the macros, names and types that distinguish the variants of a file.
#include "rewriters/unit/FileVariants.h"

#include "rewriters/source/Path.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace kperf {

FileVariants::FileVariants(const clang::ASTContext &context, const PreprocessingRecord &record, const Analyses &analyses)
    : analyses(analyses), context(context), sources(context.getSourceManager()), record(record) {
  readIncludes();
  for (const MacroUse &use : record.macros)
    uses.emplace(use.file, &use);
}

void FileVariants::readIncludes() {
  bool isPreludeRead = sources.loaded_sloc_entry_size() > 0; // from its parsed form: its includes are not on record
  for (const IncludeUse &use : record.includes) {
    if (!use.target)
      continue;
    const clang::FileID includer = sources.getFileID(sources.getExpansionLoc(use.hash));
    if (!isPreludeRead && !entryOf(includer) && use.entered.isValid()) {
      preludeHeaders.insert(use.entered);
      isPreludeRead = use.spelling == record.lastOfPrelude;
    }
    if (use.entered.isValid() && !isOfPrelude(use.entered) && !sources.isInSystemHeader(sources.getLocForStartOfFile(use.entered)))
      inclusionsOf[&use.target->getFileEntry()].push_back(use.entered);
    included.emplace(includer, Inclusion{includer, use.entered, *use.target});
  }
}

bool FileVariants::isOfPrelude(clang::FileID file) const {
  while (!sources.isLoadedFileID(file) && !preludeHeaders.contains(file)) {
    const clang::SourceLocation includer = sources.getIncludeLoc(file);
    if (includer.isInvalid())
      return false;
    file = sources.getFileID(includer);
  }
  return true;
}

const clang::FileEntry *FileVariants::entryOf(clang::FileID file) const {
  const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  return entry ? &entry->getFileEntry() : nullptr;
}

bool FileVariants::isGuarded(clang::FileID file) const { return record.guarded.contains(entryOf(file)); }

/// Of a header that was skipped, having been included before, what it was then.
void FileVariants::add(clang::FileID file, Closure &closure) const {
  if (!closure.inclusions.insert(file).second)
    return;
  closure.files.insert(entryOf(file));
  const auto [first, last] = included.equal_range(file);
  for (const auto &[includer, inclusion] : make_range(first, last)) {
    const clang::FileEntry *target = &inclusion.target.getFileEntry();
    const auto before = inclusionsOf.find(target);
    if (before == inclusionsOf.end())
      continue;
    if (inclusion.entered.isValid())
      add(inclusion.entered, closure);
    else if (record.guarded.contains(target))
      add(before->second.front(), closure);
  }
}

/// Where names are made by macros or by what is around the inclusion, they tell two inclusions apart.
struct FileVariants::Functions {
  Functions(const FileVariants &variants) : variants(variants) { read(*variants.context.getTranslationUnitDecl()); }

  void read(const clang::DeclContext &outer) {
    const clang::SourceManager &sources = variants.sources;
    for (const clang::Decl *declaration : outer.noload_decls()) {
      if (declaration->isFromASTFile())
        continue;
      if (const auto *pattern = dyn_cast<clang::TemplateDecl>(declaration); pattern && pattern->getTemplatedDecl())
        declaration = pattern->getTemplatedDecl();
      if (const auto *function = dyn_cast<clang::FunctionDecl>(declaration)) {
        const clang::FileID file = sources.getFileID(sources.getExpansionLoc(function->getLocation()));
        if (function->doesThisDeclarationHaveABody() && file != sources.getMainFileID() && variants.entryOf(file) &&
            !variants.isGuarded(file) && !sources.isInSystemHeader(function->getLocation()))
          of[file].insert(function->getQualifiedNameAsString() + " " + function->getType().getCanonicalType().getAsString());
      } else if (const auto *inner = dyn_cast<clang::DeclContext>(declaration)) {
        read(*inner);
      }
    }
  }

  const FileVariants &variants;
  std::map<clang::FileID, std::set<std::string>> of;
};

struct FileVariants::Found {
  Found(clang::FileID file, const FileVariants &variants) {
    const bool isMain = file == variants.sources.getMainFileID();
    Closure closure;
    variants.add(file, closure);
    std::set<std::string> macros, names;
    for (const clang::FileID each : closure.inclusions) {
      const auto [first, last] = variants.uses.equal_range(each);
      for (const auto &[place, use] : make_range(first, last))
        if (use->definedIn.isInvalid() ||
            (!isMain && !variants.isOfPrelude(use->definedIn) && !closure.files.contains(variants.entryOf(use->definedIn))))
          macros.insert(use->name + (StringRef(use->definition).starts_with("(") ? "" : "=") + use->definition);
      if (isMain || variants.isGuarded(each))
        continue;
      const auto &functions = variants.analyses.get<Functions>(variants).of;
      if (const auto found = functions.find(each); found != functions.end())
        names.insert(found->second.begin(), found->second.end());
    }
    variant = {join(macros, " "), join(names, "\n")};
  }
  FileVariant variant;
};

const FileVariant &FileVariants::of(clang::FileID file) const { return analyses.get<Found>(file, *this).variant; }

std::string FileVariants::pathOf(clang::FileID file, const std::string &path) const {
  const clang::FileEntry *entry = entryOf(file);
  const auto all = inclusionsOf.find(entry);
  const bool isMainToo = entry == entryOf(sources.getMainFileID());
  if (file == sources.getMainFileID() || all == inclusionsOf.end() || (all->second.size() < 2 && !isMainToo))
    return path;
  const FileVariant &variant = of(file);
  if (const clang::FileID first = all->second.front(); !isMainToo && variant == of(first))
    return first == file ? path : absolutePath(sources.getFileEntryRefForID(first)->getName());
  const std::string number = utohexstr(xxh3_64bits(variant.macros + '\0' + variant.rest) & 0xffffffff, /*LowerCase=*/true, 8);
  const std::size_t extension = path.size() - sys::path::extension(path).size();
  return path.substr(0, extension) + ".kperf-" + number + path.substr(extension);
}

} // namespace kperf
