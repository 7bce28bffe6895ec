// A build by nvcc, hipcc, clang++ or a plain C++ compiler: the user's command with sources replaced.
#include "tool/cc/Build.h"
#include "tool/cc/KernelChanges.h"
#include "tool/cc/Messages.h"
#include "tool/cc/SourceRequest.h"
#include "tool/cc/StandardInput.h"
#include "tool/cc/Unrecorded.h"
#include "tool/plain/PlainCopies.h"
#include "tool/process/CrashFallback.h"
#include "tool/process/WorkFolder.h"
#include "tool/process/WriteText.h"

#include "rewriters/Toolkit.h"
#include "rewriters/command/ProbeStandard.h"
#include "rewriters/command/Rocm.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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
  llvm::Expected<ProcessEnd> runIn(WorkFolder &work);
  llvm::Expected<ProcessEnd> runWithCopies(llvm::ArrayRef<std::string> words, std::size_t first, const SourceCopies &copies,
                                           llvm::StringRef workFolder, bool &isRunAsItIs) const;
  std::optional<plain::PlainCopies> preparePlain(const SourceCopies &copies, llvm::ArrayRef<std::string> words, llvm::StringRef workFolder,
                                                 ProcessEnd &asked) const;
  std::vector<std::string> startOfCommand() const;
  std::vector<std::string> probeOptions(llvm::ArrayRef<std::string> given) const;
  std::vector<std::string> asProbesAreWritten(std::vector<std::string> words, llvm::StringRef workFolder) const;
  std::string defaultStandard(llvm::StringRef workFolder) const;
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
  if (const unsigned accesses = accessesSampled(options); accesses > 1)
    words.push_back("-DKPERF_ACCESSES_SAMPLED=" + std::to_string(accesses));
  // What is loaded without host code brings its tables itself. Objects that are yet to be linked would each bring a symbol of one name.
  const bool isLoaded = command.mode == CompileMode::Cubin || command.mode == CompileMode::Ptx || command.mode == CompileMode::Fatbin;
  if (command.dialect == Dialect::Nvcc && isLoaded && !command.relocatable)
    words.emplace_back("-DKPERF_DEVICE_TABLES");
  // The probes are C++17, which hipcc before ROCm 5.3 and Clang before 16 do not choose by themselves.
  if (!namesStandard(given) && (command.dialect == Dialect::Hipcc || command.dialect == Dialect::Clang))
    words.emplace_back(command.dialect == Dialect::Hipcc ? "-std=c++17" : "-std=gnu++17");
  return words;
}

/// What nvcc compiles as where its command does not say: its host compiler's own choice. "" where that is C++17 or later.
std::string VendorBuild::defaultStandard(llvm::StringRef workFolder) const {
  const char *fromEnvironment = std::getenv("NVCC_CCBIN");
  std::string name = !command.hostCompiler.empty() ? command.hostCompiler : fromEnvironment ? fromEnvironment : "g++";
  if (llvm::sys::fs::is_directory(name))
    name += "/g++";
  auto program = findProgram(name);
  const std::string question = workFolder.str() + "/standard.cpp";
  if (auto error = llvm::joinErrors(program.takeError(), process::writeText(question, "__cplusplus\n"))) {
    llvm::consumeError(std::move(error)); // nvcc will say more about it
    return {};
  }
  const std::string answer = firstLineOf(*program, {*program, "-E", "-P", question});
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> older[] = {{"201103L", "c++11"}, {"201402L", "c++14"}};
  for (const auto &[value, standard] : older)
    if (answer == value)
      return standard.str();
  return {};
}

/// A command as C++17, said where it is not so already. The probes are written in that.
std::vector<std::string> VendorBuild::asProbesAreWritten(std::vector<std::string> words, llvm::StringRef workFolder) const {
  const bool isSaidElsewhere = !namesStandard(words); // in the environment, or by the host compiler
  std::string older = olderStandard(isSaidElsewhere ? command.clangArguments : words);
  if (isSaidElsewhere && older.empty() && command.dialect == Dialect::Nvcc)
    older = defaultStandard(workFolder);
  if (older.empty())
    return words;
  sayWarning("the probes are C++17, so sources with them are compiled as that instead of " + older);
  if (isSaidElsewhere)
    words.push_back("-std=c++17");
  return withProbeStandard(std::move(words));
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
  auto work = WorkFolder::create(workKey(options));
  if (!work)
    return work.takeError();
  return runIn(*work);
}

