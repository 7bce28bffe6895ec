// Lists the sources of a compilation database that are to be rewritten.
#include "tool/batch/BatchJob.h"

#include "rewriters/Toolkit.h"
#include "rewriters/source/ContentHash.h"
#include "tool/cc/NativeArchitecture.h"
#include "tool/cc/SourceRequest.h"

#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <map>

namespace kperf::batch {
namespace {

bool namesDeviceSource(llvm::StringRef file) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(file)).Cases({".cu", ".cup", ".hip"}, true).Default(false);
}

/// A text that differs whenever one of the words does.
class Words {
public:
  void add(llvm::StringRef word) { text += word.str() + '\0'; }
  void addAll(llvm::ArrayRef<std::string> words) {
    add(llvm::utostr(words.size()));
    for (const std::string &word : words)
      add(word);
  }
  std::string hash() const { return contentHash(text); }

private:
  std::string text;
};

class JobLister {
public:
  JobLister(const CompilationDatabase &database, const BatchRequest &batch) : database(database), batch(batch) {
    if (auto found = findToolkit(""))
      usualToolkit = found->path;
  }

  JobList run() {
    for (std::size_t index = 0; index < database.entries.size(); ++index) {
      list.commands.push_back(readEntryCommand(database.entries[index]));
      list.jobOfEntry.push_back(-1);
      if (auto reason = addEntry(index); !reason.empty())
        list.refusals.push_back({index, nameOf(database.entries[index].directory, database.entries[index].file), std::move(reason)});
    }
    tagSourcesWithSeveralJobs();
    return std::move(list);
  }

private:
  /// Why there is no job where one is expected; empty when all is well.
  std::string addEntry(std::size_t index);
  void addJob(std::size_t index, const CompileCommand &command, const Input &input, llvm::StringRef compiler);
  std::string compilerPath(const EntryCommand &command, llvm::StringRef directory) const;
  void tagSourcesWithSeveralJobs();
  void warn(std::string text) {
    if (!llvm::is_contained(list.warnings, text))
      list.warnings.push_back(std::move(text));
  }
  /// Relative to the current folder when it lies there.
  static std::string nameOf(llvm::StringRef directory, llvm::StringRef file) {
    llvm::SmallString<256> here;
    llvm::sys::fs::current_path(here);
    const std::string path = absolutePath(directory, file);
    llvm::StringRef name = path;
    return name.consume_front((here + "/").str()) ? name.str() : path;
  }

  const CompilationDatabase &database;
  const BatchRequest &batch;
  std::string usualToolkit; ///< for commands that do not say
  JobList list;
  std::map<std::pair<std::string, std::string>, std::size_t> known; ///< (source, key) to index of the job
};

/// Where the compiler lies, so that its toolkit can be found.
std::string JobLister::compilerPath(const EntryCommand &command, llvm::StringRef directory) const {
  if (llvm::StringRef(command.compiler).contains('/'))
    return absolutePath(directory, command.compiler);
  auto found = llvm::sys::findProgramByName(command.compiler);
  return found ? *found : command.compiler;
}

std::string JobLister::addEntry(std::size_t index) {
  const DatabaseEntry &entry = database.entries[index];
  const EntryCommand &words = list.commands[index];
  const bool isExpected = namesDeviceSource(entry.file);
  if (!llvm::sys::fs::is_directory(entry.directory))
    return isExpected ? "its directory '" + entry.directory + "' is gone; configure the build again" : std::string();
  TranslateContext context = TranslateContext::fromEnvironment();
  context.directory = entry.directory;
  auto command = translateCommand(batch.isHost ? Dialect::Host : words.dialect, words.arguments, context);
  if (!command) {
    std::string reason = llvm::toString(command.takeError());
    return isExpected ? reason : std::string();
  }
  if (!command->hasDeviceSource() || command->mode == CompileMode::Query)
    return isExpected && !command->hasSource() ? "its command compiles no source" : std::string();
  const std::string source = absolutePath(entry.directory, entry.file);
  const Input *chosen = nullptr;
  for (const Input &input : command->inputs)
    if (input.isDevice() && (!chosen || absolutePath(entry.directory, input.path) == source))
      chosen = &input;
  if (!llvm::sys::fs::exists(absolutePath(entry.directory, chosen->path)))
    return "the source is gone; configure the build again";
  if (!words.isKnown)
    warn("compiler '" + words.compiler + "' is not known by its name; its options are read as those of " +
         (words.dialect == Dialect::Clang ? "clang++" : "nvcc"));
  const std::string compiler = compilerPath(words, entry.directory);
  if (!batch.isHost && batch.settings.architecture.empty())
    cc::resolveNativeArchitectures(*command, compiler);
  for (const std::string &warning : command->warnings)
    warn(warning);
  addJob(index, *command, *chosen, compiler);
  return {};
}

