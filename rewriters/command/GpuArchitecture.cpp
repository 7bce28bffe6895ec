// Translates architecture names and asks the toolkit which GPUs this machine has.
#include "rewriters/command/GpuArchitecture.h"

#include "rewriters/command/CommandLine.h"
#include "rewriters/command/Rocm.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <set>

namespace kperf {

llvm::ArrayRef<llvm::StringRef> allNvidiaArchitectures() {
  static constexpr llvm::StringRef names[] = {"sm_75", "sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89",
                                              "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"};
  return names;
}

llvm::ArrayRef<llvm::StringRef> majorNvidiaArchitectures() {
  static constexpr llvm::StringRef names[] = {"sm_75", "sm_80", "sm_90", "sm_100", "sm_110", "sm_120"};
  return names;
}

std::string clangArchitecture(llvm::StringRef name) {
  llvm::StringRef number = name;
  if (!number.consume_front("compute_") && !number.consume_front("lto_") && !number.consume_front("sm_"))
    return name.str();
  if (number.ends_with("f"))
    return ("sm_" + number.drop_back() + "a").str();
  return ("sm_" + number).str();
}

std::string architectureList(llvm::ArrayRef<std::string> architectures) {
  std::set<unsigned> numbers;
  for (llvm::StringRef name : architectures) {
    unsigned number = 0;
    if (name.consume_front("sm_") && !name.take_while(llvm::isDigit).getAsInteger(10, number))
      numbers.insert(number * 10);
  }
  std::string list;
  for (unsigned number : numbers)
    list += (list.empty() ? "" : ",") + std::to_string(number);
  return list;
}

std::string primaryArchitecture(llvm::ArrayRef<std::string> architectures) {
  auto rank = [](llvm::StringRef name) {
    unsigned number = 0;
    if (name.consume_front("sm_"))
      name.take_while(llvm::isDigit).getAsInteger(10, number);
    return std::pair(number, name.ends_with("a"));
  };
  auto newest = std::max_element(architectures.begin(), architectures.end(),
                                 [&](const auto &left, const auto &right) { return rank(left) < rank(right); });
  return newest == architectures.end() ? std::string() : *newest;
}

/// The words that a program prints, separated by space or commas; none where it is not there or fails. Not by tool/process/Spawn.h, which
/// stands above this library: one of a driver that hangs is ended.
static std::vector<std::string> wordsOf(llvm::StringRef program) {
  llvm::SmallString<128> output;
  if (!llvm::sys::fs::can_execute(program) || llvm::sys::fs::createTemporaryFile("kperf-devices", "txt", output))
    return {};
  llvm::FileRemover remover(output);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), output.str(), llvm::StringRef("")};
  if (llvm::sys::ExecuteAndWait(program, {program}, std::nullopt, redirects, /*SecondsToWait=*/10) != 0)
    return {};
  std::vector<std::string> words;
  if (auto text = llvm::MemoryBuffer::getFile(output))
    for (llvm::StringRef rest = (*text)->getBuffer(); !rest.empty();) {
      rest = rest.ltrim(" ,\t\r\n");
      llvm::StringRef word = rest.take_until([](char letter) { return letter == ',' || llvm::isSpace(letter); });
      rest = rest.drop_front(word.size());
      if (!word.empty() && llvm::all_of(word, llvm::isAlnum))
        words.push_back(word.str());
    }
  return words;
}

/// The compute capabilities that __nvcc_device_query prints beside nvcc ("90" or "80,90"), empty when there is no GPU.
static std::vector<std::string> nvidiaDevices(llvm::StringRef compiler) {
  llvm::SmallString<256> query(llvm::sys::path::parent_path(compiler));
  llvm::sys::path::append(query, "__nvcc_device_query");
  std::vector<std::string> names = wordsOf(query);
  for (std::string &name : names)
    name.insert(0, "sm_");
  return names;
}

/// What LLVM's or ROCm's program for that says, beside the compiler or on PATH: "gfx90a", a line for each GPU.
static std::vector<std::string> amdDevices(llvm::StringRef compiler) {
  for (llvm::StringRef program : {"amdgpu-arch", "rocm_agent_enumerator"}) {
    auto found = llvm::sys::findProgramByName(program, {llvm::sys::path::parent_path(compiler)});
    if (!found)
      found = llvm::sys::findProgramByName(program);
    std::vector<std::string> names = found ? wordsOf(*found) : std::vector<std::string>();
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

} // namespace kperf
