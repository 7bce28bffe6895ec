// Builds with nvcc, hipcc, clang++ or a plain C++ compiler: the user's command with sources replaced.
#include "tool/cc/Build.h"
#include "tool/cc/InstrumentedRun.h"
#include "tool/cc/Messages.h"
#include "tool/cc/NativeArchitecture.h"
#include "tool/cc/SourceRequest.h"
#include "tool/cc/Unrecorded.h"
#include "tool/process/CrashFallback.h"
#include "tool/process/TemporaryFolder.h"

#include "rewriters/Toolkit.h"
#include "rewriters/command/ProbeStandard.h"
#include "rewriters/command/Rocm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>
#include <optional>

namespace kperf::cc {
namespace {

class VendorBuild {
public:
  VendorBuild(const Options &options, const Installation &installation) : options(options), installation(installation) {}

  llvm::Expected<ProcessEnd> run();

private:
  llvm::Error findCompiler();
  llvm::Error translate();
  llvm::Error checkRocm() const;
  llvm::Expected<ProcessEnd> runAsGiven();
  llvm::Expected<ProcessEnd> runIn(process::TemporaryFolder &work);
  std::vector<std::string> startOfCommand() const;
  std::vector<std::string> probeOptions(llvm::ArrayRef<std::string> given) const;
  std::vector<std::string> hipOptions() const;
  bool readsHipOnNvidia() const {
    return llvm::any_of(command.inputs, [&](const Input &input) { return isHipOnNvidia(command, input); });
  }
  llvm::Error addRuntime(llvm::StringRef workFolder, std::vector<std::string> &arguments) const;
  /// A plain C++ compiler by name is only told about the runtime.
  bool compilesDeviceCode() const {
    return options.instrument && command.generatesCode() && command.hasDeviceSource() &&
           dialectOfCompiler(options.compiler) != Dialect::Host;
  }
  bool linksProgram() const { return command.links() && !command.inputs.empty() && !command.shared && !command.relocatableLink; }

