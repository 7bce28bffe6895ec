// Derives from the user's command one that makes a cubin of the plain source.
#include "tool/machine/PlainBuild.h"

#include "posix/Child.h"
#include "tool/machine/Cubin.h"
#include "tool/process/Process.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
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

/// "-arch=lto_90", "arch=compute_90,code=[lto_90,sm_90]".
bool namesIntermediateCode(StringRef argument) {
  static constexpr llvm::StringLiteral before[] = {"=", ",", "["};
  return argument.starts_with("lto_") || llvm::any_of(before, [&](StringRef sign) { return argument.contains((sign + "lto_").str()); });
}

/// Debug code, and what the link compiles.
bool isOfUnknownCode(const Argument &argument) {
  static constexpr llvm::StringLiteral names[] = {"G", "device-debug", "dlto", "dlink-time-opt", "lto", "ltoir", "optix-ir"};
  if (argument.role == ArgumentRole::Option && llvm::is_contained(names, nameOf(argument.text)))
    return true;
  return (argument.role == ArgumentRole::Option || argument.role == ArgumentRole::Value) && namesIntermediateCode(argument.text);
}

/// Why nvcc makes no cubin of the input that says what the command's own code executes; empty where it does.
std::string obstacleTo(const CompileCommand &command, const Input &input) {
  for (const Argument &argument : command.arguments)
    if (isOfUnknownCode(argument))
      return "with '" + argument.text + "' the command makes no optimised machine code";
  if (input.isStandardInput())
    return "the source is read from standard input";
  if (input.language != Language::Cuda)
    return "the source is not CUDA";
  if (!StringRef(primaryArchitecture(command.architectures)).starts_with("sm_"))
    return "the command names no architecture, such as sm_90";
  return {};
}

std::string folderOf(const Input &input, StringRef workFolder) { return (workFolder + "/plain" + std::to_string(input.argument)).str(); }
std::string cubinIn(StringRef folder) { return (folder + "/plain.cubin").str(); }
std::string ptxIn(StringRef folder, const Input &input) { return (folder + "/" + llvm::sys::path::stem(input.path) + ".ptx").str(); }
std::string outputIn(StringRef folder) { return (folder + "/output").str(); }

bool holdsCode(StringRef ptx) { return ptx.contains(".entry ") || ptx.contains(".func "); }

/// Of what the compiler said: the first line that has an error; empty without one.
std::string firstErrorIn(StringRef folder) {
  auto text = llvm::MemoryBuffer::getFile(outputIn(folder));
  if (!text)
    return {};
  for (const StringRef line : llvm::split((*text)->getBuffer(), '\n'))
    if (line.contains("error") || line.contains("fatal"))
      return line.trim().str();
  return {};
}

} // namespace

std::vector<std::string> optionsOf(const CompileCommand &command, llvm::ArrayRef<std::string> words, bool keepsArchitectures) {
  std::vector<std::string> options;
  bool isDropped = false; // the option that a value belongs to
  for (const auto &[argument, word] : llvm::zip(command.arguments, words)) {
    if (argument.role == ArgumentRole::Input || argument.role == ArgumentRole::Output)
      continue;
    if (const StringRef name = nameOf(argument.text); !argument.isSeparateValue)
      isDropped = isReplaced(name) || (isArchitecture(name) && !keepsArchitectures);
    if (!isDropped)
      options.push_back(word);
  }
  return options;
}

std::string plainPtx(const Input &input, StringRef workFolder) {
  const std::string folder = folderOf(input, workFolder);
  if (!llvm::sys::fs::exists(cubinIn(folder))) // which is made of the whole PTX
    return {};
  auto text = llvm::MemoryBuffer::getFile(ptxIn(folder, input));
  return text ? (*text)->getBuffer().str() : std::string();
}

namespace {

/// The arguments, without the compiler itself, by which nvcc makes a cubin of one input of a command, for the architecture by which the
/// source is read, with line numbers. What it makes, with its PTX, goes to `folder`.
std::vector<std::string> cubinArguments(const CompileCommand &command, const Input &input, llvm::ArrayRef<std::string> further,
                                        StringRef folder) {
  const std::string architecture = primaryArchitecture(command.architectures);
  std::vector<std::string> words;
  for (const Argument &argument : command.arguments)
    words.push_back(argument.text);
  words = optionsOf(command, words, /*keepsArchitectures=*/false);
  llvm::append_range(words, further);
  const std::string number = StringRef(architecture).drop_front(3).str();
  words.insert(words.end(), {"-gencode=arch=compute_" + number + ",code=sm_" + number, "-lineinfo", "-w", "-cubin", "-keep", "-keep-dir",
                             folder.str(), input.path, "-o", cubinIn(folder)});
  if (command.relocatable)
    words.push_back("-rdc=true");
  return words;
}

} // namespace

PlainBuild::PlainBuild(const CompileCommand &command, const Input &input, StringRef compiler, llvm::ArrayRef<std::string> further,
                       StringRef workFolder, bool isShown)
    : architecture(primaryArchitecture(command.architectures)), folder(folderOf(input, workFolder)), ptx(ptxIn(folder, input)),
      reason(obstacleTo(command, input)) {
  if (!reason.empty())
    return;
  if (const std::error_code error = llvm::sys::fs::create_directories(folder)) {
    reason = "cannot make folder '" + folder + "': " + error.message();
    return;
  }
  std::vector<std::string> words = cubinArguments(command, input, further, folder);
  words.insert(words.begin(), compiler.str());
  if (isShown)
    llvm::errs() << "kperf-cc: " << cc::shellText(words) << '\n';
  const int said = ::open(outputIn(folder).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const int output = said < 0 ? posix::kNoStream : said;
  const auto started = posix::startChild(words.front(), words, {.input = posix::kNoStream, .output = output, .error = output});
  if (said >= 0)
    ::close(said);
  if (started)
    child = *started;
  else
    reason = words.front() + ": " + std::strerror(started.error());
}

PlainBuild::~PlainBuild() {
  if (!child)
    return;
  ::kill(*child, SIGTERM);
  posix::waitForChild(*child);
}

MachineCode PlainBuild::wait() {
  isAsked = true;
  if (!child)
    return {};
  const int status = posix::waitForChild(*std::exchange(child, std::nullopt));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    const std::string error = firstErrorIn(folder);
    reason = "the compiler makes no cubin of the source without probes" + (error.empty() ? "" : ": " + error);
    return {};
  }
  auto image = llvm::MemoryBuffer::getFile(cubinIn(folder), false, false), text = llvm::MemoryBuffer::getFile(ptx, true, false);
  if (!image || !text) {
    reason = "the compiler kept no PTX or no cubin of the source without probes";
    return {};
  }
  if (!holdsCode((*text)->getBuffer())) // templates of which there is no instance: nothing is counted either
    return {};
  auto code = readCubin((*image)->getBuffer(), (*text)->getBuffer());
  if (!code) {
    reason = llvm::toString(code.takeError());
    return {};
  }
  code->architecture = architecture;
  return std::move(*code);
}

} // namespace kperf::machine
