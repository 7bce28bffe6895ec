// A Clang frontend action over a file system in which some files are replaced.
#include "FrontEnd.h"

#include "FilesRead.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/STLExtras.h"
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
    StringSet<> overridden;
    for (const FileText &file : run.job.files)
      overridden.insert(absolutePath(file.path));
    append_range(run.filesRead, filesRead(context.getSourceManager(), std::move(overridden), run.originals));
    if (!compiler.getDiagnostics().hasFatalErrorOccurred())
      run.visitor({context, run.preprocessing, run.originals, reporter});
  }

private:
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

/// Runs the action behind the prelude.
class BehindPrelude : public clang::tooling::ToolAction {
public:
  BehindPrelude(Run &run, vfs::InMemoryFileSystem &memory) : run(run), memory(memory) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation, clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers,
                     clang::DiagnosticConsumer *consumer) override {
    if (std::string folder = preludeFolder(); !folder.empty())
      run.filesRead = usePrelude(run.job.prelude, folder, *invocation, *files, memory, containers);
    erase_if(run.filesRead, [&](const FileRead &read) { // of which nobody read what lies on the disk
      return any_of(run.job.files, [&](const FileText &file) { return absolutePath(file.path) == absolutePath(read.path); });
    });
    clang::CompilerInstance compiler(std::move(invocation), std::move(containers));
    compiler.setVirtualFileSystem(files->getVirtualFileSystemPtr());
    compiler.setFileManager(files);
    compiler.createDiagnostics(consumer, /*ShouldOwnClient=*/false);
    if (!compiler.hasDiagnostics())
      return false;
    compiler.createSourceManager();
    Action action(run);
    return compiler.ExecuteAction(action);
  }

private:
  Run &run;
  vfs::InMemoryFileSystem &memory;
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

  memory->addFile(kPreludeSource, 0, MemoryBuffer::getMemBuffer(""));

  Run run{job, log, visitor, {}, {}, {}};
  std::vector<std::string> untouched = job.untouched;
  if (const std::string folder = preludeFolder(); !folder.empty())
    untouched.push_back(folder + "/"); // what lies there is no text
  auto files = makeIntrusiveRefCnt<clang::FileManager>(
      clang::FileSystemOptions(), repairingFileSystem(overlay, std::move(untouched), run.originals));
  BehindPrelude action(run, *memory);
  clang::tooling::ToolInvocation invocation(job.command, &action, files.get(),
                                            std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&log);
  invocation.run();
  return std::move(run.filesRead);
}

} // namespace kperf
