// Builds for the CPU with a plain C++ compiler: no toolkit, no GPU.
#include "tool/cc/Build.h"
#include "tool/cc/HostPrelude.h"
#include "tool/cc/HostRefusal.h"
#include "tool/cc/Messages.h"
#include "tool/cc/SourceRequest.h"
#include "tool/cc/Unrecorded.h"
#include "tool/process/TemporaryFolder.h"

#include "rewriters/Toolkit.h"
#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace kperf::cc {
namespace {

/// Libraries of the CUDA and HIP runtimes, which the host headers stand in for.
bool isDeviceRuntimeLibrary(llvm::StringRef argument) {
  static constexpr llvm::StringRef names[] = {"-lcudart", "-lcudart_static", "-lcudadevrt", "-lcuda", "-lamdhip64"};
  return llvm::is_contained(names, argument);
}

/// Whether an option changes types of the host target's headers, or what is compiled of each function.
bool changesHeaders(llvm::StringRef option) {
  static constexpr llvm::StringLiteral prefixes[] = {"-fsanitize", "-stdlib",    "-nostd",      "-m",       "-fpack-struct",
                                                     "-fshort-",   "-fabi-",     "-target",     "--target", "-fprofile",
                                                     "-fcoverage", "--coverage", "-finstrument"};
  return option.contains("_GLIBCXX_") || option.contains("_LIBCPP_") ||
         llvm::any_of(prefixes, [&](llvm::StringRef prefix) { return option.starts_with(prefix); });
}

class HostBuild {
public:
  HostBuild(const Options &options, const Installation &installation) : options(options), installation(installation) {}

  llvm::Expected<ProcessEnd> run();

private:
  std::string compilerName() const;
  llvm::Error prepare();
  llvm::Expected<ProcessEnd> runIn(process::TemporaryFolder &work);
  llvm::Expected<ProcessEnd> compileSources(const SourceCopies &copies, llvm::StringRef workFolder);
  llvm::Expected<ProcessEnd> compileOne(std::size_t index, const SourceCopies &copies, llvm::StringRef output);
  llvm::Expected<ProcessEnd> link(llvm::StringRef workFolder);
  llvm::Expected<ProcessEnd> archive();
  llvm::Expected<ProcessEnd> makeEmptyObject();
  llvm::Expected<ProcessEnd> runAsGiven();
  std::string whyRefused(const Input &input) const;
  std::string firstIncludes(const Input &input, const SourceCopy *copy) const;
  std::vector<std::string> dependencyOptions(const Input &input, llvm::StringRef output) const;
  std::string outputOf(const Input &input) const;
  bool isLastStep() const { return command.links() || command.mode == CompileMode::Library; }

