// Runs a batch's tasks in two rounds, then moves the results to the output folder.
#include "tool/batch/Batch.h"

#include "tool/batch/BatchJob.h"
#include "tool/batch/BatchRecord.h"
#include "tool/batch/BatchReport.h"
#include "tool/batch/BatchTask.h"
#include "tool/batch/OutputFolder.h"
#include "tool/batch/Progress.h"
#include "tool/batch/RewrittenDatabase.h"
#include "tool/cc/Build.h"
#include "tool/cc/SourceRequest.h"
#include "tool/process/Workers.h"

#include "rewriters/Toolkit.h"
#include "rewriters/source/ContentHash.h"
#include "rewriters/source/StoredFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"

#include <map>

namespace kperf::batch {
namespace {

int anchor; // an address in this executable

class Batch {
public:
  Batch(const CompilationDatabase &database, BatchRequest request, const cc::Installation &installation, OutputFolder output, JobList list,
        unsigned atOnce)
      : database(database), request(std::move(request)), installation(installation), output(std::move(output)), list(std::move(list)),
        atOnce(atOnce), outcomes(this->list.jobs.size()) {}

  llvm::Expected<int> run();

private:
  llvm::Error rewriteAll(llvm::ArrayRef<std::size_t> jobs, Progress &progress);
  std::vector<std::size_t> jobsWithConflicts();
  void collect(const TaskEnd &end);
  llvm::Error writeFiles();
  llvm::Error writeDatabase();
  void findChangedInputs();
  const std::string &rootOf(std::size_t job) const { return outcomes[job].root; }
  TaskPlace placeOf(std::size_t job) const { return {output.state() + "/" + list.jobs[job].id + (outcomes[job].hasOwnTree ? "-own" : "")}; }

