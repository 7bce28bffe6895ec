// Calls the rewriter and writes its results.
#include "tool/batch/BatchTask.h"

#include "tool/batch/BatchRecord.h"

#include "rewriters/source/ContentHash.h"
#include "tool/cc/SourceCopy.h"
#include "tool/cc/SourceRequest.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kperf::batch {
namespace {

class TaskRun {
public:
  TaskRun(const BatchRequest &batch, const TaskPlace &place) : batch(batch), place(place) {}

  void run(const BatchJob &job, const std::string &root) {
    record.key = job.key(batch, root);
    if (std::error_code error = llvm::sys::fs::set_current_path(job.directory)) {
      fail("its directory '" + job.directory + "' cannot be entered: " + error.message());
    } else if (auto result = rewrite(job.requestFor(root))) {
      take(job, std::move(*result));
    } else {
      record.failed = true;
      llvm::handleAllErrors(
          result.takeError(), [&](const RewriteFailure &failure) { takeDiagnostics(failure.diagnostics); },
          [&](const llvm::ErrorInfoBase &other) { fail(other.message()); });
    }
    if (auto error = process::writeText(place.record(), record.toJson()))
      llvm::errs() << llvm::toString(std::move(error)) << '\n'; // goes to the task's log, where a lost record is looked up
  }

private:
  void fail(std::string reason) {
    record.failed = true;
    record.diagnostics.push_back({Severity::Error, reason, "error: " + reason + "\n"});
  }

  void take(const BatchJob &job, RewriteResult result) {
    record.changed = result.changed;
    record.regions = static_cast<unsigned>(result.regions.size());
    record.inputs = std::move(result.filesRead);
    takeDiagnostics(result.diagnostics);
    if (!result.changed)
      return;
    const std::string prologue = cc::prologueFor(batch.installation, result.macros);
    addFile(job.copy, cc::behindPrologue(prologue, result.text));
    addStubs(result.text, llvm::sys::path::parent_path(job.source));
    for (const OverlayFile &header : result.overlay) {
      addFile(header.path, cc::behindPrologue(header.isForced() ? prologue : std::string(), header.text));
      for (const std::string &name : header.forcedAs)
        record.forced.emplace(name, header.path);
      addStubs(header.text, llvm::sys::path::parent_path(header.path));
    }
    record.directories = std::move(result.overlayDirectories);
  }

  void takeDiagnostics(llvm::ArrayRef<RewriteDiagnostic> diagnostics) {
    for (const RewriteDiagnostic &diagnostic : diagnostics)
      record.diagnostics.push_back({diagnostic.severity, diagnostic.message, diagnostic.rendered});
  }

  void addFile(const std::string &path, const std::string &text) {
    if (auto error = process::writeText(place.text(record.files.size()), text))
      return fail(llvm::toString(std::move(error)));
    record.files.push_back({path, contentHash(text)});
  }

  void addStubs(llvm::StringRef text, llvm::StringRef folder) {
    for (cc::Stub &stub : cc::stubsFor(text, folder))
      if (llvm::none_of(record.stubs, [&](const cc::Stub &s) { return s.path == stub.path; }))
        record.stubs.push_back(std::move(stub));
  }

  const BatchRequest &batch;
  const TaskPlace &place;
  BatchRecord record;
};

} // namespace

void runTask(const BatchJob &job, const BatchRequest &batch, const std::string &root, const TaskPlace &place) {
  TaskRun(batch, place).run(job, root);
}

} // namespace kperf::batch
