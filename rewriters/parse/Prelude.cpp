// Makes, checks and uses precompiled preludes.
#include "rewriters/parse/Prelude.h"

#include "posix/AtomicFile.h"
#include "rewriters/parse/FilesRead.h"
#include "rewriters/source/ContentHash.h"
#include "rewriters/source/PreludeFolder.h"
#include "rewriters/source/WholeFile.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <optional>

using namespace llvm;

namespace kperf {

namespace {

/// A file that the prelude was made of, as the disk showed it.
struct Ingredient {
  FileRead file;
  std::uint64_t bytes = 0;
  std::int64_t changed = 0; ///< ns

  std::string line() const { return (file.hash + " " + Twine(bytes) + " " + Twine(changed) + " " + file.path + "\n").str(); }
};

std::optional<Ingredient> look(FileRead file) {
  sys::fs::file_status status;
  if (sys::fs::status(file.path, status))
    return std::nullopt;
  return Ingredient{std::move(file), status.getSize(),
                    static_cast<std::int64_t>(status.getLastModificationTime().time_since_epoch().count())};
}

/// What begins lines in the list of a prelude's files that are of no file: a name that they ask for, and the hash of what the command's own
/// folders hold of these.
constexpr StringLiteral kAskedFor = "? ", kHeld = "! ";

/// The prelude knows nothing of annotations, so one serves both the source and the rewritten source.
void forgetPhase(clang::CompilerInvocation &invocation) {
  erase_if(invocation.getPreprocessorOpts().Macros, [](const auto &macro) { return macro.first == "KPERF_REWRITING"; });
}

using SearchEntries = std::vector<clang::HeaderSearchOptions::Entry>;

/// The folders of a program's own headers, which are looked into before the system's; none where something else says what lies in folders.
SearchEntries foldersOfProgram(const Prelude &prelude, const clang::CompilerInvocation &invocation) {
  if (!invocation.getHeaderSearchOpts().VFSOverlayFiles.empty())
    return {};
  SearchEntries folders = invocation.getHeaderSearchOpts().UserEntries;
  erase_if(folders, [&](const clang::HeaderSearchOptions::Entry &entry) {
    const bool isOfProgram = entry.Group == clang::frontend::Angled || entry.Group == clang::frontend::Quoted;
    return !isOfProgram || entry.IsFramework || entry.Path == prelude.folder || sys::fs::is_regular_file(entry.Path); // a header map
  });
  return folders;
}

/// The files of these names in the folders, a line each.
std::string filesIn(const SearchEntries &folders, ArrayRef<std::string> names) {
  std::string files;
  for (const clang::HeaderSearchOptions::Entry &folder : folders)
    for (const std::string &name : names) {
      SmallString<256> path(folder.Path);
      sys::path::append(path, name);
      if (sys::fs::is_regular_file(path))
        files += (path + "\n").str();
    }
  return files;
}

/// The invocation as if its command named none of the folders.
clang::CompilerInvocation withoutFolders(const clang::CompilerInvocation &original, const SearchEntries &folders) {
  clang::CompilerInvocation same(original);
  erase_if(same.getHeaderSearchOpts().UserEntries, [&](const clang::HeaderSearchOptions::Entry &entry) {
    return any_of(folders, [&](const auto &folder) { return folder.Path == entry.Path && folder.Group == entry.Group; });
  });
  return same;
}

class PreludeCache {
public:
  PreludeCache(const Prelude &prelude, StringRef folder, const clang::CompilerInvocation &invocation)
      : includes(invocation.getPreprocessorOpts().Includes), folder(folder), ownFolders(foldersOfProgram(prelude, invocation)) {
    count = llvm::find(includes, prelude.lastInclude) - includes.begin() + 1;
    key = contentHash(describe(prelude, invocation));
  }

  bool hasIncludes() const { return count <= includes.size(); }
  std::string header() const { return (folder + "/" + key + ".pch").str(); }
  std::string list() const { return (folder + "/" + key + ".files").str(); }
  std::size_t includeCount() const { return count; }

