// From a command to a request, and the text that an instrumented source begins with.
#include "tool/cc/SourceRequest.h"

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
  return llvm::sys::fs::exists(header) ? toolkit.str() : std::string();
}

/// Macros of a command that may be names in kperf's headers: kperf's own macros and those that a vendor's headers ask for are in capitals.
std::vector<std::string> macrosAmongNames(llvm::ArrayRef<std::string> clangArguments) {
  std::vector<std::string> macros = definedMacros(clangArguments);
  llvm::erase_if(macros, [](llvm::StringRef name) { return llvm::none_of(name, llvm::isLower) || name.starts_with("_"); });
  return macros;
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
  request.input = input.path;
  request.clangArguments = command.clangArguments;
  request.target = targetOf(command, input);
  request.isHip = input.language == Language::Hip || isHipOnNvidia(command, input);
  if (request.target != Target::Host)
    request.architecture = primaryArchitecture(command.architectures);
  request.toolkit = toolkitOf(command, compiler);
  // Sources of one command of the vendor's compiler share what it includes; the host target has a command for each.
  request.movesForcedIncludes = command.dialect == Dialect::Host ||
                                llvm::count_if(command.inputs, [](const Input &each) { return each.isSource(); }) == 1;
  return request;
}

std::string behindPrologue(llvm::StringRef prologue, llvm::StringRef text) {
  if (!prologue.empty())
    text.consume_front("\xef\xbb\xbf");
  return (prologue + text).str();
}

std::string prologueForNvrtc(llvm::ArrayRef<std::string> clangArguments) {
  return "#define KPERF_INSTRUMENTED 1\n" + withoutMacros("#include <kperf/probe_nvrtc.h>\n", macrosAmongNames(clangArguments));
}

std::string prologueFor(const Installation &installation, llvm::ArrayRef<std::string> clangArguments) {
  std::string library;
  for (char c : installation.sharedRuntime)
    library += (c == '"' || c == '\\') ? std::string("\\") + c : std::string(1, c);
  return "#define KPERF_INSTRUMENTED 1\n"
         "#define KPERF_RUNTIME_LIBRARY \"" +
         library + "\"\n" + withoutMacros("#include <kperf/probe.h>\n", macrosAmongNames(clangArguments));
}

} // namespace kperf::cc