  const Options &options;
  const Installation &installation;
  std::string compiler;
  CompileCommand command;
  std::map<std::size_t, std::string> objects; ///< by index of the input that became one
  bool needsHostLibrary = false;              ///< one of the objects does
};

/// The C++ compiler behind the target: what the user says, else a C++ compiler named behind `host`, else the system's.
std::string HostBuild::compilerName() const {
  const char *fromEnvironment = std::getenv("KPERF_HOST_CXX");
  if (!options.hostCompiler.empty())
    return options.hostCompiler;
  if (fromEnvironment && *fromEnvironment)
    return fromEnvironment;
  const llvm::StringRef replaced = llvm::sys::path::filename(options.replaced);
  return dialectOfCompiler(replaced) != Dialect::Hipcc && replaced.contains("++") ? options.replaced : "c++";
}

llvm::Error HostBuild::prepare() {
  auto found = findProgram(compilerName());
  if (!found)
    return found.takeError();
  compiler = std::move(*found);
  auto translated = options.replaced.empty() ? translateCommand(Dialect::Host, options.arguments)
                                             : translateForHost(*dialectOfCompiler(options.replaced), options.arguments);
  if (!translated)
    return translated.takeError();
  command = std::move(*translated);
  switch (command.mode) {
  case CompileMode::Ptx:
  case CompileMode::Cubin:
  case CompileMode::Fatbin:
  case CompileMode::OptixIr:
  case CompileMode::LtoIr:
    return llvm::createStringError("the host target makes no device code; leave out -ptx, -cubin, -fatbin, -optix-ir "
                                   "and -ltoir, or name nvcc instead of host");
  case CompileMode::Run:
    return llvm::createStringError("the host target does not run programs; leave out -run and start the program itself");
  default:
    break;
  }
  if (command.inputs.empty() && command.mode != CompileMode::Query)
    return llvm::createStringError("no source and no object is given to 'kperf-cc host'");
  if (!isLastStep() && command.inputs.size() > 1 && !command.output.empty() && command.mode != CompileMode::DeviceLink) {
    const Input &first = command.inputs.front();
    if (options.replaced.empty() && !first.isSource() && first.path == options.arguments.front())
      return llvm::createStringError("'%s' is no compiler that host knows; expected nvcc, hipcc, clang++ or g++, or what these are given",
                                     first.path.c_str());
    return llvm::createStringError("-o names one output for %zu inputs; leave it out or compile them one by one", command.inputs.size());
  }
  return checkFiles(command);
}

std::vector<std::string> HostBuild::dependencyOptions(const Input &input, llvm::StringRef output) const {
  const DependencyOptions &wanted = command.dependencies;
  std::vector<std::string> words;
  if (command.mode == CompileMode::Dependencies)
    words.push_back(wanted.systemHeaders ? "-M" : "-MM");
  else if (wanted.wanted)
    words.push_back(wanted.systemHeaders ? "-MD" : "-MMD");
  if (words.empty())
    return words;
  if (wanted.phonyTargets)
    words.push_back("-MP");
  llvm::SmallString<256> file(wanted.file);
  if (file.empty() && wanted.wanted) {
    file = command.output.empty() ? llvm::sys::path::filename(input.path) : llvm::StringRef(command.output);
    llvm::sys::path::replace_extension(file, "d");
  }
  if (!file.empty())
    words.insert(words.end(), {"-MF", file.str().str()});
  for (const std::string &target : wanted.targets)
    words.insert(words.end(), {"-MT", target});
  if (wanted.targets.empty() && isLastStep() && !command.output.empty())
    words.insert(words.end(), {"-MT", command.output});
  else if (wanted.targets.empty() && !output.empty())
    words.insert(words.end(), {"-MT", output.str()});
  return words;
}

/// Where one source's result goes when the command only compiles.
std::string HostBuild::outputOf(const Input &input) const {
  if (!command.output.empty())
    return command.output;
  if (command.mode == CompileMode::Preprocess || command.mode == CompileMode::Dependencies)
    return {};
  llvm::SmallString<256> name(llvm::sys::path::filename(input.path));
  llvm::sys::path::replace_extension(name, command.mode == CompileMode::Assemble ? "s" : "o");
  return name.str().str();
}

/// What the compiler is told to do with the source; nothing where it makes what depends on it.
std::vector<std::string> modeOptions(CompileMode mode) {
  switch (mode) {
  case CompileMode::Preprocess:
    return {"-E"};
  case CompileMode::Assemble:
    return {"-S"};
  case CompileMode::SyntaxOnly:
    return {"-fsyntax-only"};
  case CompileMode::Dependencies:
    return {};
  default:
    return {"-c"};
  }
}

/// The headers that the source begins with; nothing for one that the compiler reads as it is.
std::string HostBuild::firstIncludes(const Input &input, const SourceCopy *copy) const {
  if (!copy)
    return !input.isDevice() ? "" : input.language == Language::Hip ? "#include <hip/hip_runtime.h>\n" : "#include <cuda_runtime.h>\n";
  const std::string prologue = prologueFor(installation, {});
  const auto text = llvm::MemoryBuffer::getFileSlice(copy->path(), prologue.size(), 0);
  return text && (*text)->getBuffer() == prologue ? prologue : "";
}

llvm::Expected<ProcessEnd> HostBuild::compileOne(std::size_t index, const SourceCopies &copies, llvm::StringRef output) {
  const Input &input = command.inputs[index];
  std::vector<std::string> words = {compiler};
  llvm::append_range(words, hostCompileOptions(command, input, installation));
  if (const unsigned accesses = accessesSampled(options); accesses > 1 && options.instrument)
    words.push_back("-DKPERF_ACCESSES_SAMPLED=" + std::to_string(accesses));
  // An object that is linked by another command may meet another library, or none.
  if (command.links() && !command.relocatableLink && input.isDevice() && llvm::none_of(words, changesHeaders) &&
      llvm::sys::fs::exists(installation.hostLibrary)) {
    needsHostLibrary = true;
    words.push_back("-DKPERF_HOST_LIBRARY");
  }
  const auto found = copies.find(index);
  const SourceCopy *copy = found == copies.end() ? nullptr : &found->second;
  if (copy)
    for (const std::string &warning : replaceForcedIncludes(words, Dialect::Host, copy->forcedIncludes()))
      sayWarning(warning);
  const std::vector<std::string> mode = modeOptions(command.mode), dependencies = dependencyOptions(input, output);
  std::string prelude;
  if (mode == std::vector<std::string>{"-c"} && (copy || dependencies.empty())) // dependencies of copies are corrected
    if (const std::string text = firstIncludes(input, copy); !text.empty())
      prelude = hostPrelude(words, text);
  llvm::append_range(words, dependencies);
  llvm::append_range(words, mode);
  if (!output.empty() && command.mode != CompileMode::SyntaxOnly)
    words.insert(words.end(), {"-o", output.str()});
  if (input.isDevice() && (!copy || !options.instrument)) // an instrumented copy begins with its own #include
    words.insert(words.end(), {"-include", input.language == Language::Hip ? "hip/hip_runtime.h" : "cuda_runtime.h"});
  words.insert(words.end(), {"-x", input.language == Language::C ? "c" : "c++", copy ? copy->path() : input.path});
  if (prelude.empty())
    return runCommand(options, words, copies);
  std::vector<std::string> shorter = words;
  shorter.insert(shorter.begin() + 1, {"-include-pch", prelude, "-Xclang", "-fno-validate-pch"}); // it was
  auto end = runCommand(options, shorter, copies);
  const bool isLost = end && !end->ok() && !llvm::sys::fs::exists(prelude); // to another process, which keeps the folder small
  return isLost ? runCommand(options, words, copies) : std::move(end);
}

/// What to say of a source that the compiler refuses as C++; "" where that is not known.
std::string HostBuild::whyRefused(const Input &input) const {
  if (input.language != Language::Cxx || input.isStandardInput())
    return "";
  std::vector<std::string> words = {compiler};
  llvm::append_range(words, hostCompileOptions(command, input, installation));
  return whyRefusedAsCxx(std::move(words), input.path);
}

llvm::Expected<ProcessEnd> HostBuild::compileSources(const SourceCopies &copies, llvm::StringRef workFolder) {
  for (std::size_t i = 0; i < command.inputs.size(); ++i) {
    const Input &input = command.inputs[i];
    if (!input.isSource())
      continue;
    const bool isTemporary = command.links() || command.mode == CompileMode::Library;
    llvm::SmallString<256> object(workFolder);
    llvm::sys::path::append(object, "objects", llvm::utostr(i) + "-" + llvm::sys::path::stem(input.path) + ".o");
    const std::string output = isTemporary ? object.str().str() : outputOf(input);
    if (isTemporary)
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(object));
    auto end = compileOne(i, copies, output);
    if (end && !end->ok() && !end->wasInterrupted)
      if (const std::string why = whyRefused(input); !why.empty())
        sayNote("'" + input.path + "' " + why);
    if (!end || !end->ok())
      return end;
    objects[i] = output;
  }
  if (auto error = mapDependencyFilesOf(options, command, copies))
    return error;
  return ProcessEnd();
}

