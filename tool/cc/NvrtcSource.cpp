// The source of a program that NVRTC compiles, with probes: kperf run asks for it while that program runs.
#include "tool/cc/Build.h"
#include "tool/cc/Messages.h"

#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace kperf::cc {
namespace {

/// An option of kperf run's, for headers that the program has in memory and NVRTC too (runtime/preload/Rewriting.cpp).
constexpr llvm::StringLiteral kHeadersBeside = "--include-path=./";

/// NVRTC's options with what the probes need: C++17, and the place of their headers.
std::vector<std::string> nvrtcOptions(const CompileCommand &command, const Installation &installation) {
  std::vector<std::string> words;
  for (const Argument &argument : command.arguments)
    if (argument.role != ArgumentRole::Input && argument.role != ArgumentRole::Output && argument.text != "-o" &&
        argument.text != kHeadersBeside)
      words.push_back(argument.text);
  if (!namesStandard(words))
    words.push_back("-std=c++17");
  words = withProbeStandard(std::move(words));
  words.push_back("-I" + installation.include);
  return words;
}

/// Why a program that is compiled so gets no probes; empty where it does.
std::string whyNot(const CompileCommand &command) {
  if (command.relocatable)
    return "it is compiled to be linked with others (-rdc, -dlto), each of which would bring tables of one name";
  for (const Argument &argument : command.arguments)
    if (llvm::StringRef(argument.text).ltrim('-').starts_with("default-device") || argument.text == "--device-as-default-execution-space")
      return "its functions are device code without saying so (-default-device), which clang does not read like that";
  return {};
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
  if (const std::string why = whyNot(*command); !why.empty()) {
    sayWarning("'" + name + "' is compiled as it is, without probes: " + why);
    return ProcessEnd{};
  }
  command->mode = CompileMode::Cubin;
  command->clangArguments.insert(command->clangArguments.end(), {"-include", installation.include + "/kperf/clang/nvrtc.h"});
  const std::string folder = llvm::sys::path::parent_path(command->output).str();
  auto copies = instrument({options, installation, *command, /*compiler=*/"", folder});
  if (!copies)
    return copies.takeError();
  if (copies->empty())
    return ProcessEnd{};
  std::string text;
  for (const std::string &word : nvrtcOptions(*command, installation))
    text += word + '\n';
  if (auto error = writeText(folder + "/options", text))
    return error;
  if (const std::error_code error = llvm::sys::fs::copy_file(copies->begin()->second.path(), command->output))
    return llvm::createStringError(error, "cannot write '%s': %s", command->output.c_str(), error.message().c_str());
  return ProcessEnd{};
}

} // namespace kperf::cc
