// Shared by builds with vendor compilers and builds for the CPU.
#include "tool/cc/Build.h"

#include "tool/cc/CompilerMessages.h"
#include "tool/cc/DependencyFile.h"
#include "tool/cc/HostPrelude.h"
#include "tool/cc/Messages.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <memory>
#include <unistd.h>

namespace kperf::cc {
namespace {

constexpr llvm::StringLiteral kRuntimeEntries[] = {"kperf_module_register",
                                                   "kperf_module_unregister",
                                                   "kperf_wants_launches",
                                                   "kperf_before_launch",
                                                   "kperf_after_launch",
                                                   "kperf_before_reset",
                                                   "kperf_flush",
                                                   "kperf_start",
                                                   "kperf_stop"};

/// Where the compiler writes the dependencies of one source: -MF, else beside the output, else in the current folder.
std::string dependencyFileOf(const CompileCommand &command, const Input &source) {
  if (!command.dependencies.file.empty())
    return command.dependencies.file;
  llvm::SmallString<256> path(command.output);
  if (command.output.empty())
    path = llvm::sys::path::filename(source.path);
  llvm::sys::path::replace_extension(path, "d");
  return path.str().str();
}

} // namespace

llvm::Error checkFiles(const CompileCommand &command) {
  for (const Input &input : command.inputs)
    if (input.isSource() && !input.isStandardInput() && !llvm::sys::fs::exists(input.path))
      return llvm::createStringError("source '%s' does not exist", input.path.c_str());
  if (command.output.empty() || command.output == "-")
    return llvm::Error::success();
  llvm::SmallString<256> folder(llvm::sys::path::parent_path(command.output));
  if (folder.empty())
    folder = ".";
  if (!llvm::sys::fs::is_directory(folder))
    return llvm::createStringError("output '%s' cannot be written: there is no folder '%s'", command.output.c_str(), folder.c_str());
  const bool exists = llvm::sys::fs::exists(command.output);
  if (access(exists ? command.output.c_str() : folder.c_str(), W_OK) != 0 || llvm::sys::fs::is_directory(command.output))
    return llvm::createStringError("output '%s' cannot be written; choose another with -o", command.output.c_str());
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> runtimeLinkerOptions(llvm::StringRef workFolder) {
  std::vector<std::string> options;
  std::string list = "{\n";
  for (llvm::StringRef entry : kRuntimeEntries) {
    options.push_back("--undefined=" + entry.str());
    list += "  " + entry.str() + ";\n";
  }
  const std::string file = workFolder.str() + "/exports.list";
  if (auto error = process::writeText(file, list + "};\n"))
    return error;
  options.push_back("--dynamic-list=" + file);
  return options;
}

/// nvcc puts what follows -Xlinker into its command as it stands, which a shell reads.
static std::string inQuotes(const std::string &word) { return llvm::StringRef(word).contains(' ') ? "\"" + word + "\"" : word; }

std::vector<std::string> runtimeOptions(const CompileCommand &command, llvm::StringRef compiler, const Installation &installation,
                                        llvm::ArrayRef<std::string> linkerOptions) {
  std::vector<std::string> words;
  const bool isNvcc = command.dialect == Dialect::Nvcc;
  // with `-x cu`, GNU drivers would take the library for source; hipcc says `-x hip` to Clang by itself
  const bool isTold = llvm::any_of(command.arguments, [](const Argument &a) { return a.text.starts_with("-x"); });
  if (command.dialect == Dialect::Hipcc || (!isNvcc && isTold))
    words.insert(words.end(), {"-x", "none"});
  // with `-x cu`, nvcc does so too, and knows no `-x none`
  if (isNvcc)
    words.insert(words.end(), {"-Xlinker", inQuotes(installation.staticRuntime)});
  else
    words.push_back(installation.staticRuntime);
  for (const std::string &option : linkerOptions)
    words.insert(words.end(), {"-Xlinker", isNvcc ? inQuotes(option) : option});
  const llvm::StringRef name = llvm::sys::path::filename(compiler);
  if (!isNvcc && !name.contains("++") && !name.contains("hipcc"))
    words.push_back("-lstdc++");
  for (const char *library : {"-lpthread", "-ldl"}) {
    if (isNvcc) // whose device linker would look into them too, and before CUDA 13 complain of what it finds
      words.push_back("-Xlinker");
    words.push_back(library);
  }
  return words;
}

std::string workKey(const Options &options) {
  llvm::SmallString<256> key;
  llvm::sys::fs::current_path(key);
  for (const std::vector<std::string> *words :
       {&options.probes, &options.selection.automatic, &options.selection.aggregate, &options.profile.files, &options.arguments})
    for (const std::string &word : *words)
      key += '\0' + word;
  key += '\0' + options.selection.file + '\0' + options.selection.guard + '\0' + (options.selection.extremes ? "extremes" : "") +
         (options.selection.histogram ? "histogram" : "") + '\0' + options.selection.sample.value_or("-") + '\0' + options.launchSample +
         options.accessSample + (options.exact ? "exact" : "") + (options.plain.areMade ? "" : "no-compare") + '\0' +
         options.profile.budget + '\0' + std::to_string(options.plain.assemblySeconds);
  return (key + llvm::Twine('\0') + options.compiler + llvm::Twine('\0') + options.replaced).str();
}

llvm::Expected<ProcessEnd> runCommand(const Options &options, llvm::ArrayRef<std::string> command, const SourceCopies &copies) {
  if (options.verbose)
    sayNote(shellText(command));
  if (copies.empty())
    return runProgram(command.front(), command);
  std::vector<CopiedFile> files;
  for (const auto &[index, copy] : copies)
    llvm::append_range(files, copy.files());
  // nvcc's host compiler is GCC
  const bool isClang = llvm::any_of(command, [](llvm::StringRef word) {
    const llvm::StringRef name = llvm::sys::path::filename(word);
    return name.starts_with("clang") || name.starts_with("hipcc");
  });
  const auto messages = std::make_shared<CompilerMessages>(std::move(files), isClang);
  return runProgram(command.front(), command, /*isQuiet=*/false,
                    [messages](std::optional<std::string_view> line) { return messages->change(line); });
}

llvm::Error mapDependencyFilesOf(const Options &options, const CompileCommand &command, const SourceCopies &copies) {
  if (!command.dependencies.wanted)
    return llvm::Error::success();
  const std::string &selection = options.selection.file;
  for (std::size_t i = 0; i < command.inputs.size(); ++i) {
    auto copy = copies.find(i);
    // what a selection does not choose today, it may tomorrow
    if (copy == copies.end() && (selection.empty() || !options.instrument || !command.inputs[i].isDevice()))
      continue;
    auto original = [&](llvm::StringRef path) -> std::optional<std::string> {
      if (isHostPrelude(path))
        return std::nullopt;
      return copy == copies.end() ? path.str() : copy->second.originalOf(path);
    };
    if (auto error = mapDependencyFile(dependencyFileOf(command, command.inputs[i]), original, selection))
      return error;
  }
  return llvm::Error::success();
}

std::vector<std::string> includeOptions(const Installation &installation) {
  // named with -isystem, a compiler's own folder would move in its search order
  if (installation.include == "/usr/include" || installation.include == "/usr/local/include")
    return {};
  return {"-isystem", installation.include};
}

} // namespace kperf::cc