/// Has nvcc compile the kernels of `words`, the command of the sources without probes, beside those of the copies. Not behind a compiler
/// cache, which would not know of it.
std::optional<plain::PlainCopies> VendorBuild::preparePlain(const SourceCopies &copies, llvm::ArrayRef<std::string> words,
                                                            llvm::StringRef workFolder, ProcessEnd &asked) const {
  const bool makesObjects = command.mode == CompileMode::Link || command.mode == CompileMode::Compile;
  const bool hasProbes = llvm::any_of(options.probes, [](llvm::StringRef probe) { return probe != "launches"; });
  if (copies.empty() || !options.plainCopies || !hasProbes || command.dialect != Dialect::Nvcc || !makesObjects ||
      !options.launcher.empty())
    return std::nullopt;
  auto made = plain::PlainCopies::prepare(words, workFolder, options.strict, asked);
  if (made)
    return std::move(*made);
  const std::string why = llvm::toString(made.takeError());
  if (options.verbose)
    sayNote("kernels have no copies without probes: " + why);
  return std::nullopt;
}

/// Runs the command, whose arguments begin at `first`, on the copies; without probes, and then without copies, when the
/// compiler refuses them and takes the sources.
llvm::Expected<ProcessEnd> VendorBuild::runWithCopies(llvm::ArrayRef<std::string> words, std::size_t first, const SourceCopies &copies,
                                                      llvm::StringRef workFolder, bool &isRunAsItIs) const {
  std::vector<std::string> changed = copies.empty() ? words.vec() : asProbesAreWritten(words.vec(), workFolder);
  const std::vector<std::string> plainWords = changed;
  for (const auto &[index, copy] : copies)
    changed[first + command.inputs[index].argument] = copy.path();
  for (const auto &[index, copy] : copies)
    for (const std::string &warning : replaceForcedIncludes(changed, command.dialect, copy.forcedIncludes()))
      sayWarning(warning);
  ProcessEnd asked;
  auto plain = preparePlain(copies, plainWords, workFolder, asked);
  if (asked.wasInterrupted)
    return asked;
  if (plain)
    changed.push_back("-noprof"); // what nvcc's profile says is in the environment, but for two programs
  auto end = runCommand(options, changed);
  if (plain) {
    for (const std::string &note : plain->notes()) // the launches that are not recorded are to run these
      if (options.verbose || launchesSampled(options) > 0)
        sayWarning(note);
    std::vector<plain::KernelChange> changes = plain->changes();
    if (!options.verbose && llvm::is_contained(options.probes, "memory")) // whose times are not the kernels' own anyway
      llvm::erase_if(changes, [](const plain::KernelChange &each) { return !each.isRefused; });
    sayChanges(changes, options.verbose, options.strict);
    plain.reset();
    changed.pop_back();
    const bool isRefused = options.strict && !changes.empty() && changes.front().isRefused;
    if (end && end->exitCode != 0 && !end->wasInterrupted && !isRefused)
      if (auto without = runProgram(changed.front(), changed, /*isQuiet=*/true); without && without->ok()) {
        sayWarning("kernels have no copies without probes: nvcc fails with them; --no-compare compiles none");
        return without;
      }
  }
  if (!end || end->exitCode == 0 || end->wasInterrupted || copies.empty() || options.strict)
    return end;
  if (options.verbose)
    sayNote(shellText(words));
  rewindStandardInput();
  auto original = runProgram(words.front(), words, /*isQuiet=*/true); // what it would say was said
  if (!original || (!original->ok() && !original->wasInterrupted)) {
    llvm::consumeError(original.takeError());
    return end;
  }
  if (original->wasInterrupted)
    return original;
  sayWarning("the compiler takes the sources, but not with their probes: see its errors above; the command is run as it is, "
             "none of its sources with probes; --strict stops here, --keep keeps what was refused, and --select or --auto-guard "
             "leave places out");
  isRunAsItIs = true;
  return original;
}

llvm::Expected<ProcessEnd> VendorBuild::runIn(WorkFolder &work) {
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

  SourceCopies copies;
  if (compilesDeviceCode()) {
    RemoveFolderOnSignal guard(work.path());
    std::optional<CrashFallback> fallback;
    if (!options.strict)
      fallback.emplace("kperf-cc: warning: clang crashed; the command is run as it is, without probes\n", words);
    auto made = instrument({options, installation, command, compiler, work.path()});
    if (!made)
      return made.takeError();
    copies = std::move(*made);
  }
  if (linksProgram() && options.instrument)
    noteUnrecordedProgram(command, copies);
  bool isRunAsItIs = false;
  auto end = runWithCopies(words, first, copies, work.path(), isRunAsItIs);
  // a failed compilation may leave dependencies too, and they must not name what is about to go
  if (auto error = mapDependencyFilesOf(options, command, isRunAsItIs ? SourceCopies() : copies)) {
    llvm::consumeError(end.takeError());
    return error;
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