llvm::Expected<ProcessEnd> HostBuild::link(llvm::StringRef workFolder) {
  std::vector<std::string> linkArguments = command.hostLinkArguments;
  for (const auto &[index, object] : objects)
    linkArguments[command.inputs[index].hostLinkArgument] = object;
  llvm::erase_if(linkArguments, [](llvm::StringRef a) { return isDeviceRuntimeLibrary(a); });
  std::vector<std::string> words = {compiler};
  llvm::append_range(words, linkArguments);
  if (!command.output.empty())
    words.insert(words.end(), {"-o", command.output});
  if (command.relocatableLink)
    return runCommand(options, words);

  if (!command.shared) {
    if (!llvm::sys::fs::exists(installation.staticRuntime))
      return llvm::createStringError("kperf's runtime library is not found at '%s'; reinstall kperf", installation.staticRuntime.c_str());
    words.push_back(installation.staticRuntime);
    auto linkerOptions = runtimeLinkerOptions(workFolder);
    if (!linkerOptions)
      return linkerOptions.takeError();
    for (const std::string &option : *linkerOptions)
      words.push_back("-Wl," + option);
  }
  if (needsHostLibrary)
    words.push_back(installation.hostLibrary);
  // the fibers; the static library makes the program independent of this machine's
  const std::string fibers = firstLineOf(compiler, {compiler, "-print-file-name=libboost_context.a"});
  words.push_back(llvm::StringRef(fibers).contains('/') && !command.shared ? fibers : "-lboost_context");
  words.insert(words.end(), {"-pthread", "-ldl"});
  return runCommand(options, words);
}