  const Options &options;
  const Installation &installation;
  std::string compiler; ///< its path
  std::string launcher; ///< path of the first compiler cache, or empty
  CompileCommand command;
};

llvm::Error VendorBuild::findCompiler() {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH", "ROCM_PATH", "HIP_PATH"})
    if (const char *value = std::getenv(variable))
      folders.push_back(std::string(value) + "/bin");
  folders.insert(folders.end(), {"/usr/local/cuda/bin", "/opt/rocm/bin"});
  auto found = findProgram(options.compiler, folders);
  if (!found)
    return found.takeError();
  compiler = std::move(*found);
  if (options.launcher.empty())
    return llvm::Error::success();
  auto cache = findProgram(options.launcher.front());
  if (!cache)
    return cache.takeError();
  launcher = std::move(*cache);
  return llvm::Error::success();
}

llvm::Error VendorBuild::translate() {
  Dialect dialect = *dialectOfCompiler(options.compiler);
  if (dialect == Dialect::Host) // g++ by name: its own spellings only
    dialect = Dialect::Clang;
  auto translated = translateCommand(dialect, options.arguments);
  if (!translated)
    return translated.takeError();
  command = std::move(*translated);
  resolveNativeArchitectures(command, compiler);
  return llvm::Error::success();
}

/// Says what Clang lacks to make code for AMD GPUs, before it says so in its own words. hipcc brings what it needs.
llvm::Error VendorBuild::checkRocm() const {
  const bool compilesHip = llvm::any_of(command.inputs, [](const Input &i) { return i.language == Language::Hip; });
  if (command.dialect != Dialect::Clang || !compilesHip || !command.generatesCode())
    return llvm::Error::success();
  std::vector<std::string> arguments;
  for (const Argument &argument : command.arguments)
    arguments.push_back(argument.text);
  auto rocm = findRocm(rocmPathAmong(arguments));
  if (!rocm)
    return rocm.takeError();
  if (rocm->empty())
    return llvm::createStringError("no ROCm is found for HIP sources: install libamdhip64-dev and rocm-device-libs, or "
                                   "give --rocm-path=FOLDER; 'kperf-cc host' needs none");
  const std::string version = firstLineOf(compiler, {compiler, "-dumpversion"});
  for (const std::string &architecture : command.architectures) {
    if (auto error = checkAmdArchitecture(architecture))
      return error;
    if (auto error = checkDeviceLibraries(*rocm, architecture, arguments, version))
      return error;
  }
  return llvm::Error::success();
}

std::vector<std::string> VendorBuild::startOfCommand() const {
  if (options.launcher.empty())
    return {compiler};
  std::vector<std::string> words = options.launcher;
  words.front() = launcher;
  words.push_back(compiler);
  return words;
}

/// What sources with probes need besides.
std::vector<std::string> VendorBuild::probeOptions(llvm::ArrayRef<std::string> given) const {
  std::vector<std::string> words;
  if (const unsigned launches = launchesSampled(options); launches > 1)
    words.push_back("-DKPERF_LAUNCHES_SAMPLED=" + std::to_string(launches));
  if (options.profile.launchBudget > 0)
    words.push_back("-DKPERF_BUDGET_OF_LAUNCHES=" + std::to_string(options.profile.launchBudget));
  if (const unsigned accesses = accessesSampled(options); accesses > 1)
    words.push_back(kAccessesSampled.str() + std::to_string(accesses));
  const auto countsNothing = [](llvm::StringRef probe) { return probe == "region" || probe == "sync" || probe == "launches"; };
  if (llvm::all_of(options.probes, countsNothing)) // a rewriter of a plug-in's may count accesses
    words.emplace_back("-DKPERF_NO_MEMORY_PROBES");
  // What is loaded without host code brings its tables itself. Objects that are yet to be linked would each bring a symbol of one name.
  const bool isLoaded = command.mode == CompileMode::Cubin || command.mode == CompileMode::Ptx || command.mode == CompileMode::Fatbin;
  if (command.dialect == Dialect::Nvcc && isLoaded && !command.relocatable)
    words.emplace_back("-DKPERF_DEVICE_TABLES");
  // The probes are C++17, which hipcc before ROCm 5.3 and Clang before 16 do not choose by themselves.
  if (!namesStandard(given) && (command.dialect == Dialect::Hipcc || command.dialect == Dialect::Clang))
    words.emplace_back(command.dialect == Dialect::Hipcc ? "-std=c++17" : "-std=gnu++17");
  return words;
}

/// What nvcc is told of sources that are HIP: what they are, and where <hip/hip_runtime.h> is.
std::vector<std::string> VendorBuild::hipOptions() const {
  if (!readsHipOnNvidia())
    return {};
  std::vector<std::string> words = hipMacros(Target::Cuda);
  words.insert(words.end(), {"-isystem", hipOnCudaDirectory(installation.include)});
  const bool isTold = llvm::any_of(command.arguments, [](const Argument &a) {
    return a.role == ArgumentRole::Option && (llvm::StringRef(a.text).starts_with("-x") || a.text == "--x");
  });
  if (command.dialect == Dialect::Nvcc && !isTold)
    words.insert(words.end(), {"-x", "cu"});
  return words;
}

/// The very command: for questions, for what has no source, for -E and -M, and when nothing is to be instrumented.
llvm::Expected<ProcessEnd> VendorBuild::runAsGiven() {
  std::vector<std::string> words = startOfCommand();
  llvm::append_range(words, options.arguments);
  if (options.verbose)
    sayNote(shellText(words));
  return becomeProgram(words.front(), words);
}

llvm::Error VendorBuild::addRuntime(llvm::StringRef workFolder, std::vector<std::string> &arguments) const {
  if (!llvm::sys::fs::exists(installation.staticRuntime))
    return llvm::createStringError("kperf's runtime library is not found at '%s'; reinstall kperf", installation.staticRuntime.c_str());
  auto linkerOptions = runtimeLinkerOptions(workFolder);
  if (!linkerOptions)
    return linkerOptions.takeError();
  llvm::append_range(arguments, runtimeOptions(command, options.compiler, installation, *linkerOptions));
  return llvm::Error::success();
}

llvm::Expected<ProcessEnd> VendorBuild::run() {
  if (auto error = findCompiler())
    return error;
  if (auto error = translate())
    return error;
  const bool asGiven = !options.instrument && !linksProgram() && !readsHipOnNvidia();
  if (asGiven || command.mode == CompileMode::Query || (!command.hasDeviceSource() && !linksProgram()))
    return runAsGiven();
  for (const std::string &warning : command.warnings)
    sayWarning(warning);
  if (auto error = checkFiles(command))
    return error;
  if (auto error = checkRocm())
    return error;
  auto work = process::makeTemporaryFolder(workKey(options));
  if (!work)
    return llvm::createStringError(work.error().text());
  return runIn(*work);
}

llvm::Expected<ProcessEnd> VendorBuild::runIn(process::TemporaryFolder &work) {
  std::vector<std::string> arguments;
  for (const Argument &argument : command.arguments)
    arguments.push_back(argument.text);
  if (command.hasSource())
    llvm::append_range(arguments, includeOptions(installation));
  llvm::append_range(arguments, hipOptions());
  if (compilesDeviceCode())
    llvm::append_range(arguments, probeOptions(arguments));
  // a compiler cache before kperf-cc knows a source by its preprocessed text: an annotation must be part of that
  if (command.mode == CompileMode::Preprocess && options.instrument && command.hasDeviceSource())
    arguments.push_back("-DKPERF_REWRITING");
  if (linksProgram())
    if (auto error = addRuntime(work.path(), arguments))
      return error;
  std::vector<std::string> words = startOfCommand();
  const std::size_t first = words.size();
  llvm::append_range(words, arguments);

  const InstrumentJob job{options, installation, command, compiler, work.path()};
  Instrumented sources;
  SourceCopies &copies = sources.copies;
  if (compilesDeviceCode()) {
    RemoveFolderOnSignal guard(work.path());
    std::optional<CrashFallback> fallback;
    if (!options.strict)
      fallback.emplace(kCrashMessage.str(), words);
    auto made = instrument(job);
    if (!made)
      return made.takeError();
    sources = std::move(*made);
  }
  InstrumentedRun instrumented(job, words, first);
  auto end = instrumented.run(copies);
  // a failed compilation may leave dependencies too, and they must not name what is about to go
  if (auto error = mapDependencyFilesOf(options, command, instrumented.isAsItIs() ? SourceCopies() : copies)) {
    llvm::consumeError(end.takeError());
    return error;
  }
  if (end && end->ok()) {
    llvm::errs() << sources.warnings;
    if (linksProgram() && options.instrument && !instrumented.isAsItIs())
      noteUnrecordedProgram(command, sources);
  }
  if (options.keep && !copies.empty()) {
    work.keep();
    sayNote("the rewritten sources are kept in '" + work.path() + "'");
  }
  return end;
}

} // namespace

llvm::Expected<ProcessEnd> buildWithVendor(const Options &options, const Installation &installation) {
  return VendorBuild(options, installation).run();
}

} // namespace kperf::cc
