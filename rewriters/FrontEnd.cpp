// A Clang frontend action over a file system in which some files are replaced.
#include "FrontEnd.h"

#include "ContentHash.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace kperf {

namespace {

struct Run {
  const FrontEndJob &job;
  DiagnosticLog &log;
  FrontEndVisitor visitor;
  PreprocessingRecord preprocessing;
  OriginalTexts originals;
  std::vector<FileRead> filesRead;
};

std::string absolutePath(StringRef path) {
  SmallString<256> absolute(path);
  sys::fs::make_absolute(absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

class Consumer : public clang::ASTConsumer {
public:
  Consumer(Run &run, clang::CompilerInstance &compiler, Reporter &reporter)
      : run(run), compiler(compiler), reporter(reporter) {}

  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    if (run.job.onlyBodiesIn.empty())
      return false;
    const clang::SourceManager &sources = compiler.getSourceManager();
    clang::FileID file = sources.getFileID(sources.getExpansionLoc(declaration->getLocation()));
    clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      return true;
    return !is_contained(run.job.onlyBodiesIn, absolutePath(entry->getName()));
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    run.filesRead = filesRead(context.getSourceManager());
    if (!compiler.getDiagnostics().hasFatalErrorOccurred())
      run.visitor({context, run.preprocessing, run.originals, reporter});
  }

private:
  std::vector<FileRead> filesRead(const clang::SourceManager &sources) const {
    StringSet<> seen;
    for (const FileText &file : run.job.files)
      seen.insert(absolutePath(file.path));
    std::vector<FileRead> files;
    for (unsigned index = 0; index < sources.local_sloc_entry_size(); ++index) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(index);
      if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
        continue;
      const clang::SrcMgr::ContentCache &cache = entry.getFile().getContentCache();
      std::string path = absolutePath(cache.OrigEntry->getName());
      std::optional<StringRef> text = cache.getBufferDataIfLoaded();
      if (!text || cache.OrigEntry->isNamedPipe() || !seen.insert(path).second)
        continue;
      auto original = run.originals.find(path);
      // As Clang found it: without its dots, a path through a symbolic link would lead elsewhere.
      SmallString<256> opened(cache.OrigEntry->getName());
      sys::fs::make_absolute(opened);
      files.push_back({opened.str().str(),
                       contentHash(original == run.originals.end() ? *text : StringRef(original->second))});
    }
    return files;
  }

  Run &run;
  clang::CompilerInstance &compiler;
  Reporter &reporter;
};

class Action : public clang::ASTFrontendAction {
public:
  explicit Action(Run &run) : run(run) {}

  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    reporter = std::make_unique<Reporter>(compiler.getDiagnostics());
    observePreprocessor(compiler.getPreprocessor(), run.preprocessing, *reporter);
    compiler.getFrontendOpts().SkipFunctionBodies = !run.job.onlyBodiesIn.empty();
    return std::make_unique<Consumer>(run, compiler, *reporter);
  }

private:
  Run &run;
  std::unique_ptr<Reporter> reporter;
};

} // namespace

std::vector<FileRead> runFrontEnd(const FrontEndJob &job, DiagnosticLog &log, FrontEndVisitor visitor) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  if (ErrorOr<std::string> directory = overlay->getCurrentWorkingDirectory())
    memory->setCurrentWorkingDirectory(*directory);
  for (const FileText &file : job.files)
    memory->addFile(file.path, 0, MemoryBuffer::getMemBufferCopy(file.text, file.path));

  Run run{job, log, visitor, {}, {}, {}};
  auto files = makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(),
                                                       repairingFileSystem(overlay, job.untouched, run.originals));
  clang::tooling::ToolInvocation invocation(job.command, std::make_unique<Action>(run), files.get());
  invocation.setDiagnosticConsumer(&log);
  invocation.run();
  return std::move(run.filesRead);
}

} // namespace kperf