  /// The files that a usable prelude was made of.
  std::optional<std::vector<FileRead>> ingredients() {
    ErrorOr<std::unique_ptr<MemoryBuffer>> text = MemoryBuffer::getFile(list(), /*IsText=*/true);
    ErrorOr<std::unique_ptr<MemoryBuffer>> parsed = MemoryBuffer::getFile(header(), false, /*RequiresNullTerminator=*/false);
    if (!text || !parsed)
      return std::nullopt;
    auto [first, rest] = (*text)->getBuffer().split('\n');
    if (first != utohexstr(xxh3_64bits(arrayRefFromStringRef((*parsed)->getBuffer()))))
      return std::nullopt;
    asked.clear();
    std::vector<FileRead> files;
    SmallVector<StringRef> lines;
    rest.split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines) {
      if (line.consume_front(kAskedFor)) {
        asked.push_back(line.str());
        continue;
      }
      if (line.consume_front(kHeld)) {
        held = line.str();
        continue;
      }
      auto [hash, others] = line.split(' ');
      FileRead file{others.split(' ').second.split(' ').second.str(), hash.str()};
      std::optional<Ingredient> now = look(file);
      if (!now || StringRef(now->line()).drop_back() != line)
        return std::nullopt;
      files.push_back(std::move(file));
    }
    if (held != contentHash(filesIn(ownFolders, asked))) // what was found elsewhere may be there now
      return std::nullopt;
    contents = std::move(*parsed);
    notePreludeUse(header());
    return files;
  }

  /// After ingredients(): whether a folder holds a file of a name that the prelude's files ask for. They might get that one there.
  bool asksForFileOf(const SearchEntries &folders) const { return !filesIn(folders, asked).empty(); }

  /// What the header holds; after ingredients(), once.
  std::unique_ptr<MemoryBuffer> takeContents() { return std::move(contents); }

  /// Parses the headers and keeps the result; false when Clang has something against them or the disk is full.
  bool make(const clang::CompilerInvocation &original, clang::FileManager &files,
            std::shared_ptr<clang::PCHContainerOperations> containers) const;

private:
  /// Every word that can change what the headers mean: not the source's name, nor what comes behind them.
  std::string describe(const Prelude &prelude, const clang::CompilerInvocation &invocation) const {
    clang::CompilerInvocation same(invocation);
    same.getFrontendOpts().Inputs.clear();
    same.getFrontendOpts().OutputFile.clear();
    same.getDependencyOutputOpts() = {};
    same.getCodeGenOpts().MainFileName = kPreludeSource;
    same.getCodeGenOpts().DebugCompilationDir.clear();
    same.getCodeGenOpts().CoverageCompilationDir.clear();
    same.getLangOpts().CUID.clear(); // a hash of the source's name
    same.getPreprocessorOpts().Includes.clear();
    forgetPhase(same);
    std::string text = clang::getClangFullVersion() + "\n" + prelude.identity + "\n" + prelude.lastInclude + "\n";
    for (const std::string &word : same.getCC1CommandLine())
      text += word + "\n";
    if (any_of(same.getHeaderSearchOpts().UserEntries, [](const auto &entry) { return sys::path::is_relative(entry.Path); })) {
      SmallString<256> here;
      sys::fs::current_path(here);
      text += here;
    }
    return text;
  }

  const std::vector<std::string> &includes;
  std::size_t count;
  StringRef folder;
  std::string key;
  SearchEntries ownFolders;
  std::vector<std::string> asked; ///< what the files include, or ask about, as they spell it
  std::string held;               ///< by the folders, when it was made
  std::unique_ptr<MemoryBuffer> contents;
};

/// Notes what the files include, and what they ask whether it is there.
class Questions : public clang::PPCallbacks {
public:
  explicit Questions(StringSet<> &names) : names(names) {}

  void InclusionDirective(clang::SourceLocation, const clang::Token &, StringRef name, bool, clang::CharSourceRange,
                          clang::OptionalFileEntryRef, StringRef, StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    names.insert(name);
  }
  void HasInclude(clang::SourceLocation, StringRef name, bool, clang::OptionalFileEntryRef, clang::SrcMgr::CharacteristicKind) override {
    names.insert(name);
  }

private:
  StringSet<> &names;
};

/// Writes a precompiled header and remembers what it is made of.
class MakingAction : public clang::GeneratePCHAction {
public:
  MakingAction(std::vector<FileRead> &files, StringSet<> &asked) : files(files), asked(asked) {}

  bool BeginSourceFileAction(clang::CompilerInstance &compiler) override {
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Questions>(asked));
    return GeneratePCHAction::BeginSourceFileAction(compiler);
  }
  void EndSourceFileAction() override {
    StringSet<> own;
    own.insert(kPreludeSource);
    files = filesRead(getCompilerInstance().getSourceManager(), std::move(own), {});
    GeneratePCHAction::EndSourceFileAction();
  }

private:
  std::vector<FileRead> &files;
  StringSet<> &asked;
};