  const CompilationDatabase &database;
  BatchRequest request;
  const cc::Installation &installation;
  OutputFolder output;
  JobList list;
  unsigned atOnce;
  std::vector<Outcome> outcomes; ///< one for each job
  std::vector<std::string> problems;
  ContentHashes hashes;
  SaidDiagnostics said;
};

std::optional<BatchRecord> readRecord(const std::string &path) {
  if (isEndless(path))
    return std::nullopt;
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? BatchRecord::fromJson((*buffer)->getBuffer()) : std::nullopt;
}

/// Rewrites those of the jobs whose records are out of date.
llvm::Error Batch::rewriteAll(llvm::ArrayRef<std::size_t> jobs, Progress &progress) {
  std::vector<Task> tasks;
  for (std::size_t job : jobs) {
    Outcome &outcome = outcomes[job];
    outcome.root = outcome.hasOwnTree ? output.ownTree(list.jobs[job].id) : output.sharedTree();
    auto record = readRecord(placeOf(job).record());
    if (record && record->isCurrent(list.jobs[job].key(request, outcome.root), outcome.root, hashes)) {
      outcome.record = std::move(*record);
      outcome.isCurrent = true;
      continue;
    }
    outcome.isCurrent = false;
    llvm::sys::fs::remove(placeOf(job).record());
    tasks.push_back({job, placeOf(job).log()});
  }
  std::size_t done = 0;
  progress.begin(tasks.size());
  if (!tasks.empty())
    progress.show(0, list.jobs[tasks.front().number].name);
  return runTasks(
      tasks, atOnce, [&](std::size_t job) { runTask(list.jobs[job], request, rootOf(job), placeOf(job)); },
      [&](const TaskEnd &end) {
        progress.clear();
        collect(end);
        progress.show(++done, list.jobs[end.task].name);
      });
}

/// Reads what a task left and prints what it has to say.
void Batch::collect(const TaskEnd &end) {
  Outcome &outcome = outcomes[end.task];
  const TaskPlace place = placeOf(end.task);
  outcome.seconds += end.seconds;
  outcome.peakKilobytes = std::max(outcome.peakKilobytes, end.peakKilobytes);
  if (auto record = readRecord(place.record()); record && end.signal == 0) {
    outcome.record = std::move(*record);
    llvm::sys::fs::remove(place.log());
  } else {
    outcome.record.failed = true;
    const std::string reason =
        end.signal != 0 ? "clang crashed on it (signal " + std::to_string(end.signal) + ")" : "nothing was returned; see " + place.log();
    outcome.record.diagnostics = {{Severity::Error, reason, list.jobs[end.task].name + ": error: " + reason + "\n"}};
  }
  printDiagnostics(outcome.record, list.jobs[end.task].name, said);
}

/// The jobs that make a file which an earlier job makes otherwise. Sources come first: they are what is compiled.
std::vector<std::size_t> Batch::jobsWithConflicts() {
  std::map<std::string, std::pair<std::string, std::size_t>> claims; // path to hash and job
  std::vector<std::size_t> found;
  for (std::size_t job = 0; job < outcomes.size(); ++job)
    if (const auto &files = outcomes[job].record.files; !files.empty())
      claims.try_emplace(files.front().path, files.front().hash, job);
  for (std::size_t job = 0; job < outcomes.size(); ++job) {
    llvm::ArrayRef<TreeFile> files = outcomes[job].record.files;
    const TreeFile *conflict = llvm::find_if(files, [&](const TreeFile &file) {
      auto claim = claims.find(file.path);
      return claim != claims.end() && claim->second.first != file.hash;
    });
    if (conflict == files.end()) {
      for (const TreeFile &file : files)
        claims.try_emplace(file.path, file.hash, job);
      continue;
    }
    outcomes[job].conflict =
        "'" + conflict->path + "' is rewritten differently for '" + list.jobs[claims.at(conflict->path).second].name + "'";
    found.push_back(job);
  }
  return found;
}

llvm::Error Batch::writeFiles() {
  for (std::size_t job = 0; job < outcomes.size(); ++job) {
    const Outcome &outcome = outcomes[job];
    for (std::size_t index = 0; index < outcome.record.files.size(); ++index) {
      const std::string file = outcome.root + outcome.record.files[index].path;
      if (outcome.isCurrent)
        output.keep(file);
      else if (auto error = output.moveHere(placeOf(job).text(index), file))
        return error;
    }
    for (const std::string &folder : outcome.record.directories)
      if (auto error = output.makeFolder(outcome.root + folder))
        return error;
  }
  for (const Outcome &outcome : outcomes)
    for (const cc::Stub &stub : outcome.record.stubs) {
      if (auto error = output.makeFolder(outcome.root + stub.folder))
        return error;
      if (const std::string file = outcome.root + stub.path; !output.holds(file))
        if (auto error = output.write(file, cc::stubText(stub)))
          return error;
    }
  return llvm::Error::success();
}

llvm::Error Batch::writeDatabase() {
  auto linkerOptions = cc::runtimeLinkerOptions(output.state());
  if (!linkerOptions)
    return linkerOptions.takeError();
  RewrittenDatabase rewritten(database, installation, output.path() + "/objects", std::move(*linkerOptions), request.isHost);
  for (std::size_t entry = 0; entry < database.entries.size(); ++entry) {
    std::optional<EntryCopies> copies;
    if (const std::ptrdiff_t job = list.jobOfEntry[entry]; job >= 0 && !outcomes[job].record.files.empty())
      copies = {rootOf(job) + outcomes[job].record.files.front().path, outcomes[job].record.forcedIncludes(rootOf(job))};
    rewritten.add(database.entries[entry], list.commands[entry], copies);
  }
  for (const std::string &warning : rewritten.warnings())
    printWarning(warning);
  for (const std::string &folder : rewritten.folders())
    if (auto error = output.makeFolder(folder))
      return error;
  return output.write(output.path() + "/compile_commands.json", rewritten.text());
}

/// What was edited while the batch ran is in some of the results and not in others.
void Batch::findChangedInputs() {
  ContentHashes now;
  std::set<std::string> changed;
  for (Outcome &outcome : outcomes)
    if (!outcome.isCurrent)
      for (const FileRead &input : outcome.record.inputs)
        if (now.of(input.path) != input.hash)
          changed.insert(input.path);
  for (const std::string &path : changed)
    problems.push_back("'" + path + "' changed while the batch ran; run it again for the sources that read it");
}

llvm::Expected<int> Batch::run() {
  std::vector<std::size_t> all(list.jobs.size());
  for (std::size_t job = 0; job < all.size(); ++job)
    all[job] = job;
  const BatchClock clock;
  Progress progress;
  for (const std::string &warning : list.warnings)
    printWarning(warning);
  if (auto error = rewriteAll(all, progress))
    return error;
  const std::vector<std::size_t> conflicts = jobsWithConflicts();
  for (std::size_t job : conflicts) {
    for (std::size_t index = 0; index < outcomes[job].record.files.size(); ++index)
      llvm::sys::fs::remove(placeOf(job).text(index));
    outcomes[job].hasOwnTree = true;
    printWarning("'" + list.jobs[job].name + "' gets headers of its own in '" + output.ownTree(list.jobs[job].id) +
                 "': " + outcomes[job].conflict);
  }
  if (auto error = rewriteAll(conflicts, progress))
    return error;
  progress.clear();
  printRepetitions(said);
  findChangedInputs();
  if (auto error = writeFiles())
    return error;
  if (auto error = writeDatabase())
    return error;
  const BatchReport report{list, outcomes, problems, clock.seconds()};
  if (auto error = output.write(output.path() + "/kperf-rewrite.log", report.logText()))
    return error;
  if (auto error = output.removeOutdated())
    return error;
  report.printFailures();
  llvm::outs() << report.summary() << "see " << output.path() << "/kperf-rewrite.log\n";
  return report.hasFailures() ? 1 : 0;
}

/// This program, and the contents of the files that its options name.
std::string identityOf(llvm::ArrayRef<std::string> options, ContentHashes &hashes) {
  std::string identity = hashes.of(llvm::sys::fs::getMainExecutable(nullptr, &anchor));
  for (llvm::StringRef option : options) {
    identity += '\0' + option.str();
    for (llvm::StringRef file : {option, option.split('=').second})
      if (!file.empty() && llvm::sys::fs::is_regular_file(file))
        identity += '\0' + hashes.of(file);
  }
  return contentHash(identity);
}

} // namespace

llvm::Expected<int> runBatch(const BatchOptions &options) {
  auto database = readDatabase(options.database);
  if (!database)
    return database.takeError();
  auto installation = cc::Installation::find(nullptr);
  if (!installation)
    return installation.takeError();
  if (auto toolkit = findToolkit(options.settings.toolkit); !toolkit)
    return toolkit.takeError();
  ContentHashes hashes;
  BatchRequest request;
  request.settings = options.settings;
  request.isHost = options.isHost;
  request.installation = *installation;
  request.identity = identityOf(options.options, hashes);
  JobList list = listJobs(*database, request);
  if (list.jobs.empty() && list.refusals.empty())
    return llvm::createStringError("none of the %zu entries of '%s' compiles a CUDA or HIP source", database->entries.size(),
                                   database->path.c_str());
  auto output = OutputFolder::open(options.outputFolder);
  if (!output)
    return output.takeError();
  const unsigned processors = llvm::hardware_concurrency().compute_thread_count();
  return Batch(*database, std::move(request), *installation, std::move(*output), std::move(list),
               options.jobs != 0 ? options.jobs : std::max(processors, 1u))
      .run();
}

} // namespace kperf::batch
