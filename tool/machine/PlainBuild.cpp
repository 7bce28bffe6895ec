// Derives from the user's command one that makes a cubin of the plain source.
#include "tool/machine/PlainBuild.h"

#include "posix/Child.h"
#include "tool/machine/Cubin.h"
#include "tool/process/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <sys/wait.h>
#include <utility>

using llvm::StringRef;

namespace kperf::machine {
namespace {

/// "-arch=sm_90" and "--arch=sm_90" → "arch".
StringRef nameOf(StringRef argument) { return argument.starts_with("-") ? argument.ltrim('-').split('=').first : StringRef(); }

bool isArchitecture(StringRef name) {
  static constexpr llvm::StringLiteral names[] = {"arch", "gpu-architecture", "code", "gpu-code", "gencode", "generate-code"};
  return llvm::is_contained(names, name);
}

/// Options that say what is made and what else is written; their values go with them.
bool isReplaced(StringRef name) {
  // clang-format off
  static constexpr llvm::StringLiteral names[] = {
      "c", "compile", "dc", "device-c", "dw", "device-w", "cubin", "fatbin", "ptx", "link", "run", "lib", "dlink", "device-link",
      "o", "output-file", "odir", "output-directory",
      "MD", "MMD", "MF", "MP", "MT", "MQ", "generate-dependencies-with-compile", "generate-nonsystem-dependencies-with-compile",
      "dependency-output", "generate-dependency-targets", "keep", "k", "keep-dir", "save-temps", "lineinfo", "generate-line-info",
      "l", "library", "L", "library-path", "shared", "Xlinker", "linker-options", "t", "threads", "split-compile", "rdc",
      "relocatable-device-code", "v", "verbose", "time", "res-usage", "resource-usage", "run-args"};
  // clang-format on
  return llvm::is_contained(names, name) ||
         (name.starts_with("l") && !name.starts_with("lineinfo") && name != "ldir" && name != "libdevice-directory") ||
         (name.starts_with("L") && name != "L");
}

bool isOfUnknownCode(StringRef argument) {
  const StringRef name = nameOf(argument);
  return name == "G" || name == "device-debug" || name == "dlto" || name == "ltoir" || name == "optix-ir" || argument.contains("lto_");
}

std::string folderOf(const Input &input, StringRef workFolder) { return (workFolder + "/plain" + std::to_string(input.argument)).str(); }
std::string cubinIn(StringRef folder) { return (folder + "/plain.cubin").str(); }
std::string ptxIn(StringRef folder, const Input &input) { return (folder + "/" + llvm::sys::path::stem(input.path) + ".ptx").str(); }

} // namespace

std::vector<std::string> optionsOf(const CompileCommand &command, llvm::ArrayRef<std::string> words, bool keepsArchitectures) {
  std::vector<std::string> options;
  bool isDropped = false; // the option that a value belongs to
  for (const auto &[argument, word] : llvm::zip(command.arguments, words)) {
    if (argument.role == ArgumentRole::Input || argument.role == ArgumentRole::Output)
      continue;
    if (const StringRef name = nameOf(argument.text); argument.role == ArgumentRole::Option)
      isDropped = isReplaced(name) || (isArchitecture(name) && !keepsArchitectures);
    if (!isDropped)
      options.push_back(word);
  }
  return options;
}

std::vector<std::string> cubinArguments(const CompileCommand &command, const Input &input, StringRef folder) {
  const std::string architecture = primaryArchitecture(command.architectures);
  const bool isMadeOfCode = llvm::none_of(command.arguments, [](const Argument &each) { return isOfUnknownCode(each.text); });
  if (command.dialect != Dialect::Nvcc || !StringRef(architecture).starts_with("sm_") || !isMadeOfCode || input.isStandardInput() ||
      input.language != Language::Cuda)
    return {};
  std::vector<std::string> words;
  for (const Argument &argument : command.arguments)
    words.push_back(argument.text);
  words = optionsOf(command, words, /*keepsArchitectures=*/false);
  const std::string number = StringRef(architecture).drop_front(3).str();
  words.insert(words.end(), {"-gencode=arch=compute_" + number + ",code=sm_" + number, "-lineinfo", "-w", "-cubin", "-keep", "-keep-dir",
                             folder.str(), input.path, "-o", cubinIn(folder)});
  if (command.relocatable)
    words.push_back("-rdc=true");
  return words;
}

std::string plainPtx(const Input &input, StringRef workFolder) {
  const std::string folder = folderOf(input, workFolder);
  if (!llvm::sys::fs::exists(cubinIn(folder))) // which is made of the whole PTX
    return {};
  auto text = llvm::MemoryBuffer::getFile(ptxIn(folder, input));
  return text ? (*text)->getBuffer().str() : std::string();
}

PlainBuild::PlainBuild(const CompileCommand &command, const Input &input, StringRef compiler, StringRef workFolder, bool isShown)
    : architecture(primaryArchitecture(command.architectures)), folder(folderOf(input, workFolder)), ptx(ptxIn(folder, input)) {
  std::vector<std::string> words = cubinArguments(command, input, folder);
  if (words.empty()) {
    reason = "the command makes no machine code that can be read";
    return;
  }
  if (const std::error_code error = llvm::sys::fs::create_directories(folder)) {
    reason = error.message();
    return;
  }
  words.insert(words.begin(), compiler.str());
  if (isShown)
    llvm::errs() << "kperf-cc: " << cc::shellText(words) << '\n';
  const auto started =
      posix::startChild(words.front(), words, {.input = posix::kNoStream, .output = posix::kNoStream, .error = posix::kNoStream});
  if (started)
    child = *started;
  else
    reason = std::strerror(started.error());
}

PlainBuild::~PlainBuild() {
  if (!child)
    return;
  ::kill(*child, SIGTERM);
  posix::waitForChild(*child);
}

MachineCode PlainBuild::wait() {
  if (!child)
    return {};
  const int status = posix::waitForChild(*std::exchange(child, std::nullopt));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    reason = "the compiler made no cubin of the source without probes";
    return {};
  }
  auto image = llvm::MemoryBuffer::getFile(cubinIn(folder), false, false), text = llvm::MemoryBuffer::getFile(ptx, true, false);
  if (!image || !text) {
    reason = "the compiler kept no PTX or no cubin of the source without probes";
    return {};
  }
  auto code = readCubin((*image)->getBuffer(), (*text)->getBuffer());
  if (!code) {
    reason = llvm::toString(code.takeError());
    return {};
  }
  code->architecture = architecture;
  return std::move(*code);
}

} // namespace kperf::machine
