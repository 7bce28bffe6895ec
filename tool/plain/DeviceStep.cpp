// Runs cicc on both texts and merges their PTX and stubs.
#include "tool/plain/DeviceStep.h"

#include "tool/plain/Assembly.h"
#include "tool/plain/KernelNames.h"
#include "tool/plain/PtxMerge.h"
#include "tool/plain/Step.h"
#include "tool/plain/StubEntries.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <thread>
#include <vector>

namespace kperf::plain {
namespace {

/// One run of the device compiler.
class DeviceCompilation {
public:
  DeviceCompilation(const Plan &plan, Words compilation) : words(std::move(compilation)) {
    words.front() = plan.cicc;
    const std::string *source = valueIn(words, "--orig_src_file_name");
    const std::string *architecture = valueIn(words, "-arch");
    if (!source || !architecture)
      return;
    for (const llvm::json::Object &each : plan.texts)
      if (stringIn(each, "source") == llvm::sys::path::filename(*source) && stringIn(each, "architecture") == *architecture) {
        text = &each;
        stem = plan.folder + "/" + stringIn(each, "source") + "." + *architecture;
      }
  }

  int run() {
    if (!text)
      return runStep(words);
    std::thread beside([this] { isCompiled = compilePlain(); });
    const int code = runStep(words);
    beside.join();
    if (code == 0)
      if (const std::string why = isCompiled ? merge() : "the source without probes does not compile"; !why.empty())
        writeFile(stem + ".note", "'" + stringIn(*text, "source") + "' has no copies of its kernels without probes for " +
                                      stringIn(*text, "architecture") + ": " + why + "\n");
    return code;
  }

private:
  bool compilePlain() {
    const std::string result = stem + ".ptx";
    if (llvm::sys::fs::exists(result)) // of a run before, or PlainCopies::offer()'s
      return true;
    Words preprocess;
    if (const llvm::json::Array *command = text->getArray("command"))
      for (const llvm::json::Value &word : *command)
        preprocess.push_back(word.getAsString().value_or("").str());
    const std::string preprocessed = stem + ".ii";
    std::string *output = valueIn(preprocess, "-o");
    if (!output)
      return false;
    *output = preprocessed;
    if (auto program = llvm::sys::findProgramByName(preprocess.front()))
      preprocess.front() = *program;
    Words compile = words;
    for (const char *option : {"--gen_c_file_name", "--stub_file_name", "--gen_device_file_name", "-o"})
      if (std::string *file = valueIn(compile, option))
        *file = stem + "." + llvm::StringRef(option).ltrim('-').str();
    const auto source = llvm::find_if(compile, [](llvm::StringRef word) { return word.ends_with(".ii"); });
    if (source == compile.end())
      return false;
    *source = preprocessed;
    return runStep(preprocess, true) == 0 && runStep(compile, true) == 0 && !llvm::sys::fs::rename(stem + ".o", result);
  }

  /// Empty, or why there is no copy.
  std::string merge() {
    const std::string *output = valueIn(words, "-o"), *stubFile = valueIn(words, "--stub_file_name");
    if (!output || !stubFile)
      return "nvcc's steps are not those that are known";
    auto probed = textOf(*output);
    const auto plain = textOf(stem + ".ptx"), stub = textOf(*stubFile);
    if (!probed || !plain || !stub || !llvm::StringRef(*probed).contains(".version"))
      return "the device compiler writes no PTX";
    if (!llvm::StringRef(*probed).contains("kperf_config")) // a source without probes, beside others
      return {};
    probed = withDistinctNames(*probed, *plain);
    auto merged = withPlainKernels(*probed, *plain);
    if (!merged)
      return llvm::toString(merged.takeError());
    if (merged->kernels.empty())
      return {};
    const bool isWritten = writeFile(*output + ".probed", *probed) && writeFile(*output + ".stub", *stubFile) &&
                           writeFile(*output, merged->text) && writeFile(*stubFile, withPlainEntries(*stub, merged->kernels));
    return isWritten ? "" : "they can't be written";
  }

  Words words;
  const llvm::json::Object *text = nullptr;
  std::string stem; ///< of the files for the source without probes
  bool isCompiled = false;
};

} // namespace

bool isDeviceStep(llvm::StringRef programName) {
  const llvm::StringRef name = llvm::sys::path::filename(programName);
  return (name == "cicc" || name == "ptxas") && std::getenv("KPERF_PLAIN");
}

int runDeviceStep(llvm::ArrayRef<std::string> arguments) {
  const auto plan = readPlan();
  if (!plan) {
    llvm::errs() << "kperf-cc: the plan of nvcc's steps can't be read; --no-compare does without\n";
    return 2;
  }
  const bool isCompiler = llvm::sys::path::filename(arguments.front()) == "cicc";
  return isCompiler ? DeviceCompilation(*plan, arguments.vec()).run() : runAssembly(*plan, arguments.vec());
}

} // namespace kperf::plain
