// A Clang frontend action over a file system in which some files are replaced.
#include "rewriters/parse/FrontEnd.h"

#include "rewriters/parse/CheckpointMaker.h"
#include "rewriters/parse/FilesRead.h"
#include "rewriters/parse/UnreadBodies.h"
#include "rewriters/source/Path.h"
#include "rewriters/source/PreludeFolder.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
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
  std::vector<std::string> onlyBodiesIn; ///< the job's, or of a checkpoint's request
  bool isCheckpoint = false;             ///< this process is one that was wanted
  std::size_t said = 0;                  ///< diagnostics before the checkpoint
};

/// Makes shared again what Clang refused to on the host target (kperf/host/engine/Attributes.h).
class SharedVariables : public clang::DynamicRecursiveASTVisitor {
public:
  bool VisitVarDecl(clang::VarDecl *variable) override {
    const auto *annotation = variable->getAttr<clang::AnnotateAttr>();
    if (!annotation || annotation->getAnnotation() != "kperf::shared" || variable->hasAttr<clang::CUDASharedAttr>())
      return true;
    variable->addAttr(clang::CUDASharedAttr::Create(variable->getASTContext(), annotation->getRange()));
    if (variable->getStorageClass() == clang::SC_None)
      variable->setStorageClass(clang::SC_Static);
    return true;
  }
};

class Consumer : public clang::ASTConsumer {
public:
  Consumer(Run &run, clang::CompilerInstance &compiler, Reporter &reporter)
      : run(run), compiler(compiler), reporter(reporter), unread(run.job.isLookedInto) {}

  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    if (run.onlyBodiesIn.empty())
      return run.job.isLookedInto && unread.contains(declaration);
    const clang::SourceManager &sources = compiler.getSourceManager();
    clang::FileID file = sources.getFileID(sources.getExpansionLoc(declaration->getLocation()));
    clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (!entry)
      return true;
    return !is_contained(run.onlyBodiesIn, absolutePath(entry->getName()));
  }

  void HandleTranslationUnit(clang::ASTContext &context) override {
    if (run.isCheckpoint)
      run.job.checkpoints->answer(
          none_of(drop_begin(run.log.entries(), run.said), [](const LoggedDiagnostic &entry) { return !entry.isOurs; }));
    StringSet<> overridden;
    for (const FileText &file : run.job.files)
      overridden.insert(absolutePath(file.path));
    append_range(run.filesRead, filesRead(context.getSourceManager(), std::move(overridden), run.originals));
    run.preprocessing.lastOfPrelude = run.job.prelude.lastInclude;
    const clang::HeaderSearch &headers = compiler.getPreprocessor().getHeaderSearchInfo();
    for (const IncludeUse &use : run.preprocessing.includes)
      if (use.target && headers.isFileMultipleIncludeGuarded(*use.target))
        run.preprocessing.guarded.insert(&use.target->getFileEntry());
    if (compiler.getPreprocessor().isMacroDefined("KPERF_HOST_TARGET"))
      for (clang::Decl *declaration : context.getTranslationUnitDecl()->noload_decls())
        if (!declaration->isFromASTFile())
          SharedVariables().TraverseDecl(declaration);
    if (!compiler.getDiagnostics().hasFatalErrorOccurred())
      run.visitor({context, compiler.getSema(), run.preprocessing, run.originals, reporter});
  }

private:
  Run &run;
  clang::CompilerInstance &compiler;
  Reporter &reporter;
  UnreadBodies unread;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(Run &run, vfs::InMemoryFileSystem &memory) : run(run), memory(memory) {}

  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    reporter = std::make_unique<Reporter>(compiler.getDiagnostics());
    observePreprocessor(compiler.getPreprocessor(), run.preprocessing, *reporter);
    if (run.job.checkpoints && run.job.isLookedInto)
      makeCheckpoints(compiler, *run.job.checkpoints, [this](const ReadBackRequest &request) { goOn(request); });
    compiler.getFrontendOpts().SkipFunctionBodies = !run.job.onlyBodiesIn.empty() || run.job.isLookedInto;
    return std::make_unique<Consumer>(run, compiler, *reporter);
  }

private:
  void goOn(const ReadBackRequest &request) {
    run.isCheckpoint = true;
    run.said = run.log.entries().size();
    const auto add = [&](const FileText &file) {
      memory.addFile(file.path, 0, MemoryBuffer::getMemBufferCopy(file.text, file.path));
      run.onlyBodiesIn.push_back(absolutePath(file.path));
    };
    add(request.source);
    for_each(request.headers, add);
  }

  Run &run;
  vfs::InMemoryFileSystem &memory;
  std::unique_ptr<Reporter> reporter;
};

/// Runs the action behind the prelude.
class BehindPrelude : public clang::tooling::ToolAction {
public:
  BehindPrelude(Run &run, vfs::InMemoryFileSystem &memory) : run(run), memory(memory) {}

  bool runInvocation(std::shared_ptr<clang::CompilerInvocation> invocation, clang::FileManager *files,
                     std::shared_ptr<clang::PCHContainerOperations> containers, clang::DiagnosticConsumer *consumer) override {
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
    Action action(run, memory);
    const bool isDone = compiler.ExecuteAction(action);
    if (run.isCheckpoint) // which answers when it has read everything
      run.job.checkpoints->answer(false);
    return isDone;
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

  Run run{job, log, visitor, {}, {}, {}, job.onlyBodiesIn};
  std::vector<std::string> untouched = job.untouched;
  if (const std::string folder = preludeFolder(); !folder.empty())
    untouched.push_back(folder + "/"); // what lies there is no text
  auto files = makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(),
                                                       repairingFileSystem(overlay, std::move(untouched), run.originals));
  BehindPrelude action(run, *memory);
  clang::tooling::ToolInvocation invocation(job.command, &action, files.get(), std::make_shared<clang::PCHContainerOperations>());
  invocation.setDiagnosticConsumer(&log);
  invocation.run();
  return std::move(run.filesRead);
}

} // namespace kperf
