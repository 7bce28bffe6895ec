// Puts probes into the source of a program that NVRTC compiles, when kperf run asks for it while that program runs.
#include "tool/cc/Build.h"
#include "tool/cc/Messages.h"
#include "tool/process/WriteText.h"

#include "posix/AtomicFile.h"
#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstring>

namespace kperf::cc {
namespace {

/// An option of kperf run's, for headers that the program has in memory and NVRTC too (runtime/preload/Rewriting.cpp).
constexpr llvm::StringLiteral kHeadersBeside = "--include-path=./";

/// NVRTC's options with what the probes need: C++17, the place of their headers, and how many accesses they count.
std::vector<std::string> nvrtcOptions(const CompileCommand &command, const Options &options, const Installation &installation) {
  std::vector<std::string> words;
  for (const Argument &argument : command.arguments)
    if (argument.role != ArgumentRole::Input && argument.role != ArgumentRole::Output && argument.text != "-o" &&
        argument.text != kHeadersBeside)
      words.push_back(argument.text);
  if (!namesStandard(words))
    words.push_back("-std=c++17");
  words = withProbeStandard(std::move(words));
  words.push_back("-I" + installation.include);
  if (const unsigned accesses = accessesSampled(options); accesses > 1)
    words.push_back(kAccessesSampled.str() + std::to_string(accesses));
  return words;
}

/// Whether functions that do not say so are device code.
bool isDeviceByDefault(const CompileCommand &command) {
  return llvm::any_of(command.arguments, [](const Argument &argument) {
    const llvm::StringRef name = llvm::StringRef(argument.text).ltrim('-');
    return name == "default-device" || name == "device-as-default-execution-space";
  });
}

} // namespace

llvm::Expected<ProcessEnd> rewriteForNvrtc(const Options &given, const Installation &installation) {
  Options options = given;
  options.machineCode = false; // which nvcc would make
  auto command = translateCommand(Dialect::Nvcc, options.arguments, TranslateContext{});
  if (!command)
    return command.takeError();
  if (command->output.empty() || command->inputs.size() != 1 || !command->inputs.front().isDevice())
    return llvm::createStringError("'kperf-cc nvrtc' takes one source, and -o with the file that it is written to");
  if (auto error = checkFiles(*command))
    return error;
  const std::string &name = command->inputs.front().path;
  if (command->relocatable) {
    sayWarning("'" + name +
               "' is compiled as it is, without probes: it is to be linked with others (-rdc, -dlto), each of which would bring "
               "tables of one name");
    return ProcessEnd{};
  }
  command->mode = CompileMode::Cubin;
  command->clangArguments.insert(command->clangArguments.end(), {"-include", installation.include + "/kperf/clang/nvrtc.h"});
  if (isDeviceByDefault(*command))
    command->clangArguments.push_back("-DKPERF_DEVICE_BY_DEFAULT");
  llvm::SmallString<256> folder(command->output);
  llvm::sys::fs::make_absolute(folder);
  llvm::sys::path::remove_filename(folder);
  auto sources = instrument({options, installation, *command, /*compiler=*/"", folder.str().str()});
  if (!sources)
    return sources.takeError();
  llvm::errs() << sources->warnings; // NVRTC comes after this, and says its own
  if (sources->copies.empty())
    return ProcessEnd{};
  std::string text;
  for (const std::string &word : nvrtcOptions(*command, options, installation))
    text += word + '\n';
  if (auto error = process::writeText((folder + "/options").str(), text))
    return error;
  if (const auto copied = posix::copyFile(sources->copies.begin()->second.path(), command->output); !copied)
    return llvm::createStringError("cannot write '%s': %s", command->output.c_str(), std::strerror(copied.error()));
  return ProcessEnd{};
}

} // namespace kperf::cc