llvm::Expected<ProcessEnd> HostBuild::archive() {
  auto archiver = findProgram("ar");
  if (!archiver)
    return archiver.takeError();
  std::vector<std::string> words = {*archiver, "rcs", command.output.empty() ? "a.a" : command.output};
  for (std::size_t i = 0; i < command.inputs.size(); ++i)
    words.push_back(objects.count(i) ? objects[i] : command.inputs[i].path);
  llvm::sys::fs::remove(words[2]);
  return runCommand(options, words);
}

/// A device link has nothing to do here, but a build system expects its object.
llvm::Expected<ProcessEnd> HostBuild::makeEmptyObject() {
  return runCommand(options, {compiler, "-x", "c++", "-c", "/dev/null", "-o", command.output.empty() ? "a_dlink.o" : command.output});
}

/// Questions, and what has no source, are for the compiler that the user means.
llvm::Expected<ProcessEnd> HostBuild::runAsGiven() {
  auto asked = options.replaced.empty() ? llvm::Expected<std::string>(compiler) : findProgram(options.replaced);
  if (!asked)
    return asked.takeError();
  std::vector<std::string> words = {*asked};
  llvm::append_range(words, options.arguments);
  return runCommand(options, words);
}

llvm::Expected<ProcessEnd> HostBuild::run() {
  if (auto error = prepare())
    return error;
  for (const std::string &warning : command.warnings)
    sayWarning(warning);
  if (command.mode == CompileMode::DeviceLink)
    return makeEmptyObject();
  if (command.mode == CompileMode::Query || (!isLastStep() && !command.hasSource())) // `-x c++-header`
    return runAsGiven();
  auto work = process::makeTemporaryFolder(workKey(options));
  if (!work)
    return llvm::createStringError(work.error().text());
  return runIn(*work);
}

llvm::Expected<ProcessEnd> HostBuild::runIn(process::TemporaryFolder &work) {
  Instrumented sources;
  if (command.generatesCode() && command.hasDeviceSource()) {
    RemoveFolderOnSignal guard(work.path());
    auto made = instrument({options, installation, command, compiler, work.path()});
    if (!made)
      return made.takeError();
    sources = std::move(*made);
  }
  if (options.keep && !sources.copies.empty()) {
    work.keep();
    sayNote("the rewritten sources are kept in '" + work.path() + "'");
  }
  auto end = compileSources(sources.copies, work.path());
  if (!end || !end->ok())
    return end;
  llvm::errs() << sources.warnings;
  if (!isLastStep())
    return end;
  if (command.links() && !command.shared && !command.relocatableLink && options.instrument)
    noteUnrecordedProgram(command, sources);
  return command.links() ? link(work.path()) : archive();
}

} // namespace

std::vector<std::string> hostCompileOptions(const CompileCommand &command, const Input &input, const Installation &installation) {
  auto has = [&](llvm::StringRef prefix) {
    return llvm::any_of(command.hostCompileArguments, [&](llvm::StringRef a) { return a.starts_with(prefix); });
  };
  std::vector<std::string> words = withProbeStandard(command.hostCompileArguments); // which the host headers are written in too
  if (!has("-O"))
    words.push_back("-O2");
  if (input.language == Language::C)
    return words;
  if (!has("-std="))
    words.push_back("-std=c++17");
  llvm::append_range(words, includeOptions(installation));
  // <cuda_runtime.h> and its like are found there, by C++ sources too
  words.insert(words.end(), {"-isystem", installation.include + "/kperf/host/toolkit", "-pthread"});
  if (input.language == Language::Hip)
    llvm::append_range(words, hipMacros(Target::Host));
  // a CUDA source finds no <hip/hip_runtime.h>, which it may ask for
  if (input.language != Language::Cuda)
    words.insert(words.end(), {"-isystem", hipOnCudaDirectory(installation.include)});
  // CUDA's own pragmas and attributes mean nothing to a C++ compiler
  if (input.isDevice())
    words.insert(words.end(), {"-Wno-unknown-pragmas", "-Wno-attributes"});
  return words;
}

llvm::Expected<ProcessEnd> buildForHost(const Options &options, const Installation &installation) {
  return HostBuild(options, installation).run();
}

} // namespace kperf::cc
