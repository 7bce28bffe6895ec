// A Clang frontend action over a file system in which some files are replaced.
#include "FrontEnd.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
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
  std::vector<std::string> filesRead;
};

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
    SmallString<256> path(entry->getName());
    sys::fs::make_absolute(path);
    sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return !is_contained(run.job.onlyBodiesIn, path);
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    for (auto entry : sourceFiles(context.getSourceManager()))
      run.filesRead.push_back(entry);
    if (!compiler.getDiagnostics().hasFatalErrorOccurred())
      run.visitor({context, run.preprocessing, run.originals, reporter});
  }

private:
  static std::vector<std::string> sourceFiles(const clang::SourceManager &sources) {
    std::vector<std::string> names;
    for (unsigned index = 0; index < sources.local_sloc_entry_size(); ++index) {
      const clang::SrcMgr::SLocEntry &entry = sources.getLocalSLocEntry(index);
      if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
        continue;
      StringRef name = entry.getFile().getContentCache().OrigEntry->getName();
      if (!is_contained(names, name))
        names.push_back(name.str());
    }
    return names;
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

std::vector<std::string> runFrontEnd(const FrontEndJob &job, DiagnosticLog &log, FrontEndVisitor visitor) {
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