void JobLister::addJob(std::size_t index, const CompileCommand &command, const Input &input, llvm::StringRef compiler) {
  const DatabaseEntry &entry = database.entries[index];
  const RewriteRequest fromCommand = cc::requestFor(command, input, compiler);
  BatchJob job;
  job.directory = entry.directory;
  job.source = absolutePath(entry.directory, input.path);
  job.name = nameOf(entry.directory, input.path);
  job.copy = job.source;
  job.request = batch.settings;
  job.request.input = input.path;
  job.request.clangArguments = fromCommand.clangArguments;
  job.request.target = batch.isHost ? Target::Host : fromCommand.target;
  job.request.isHip = fromCommand.isHip;
  job.request.overlay.moveForcedIncludes = fromCommand.overlay.moveForcedIncludes;
  if (job.request.architecture.empty())
    job.request.architecture = fromCommand.architecture;
  if (job.request.toolkit.empty() && job.request.target != Target::Hip)
    job.request.toolkit = fromCommand.toolkit.empty() ? usualToolkit : fromCommand.toolkit;
  job.request.includeDirectory = batch.installation.include;
  job.request.lineDirective = job.request.overlay.isShared = true;
  const std::string key = job.key(batch, "");
  job.id = contentHash(job.source + '\0' + key).substr(0, 16);
  auto [place, isNew] = known.try_emplace({job.source, key}, list.jobs.size());
  if (isNew)
    list.jobs.push_back(std::move(job));
  list.jobOfEntry[index] = static_cast<std::ptrdiff_t>(place->second);
}

/// A source that is compiled in several ways gets several copies: "gemm.1f2e3d4c.cu".
void JobLister::tagSourcesWithSeveralJobs() {
  std::map<std::string, unsigned> count;
  for (const BatchJob &job : list.jobs)
    ++count[job.source];
  for (BatchJob &job : list.jobs) {
    if (count[job.source] == 1)
      continue;
    llvm::SmallString<256> path(job.source);
    llvm::sys::path::replace_extension(path, job.id.substr(0, 8) + llvm::sys::path::extension(job.source));
    job.copy = path.str().str();
  }
  for (const auto &[source, number] : count)
    if (number > 1)
      warn("'" + nameOf("/", source) + "' is compiled with " + std::to_string(number) +
           " different sets of flags and is rewritten for each");
}

} // namespace

RewriteRequest BatchJob::requestFor(llvm::StringRef root) const {
  RewriteRequest complete = request;
  complete.outputDirectory = (root + llvm::sys::path::parent_path(copy)).str();
  complete.overlay.directory = root.str();
  return complete;
}

std::string BatchJob::key(const BatchRequest &batch, llvm::StringRef root) const {
  Words words;
  words.add(batch.identity);
  words.add(clang::getClangFullVersion());
  words.add(cc::prologueFor(batch.installation, macrosAmongNames(definedMacros(request.clangArguments))));
  words.add(directory);
  words.add(copy);
  words.add(root);
  words.add(request.input);
  words.addAll(request.clangArguments);
  words.add(llvm::utostr(static_cast<unsigned>(request.target)));
  words.add(request.isHip ? "hip" : "");
  words.add(request.overlay.moveForcedIncludes ? "moves" : "");
  words.add(request.architecture);
  words.add(request.toolkit);
  words.add(request.includeDirectory);
  words.addAll(request.probes);
  words.add(request.strict ? "strict" : "");
  for (const char *variable : {"CPATH", "CPLUS_INCLUDE_PATH"}) { // Clang looks there too
    const char *value = std::getenv(variable);
    words.add(value ? value : "");
  }
  return words.hash();
}

JobList listJobs(const CompilationDatabase &database, const BatchRequest &batch) { return JobLister(database, batch).run(); }

} // namespace kperf::batch
