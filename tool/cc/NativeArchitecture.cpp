// Asks the toolkit which GPUs this machine has.
#include "tool/cc/NativeArchitecture.h"

#include "rewriters/command/GpuArchitecture.h"
#include "rewriters/command/Rocm.h"
#include "tool/process/Spawn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <string>
#include <vector>

namespace kperf::cc {

/// The words that a program prints, separated by space or commas; none where it fails. One that hangs, as its driver does, is ended.
static std::vector<std::string> wordsOf(const std::string &program) {
  using enum process::SpawnOptions::Stream;
  const auto end = process::spawn(program, {program}, {.input = Nowhere, .output = Captured, .error = Nowhere, .outputSeconds = 10});
  if (!end || !end->ok())
    return {};
  std::vector<std::string> words;
  for (llvm::StringRef rest = end->output; !rest.empty();) {
    rest = rest.ltrim(" ,\t\r\n");
    llvm::StringRef word = rest.take_until([](char letter) { return letter == ',' || llvm::isSpace(letter); });
    rest = rest.drop_front(word.size());
    if (!word.empty() && llvm::all_of(word, llvm::isAlnum))
      words.push_back(word.str());
  }
  return words;
}

/// A program of that name in the compiler's folder; empty without one.
static std::string besideCompiler(llvm::StringRef compiler, llvm::StringRef name) {
  llvm::SmallString<256> path(llvm::sys::path::parent_path(compiler));
  llvm::sys::path::append(path, name);
  return path.str().contains('/') ? process::findProgram(path.str().str()) : std::string();
}

/// The compute capabilities that __nvcc_device_query prints beside nvcc ("90" or "80,90"), empty when there is no GPU.
static std::vector<std::string> nvidiaDevices(llvm::StringRef compiler) {
  const std::string query = besideCompiler(compiler, "__nvcc_device_query");
  std::vector<std::string> names = query.empty() ? std::vector<std::string>() : wordsOf(query);
  for (std::string &name : names)
    name.insert(0, "sm_");
  return names;
}

/// What LLVM's or ROCm's program for that says, beside the compiler or on PATH: "gfx90a", a line for each GPU.
static std::vector<std::string> amdDevices(llvm::StringRef compiler) {
  for (const char *program : {"amdgpu-arch", "rocm_agent_enumerator"}) {
    std::string found = besideCompiler(compiler, program);
    if (found.empty())
      found = process::findProgram(program);
    std::vector<std::string> names = found.empty() ? std::vector<std::string>() : wordsOf(found);
    std::erase_if(names, [](llvm::StringRef name) { return !name.starts_with("gfx") || name == "gfx000"; }); // the CPU
    if (!names.empty())
      return names;
  }
  return {};
}

static bool isForAmd(const CompileCommand &command) {
  return command.dialect == Dialect::Hipcc || (command.dialect == Dialect::Clang && llvm::any_of(command.inputs, [](const Input &input) {
                                                 return input.language == Language::Hip;
                                               }));
}

void resolveNativeArchitectures(CompileCommand &command, llvm::StringRef compiler) {
  auto native = std::find(command.architectures.begin(), command.architectures.end(), "native");
  if (native == command.architectures.end())
    return;
  command.architectures.erase(native);
  const bool isAmd = isForAmd(command);
  const llvm::StringRef fallback = isAmd ? kDefaultAmdArchitecture : kDefaultNvidiaArchitecture;
  std::vector<std::string> found = isAmd ? amdDevices(compiler) : nvidiaDevices(compiler);
  if (found.empty()) {
    command.warnings.push_back("no gpu answers for architecture 'native'; the source is read for " + fallback.str() +
                               (isAmd ? ": name the GPU's with --offload-arch" : ""));
    found.push_back(fallback.str());
  }
  for (const std::string &name : found)
    if (!llvm::is_contained(command.architectures, name))
      command.architectures.push_back(name);
  if (command.dialect == Dialect::Nvcc)
    command.clangArguments.push_back("-D__CUDA_ARCH_LIST__=" + architectureList(command.architectures));
}

} // namespace kperf::cc
