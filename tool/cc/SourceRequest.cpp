// Makes a rewrite request from a command, and the text that an instrumented source begins with.
#include "tool/cc/SourceRequest.h"

#include "tool/process/Spawn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

namespace kperf::cc {
namespace {

Target targetOf(const CompileCommand &command, const Input &input) {
  if (command.dialect == Dialect::Host)
    return Target::Host;
  return input.language == Language::Hip && !isHipOnNvidia(command, input) ? Target::Hip : Target::Cuda;
}

/// The folder with include/cuda.h that an nvcc which lies elsewhere compiles with, by what it would run: a script, or a relocated one.
std::string toolkitAskedFor(llvm::StringRef compiler) {
  using Stream = process::SpawnOptions::Stream;
  const auto end = process::spawn(compiler.str(), {compiler.str(), "--dryrun", "-E", "-x", "cu", "/dev/null"},
                                  {.input = Stream::Nowhere, .output = Stream::Captured, .error = Stream::WithOutput});
  if (!end || !end->ok())
    return {};
  std::vector<std::string> folders;
  for (llvm::StringRef line : llvm::split(end->output, '\n'))
    if (line.trim().consume_front("#$ INCLUDES="))
      for (llvm::StringRef word : llvm::split(line.split('=').second, ' '))
        if (word = word.trim("\"\r"); word.consume_front("-I"))
          folders.push_back(llvm::sys::path::parent_path(word.rtrim('/')).str());
  folders.push_back("/usr"); // where every compiler looks
  for (const std::string &folder : folders)
    if (llvm::SmallString<256> include;
        !llvm::sys::fs::real_path(folder + "/include", include) && llvm::sys::fs::exists(include + "/cuda.h"))
      return llvm::sys::path::parent_path(include).str();
  return {};
}

/// The toolkit that a compiler belongs to: TOOLKIT/bin/nvcc; empty when it does not lie in one.
std::string toolkitOf(const CompileCommand &command, llvm::StringRef compiler) {
  if (!command.toolkit.empty() || command.dialect != Dialect::Nvcc)
    return command.toolkit;
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(compiler, real))
    return {};
  llvm::StringRef toolkit = llvm::sys::path::parent_path(llvm::sys::path::parent_path(real));
  llvm::SmallString<256> header(toolkit);
  llvm::sys::path::append(header, "include", "cuda.h");
  // In Debian's layout too there is an include/cuda.h beside it, which another nvcc's script may have nothing to do with.
  const bool isWhole = llvm::sys::fs::exists(header) && llvm::sys::fs::is_directory(toolkit + "/nvvm");
  return isWhole ? toolkit.str() : toolkitAskedFor(compiler);
}

} // namespace

bool isHipOnNvidia(const CompileCommand &command, const Input &input) {
  const char *platform = std::getenv("HIP_PLATFORM");
  const bool isWanted = platform && llvm::StringRef(platform) == "nvidia";
  if (command.dialect == Dialect::Nvcc)
    return input.language == Language::Hip || (isWanted && input.language == Language::Cuda);
  return isWanted && input.language == Language::Hip;
}

RewriteRequest requestFor(const CompileCommand &command, const Input &input, llvm::StringRef compiler) {
  RewriteRequest request;
  request.overlay.isOwn = true;
  request.input = input.path;
  request.clangArguments = command.clangArguments;
  request.target = targetOf(command, input);
  request.isHip = input.language == Language::Hip || isHipOnNvidia(command, input);
  if (request.target != Target::Host)
    request.architecture = primaryArchitecture(command.architectures);
  request.toolkit = toolkitOf(command, compiler);
  // Sources of one command of the vendor's compiler share what it includes; the host target has a command for each.
  request.overlay.moveForcedIncludes =
      command.dialect == Dialect::Host || llvm::count_if(command.inputs, [](const Input &each) { return each.isSource(); }) == 1;
  return request;
}

std::string behindPrologue(llvm::StringRef prologue, llvm::StringRef text) {
  if (!prologue.empty())
    text.consume_front("\xef\xbb\xbf");
  return (prologue + text).str();
}

std::string prologueForNvrtc(llvm::ArrayRef<std::string> macros) {
  return "#define KPERF_INSTRUMENTED 1\n" + withoutMacros("#include <kperf/probe_nvrtc.h>\n", macros);
}

std::string prologueFor(const Installation &installation, llvm::ArrayRef<std::string> macros) {
  std::string library;
  for (char c : installation.sharedRuntime)
    library += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return "#define KPERF_INSTRUMENTED 1\n"
         "#define KPERF_RUNTIME_LIBRARY \"" +
         library + "\"\n" + withoutMacros("#include <kperf/probe.h>\n", macros);
}

} // namespace kperf::cc