bool PreludeCache::make(const clang::CompilerInvocation &original, clang::FileManager &files,
                        std::shared_ptr<clang::PCHContainerOperations> containers) const {
  auto file = posix::AtomicFile::open(header()); // which Clang writes by its temporary name
  if (!file)
    return false;
  const std::string temporary = file->temporaryPath();
  auto invocation = std::make_shared<clang::CompilerInvocation>(original);
  invocation->getFrontendOpts().Inputs = {{kPreludeSource, original.getFrontendOpts().Inputs.front().getKind()}};
  invocation->getFrontendOpts().OutputFile = temporary;
  invocation->getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  invocation->getPreprocessorOpts().Includes.resize(count);
  forgetPhase(*invocation);
  clang::CompilerInstance compiler(invocation, std::move(containers));
  compiler.setVirtualFileSystem(files.getVirtualFileSystemPtr());
  compiler.setFileManager(&files);
  clang::IgnoringDiagConsumer silent;
  compiler.createDiagnostics(&silent, /*ShouldOwnClient=*/false);
  compiler.createSourceManager();
  std::vector<FileRead> read;
  StringSet<> names;
  MakingAction action(read, names);
  bool isMade = compiler.ExecuteAction(action) && !compiler.getDiagnostics().hasErrorOccurred();
  ErrorOr<std::unique_ptr<MemoryBuffer>> parsed = MemoryBuffer::getFile(temporary, false, false);
  std::string text;
  if (isMade && parsed) {
    text = utohexstr(xxh3_64bits(arrayRefFromStringRef((*parsed)->getBuffer()))) + "\n";
    for (FileRead &file : read)
      if (std::optional<Ingredient> ingredient = look(std::move(file)))
        text += ingredient->line();
      else
        isMade = false;
    std::vector<std::string> sorted(names.keys().begin(), names.keys().end());
    sort(sorted);
    for (const std::string &name : sorted)
      text += kAskedFor.str() + name + "\n";
    text += kHeld.str() + contentHash(filesIn(ownFolders, sorted)) + "\n";
  }
  isMade = isMade && parsed && file->publish() && !errorToBool(writeWholeFile(list(), text));
  removeOldestPreludes(folder, sys::path::extension(temporary));
  return isMade;
}

/// Has the prelude read in place of its includes.
void readFrom(const PreludeCache &cache, clang::PreprocessorOptions &options) {
  options.Includes.erase(options.Includes.begin(), options.Includes.begin() + cache.includeCount());
  options.ImplicitPCHInclude = cache.header();
  options.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH; // the list of ingredients did that
}

} // namespace

std::vector<FileRead> usePrelude(const Prelude &prelude, StringRef folder, clang::CompilerInvocation &invocation, clang::FileManager &files,
                                 vfs::InMemoryFileSystem &memory, std::shared_ptr<clang::PCHContainerOperations> containers) {
  const auto taken = [&](const clang::CompilerInvocation &made, const SearchEntries &besides, bool isToBeMade) -> std::vector<FileRead> {
    PreludeCache cache(prelude, folder, made);
    if (!cache.hasIncludes())
      return {};
    std::optional<std::vector<FileRead>> ingredients = cache.ingredients();
    if (!ingredients && isToBeMade && cache.make(made, files, containers))
      ingredients = cache.ingredients();
    if (!ingredients || cache.asksForFileOf(besides) || !memory.addFile(cache.header(), 0, cache.takeContents()))
      return {};
    readFrom(cache, invocation.getPreprocessorOpts());
    return std::move(*ingredients);
  };
  // One for all commands that differ in the folders of their own headers alone, which most programs do, and of which the prelude has
  // nothing. For those whose folders it does depend on there is one of their own, which the next command finds first.
  if (const SearchEntries folders = foldersOfProgram(prelude, invocation); !folders.empty()) {
    if (std::vector<FileRead> own = taken(invocation, {}, /*isToBeMade=*/false); !own.empty())
      return own;
    if (std::vector<FileRead> shared = taken(withoutFolders(invocation, folders), folders, /*isToBeMade=*/true); !shared.empty())
      return shared;
  }
  return taken(invocation, {}, /*isToBeMade=*/true);
}

} // namespace kperf
