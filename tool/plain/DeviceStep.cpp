// Runs cicc on both texts and merges their PTX and stubs; runs ptxas, and falls back where it refuses copies, serialises wgmma or takes too
// long.
#include "tool/plain/DeviceStep.h"

#include "tool/plain/KernelNames.h"
#include "tool/plain/PlainCopies.h"
#include "tool/plain/PtxMerge.h"
#include "tool/plain/PtxasReport.h"
#include "tool/plain/StubEntries.h"
#include "tool/process/Spawn.h"
#include "tool/process/WriteText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

namespace kperf::plain {
namespace {

using Words = std::vector<std::string>;

/// In the mangled names of the functions that count accesses (kperf/cuda/memory/CountSteps.h), and so in what calls them.
constexpr llvm::StringLiteral kCountingFunctions = "5kperf6detail11CalledSteps";

struct Plan {
  std::string folder, cicc, ptxas;
  std::vector<llvm::json::Object> texts;
  OnRefusal onRefusal;
  unsigned assemblySeconds; ///< 0: no limit
};

std::string stringIn(const llvm::json::Object &object, llvm::StringRef key) { return object.getString(key).value_or("").str(); }

std::optional<Plan> readPlan() {
  const char *path = std::getenv("KPERF_PLAIN");
  auto text = llvm::MemoryBuffer::getFile(path ? path : "");
  if (!text)
    return std::nullopt;
  auto value = llvm::json::parse((*text)->getBuffer());
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!object)
    return llvm::consumeError(value.takeError()), std::nullopt;
  const auto onRefusal = static_cast<OnRefusal>(object->getInteger("onRefusal").value_or(0));
  const auto seconds = static_cast<unsigned>(object->getInteger("assemblySeconds").value_or(0));
  Plan plan{stringIn(*object, "folder"), stringIn(*object, "cicc"), stringIn(*object, "ptxas"), {}, onRefusal, seconds};
  if (const llvm::json::Array *texts = object->getArray("texts"))
    for (const llvm::json::Value &each : *texts)
      if (const llvm::json::Object *row = each.getAsObject())
        plan.texts.push_back(*row);
  return plan;
}

using process::SpawnOptions;

/// Its exit code; 1 for one that a signal ended or that can't be started.
int run(const Words &words, bool isQuiet = false) {
  const auto stream = isQuiet ? SpawnOptions::Stream::Nowhere : SpawnOptions::Stream::Ours;
  const auto end = process::spawn(words.front(), words, {.output = stream, .error = stream});
  return end && end->signal == 0 ? end->exitCode : 1;
}

std::optional<std::string> textOf(const std::string &path) {
  auto text = llvm::MemoryBuffer::getFile(path);
  return text ? std::optional((*text)->getBuffer().str()) : std::nullopt;
}

bool write(const std::string &path, llvm::StringRef text) { return !llvm::errorToBool(process::writeText(path, text)); }

/// The word behind an option, or null.
std::string *valueIn(Words &words, llvm::StringRef option) {
  const auto found = llvm::find(words, option);
  return found == words.end() || found + 1 == words.end() ? nullptr : &*(found + 1);
}

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
      return plain::run(words);
    std::thread beside([this] { isCompiled = compilePlain(); });
    const int code = plain::run(words);
    beside.join();
    if (code == 0)
      if (const std::string why = isCompiled ? merge() : "the source without probes does not compile"; !why.empty())
        write(stem + ".note", "'" + stringIn(*text, "source") + "' has no copies of its kernels without probes for " +
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
    return plain::run(preprocess, true) == 0 && plain::run(compile, true) == 0 && !llvm::sys::fs::rename(stem + ".o", result);
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
    const bool isWritten = write(*output + ".probed", *probed) && write(*output + ".stub", *stubFile) && write(*output, merged->text) &&
                           write(*stubFile, withPlainEntries(*stub, merged->kernels));
    return isWritten ? "" : "they can't be written";
  }

  Words words;
  const llvm::json::Object *text = nullptr;
  std::string stem; ///< of the files for the source without probes
  bool isCompiled = false;
};

/// One run of the assembler, on PTX with copies of its kernels or without.
class Assembly {
public:
  Assembly(const Plan &plan, Words command) : plan(plan), words(std::move(command)) {
    words.front() = plan.ptxas;
    const auto file = llvm::find_if(words, [](llvm::StringRef word) { return word.ends_with(".ptx"); });
    ptx = file == words.end() ? "" : *file;
    changesFile = plan.folder + "/" + llvm::sys::path::filename(ptx).str() + ".changes";
  }

  int run() {
    const std::string probed = ptx + ".probed";
    if (ptx.empty() || !llvm::sys::fs::exists(probed))
      return plain::run(words);
    int code = runVerbosely(plan.assemblySeconds);
    if (isStopped) {
      code = buildWithout();
    } else if (code != 0 && !llvm::sys::fs::rename(probed, ptx)) { // the launches find no copy, and run what is there
      code = plain::run(words);
      if (code == 0)
        sayRefused();
      return code;
    } else if (code == 0) {
      code = limitRegisters();
      if (code == 0)
        code = compare();
    }
    llvm::errs() << withoutPlainKernels(output, isVerbose);
    llvm::sys::fs::remove(probed);
    return code;
  }

private:
  /// Of nvcc's "tmpxft_…-6_kernel.ptx", or of "kernel.ptx" where it keeps its files.
  std::string sourceName() const {
    const llvm::StringRef file = llvm::sys::path::stem(ptx);
    return (file.starts_with("tmpxft_") ? file.substr(file.find('_', file.find('-')) + 1) : file).str();
  }

  void sayRefused() const {
    const llvm::StringRef said = llvm::StringRef(output).split("error").second.ltrim(" :").split('\n').first;
    write(changesFile + ".note", "'" + sourceName() + "' has no copies of its kernels without probes: ptxas does not take them" +
                                     (said.empty() ? "" : " (" + said.str() + ")") + "\n");
  }

  /// Stops it after so many seconds; 0: not.
  int runVerbosely(unsigned seconds = 0) {
    Words command = words;
    isVerbose = llvm::is_contained(words, "-v") || llvm::is_contained(words, "--verbose");
    if (!isVerbose)
      command.push_back("-v");
    const auto start = std::chrono::steady_clock::now();
    auto end =
        process::spawn(command.front(), command,
                       {.output = SpawnOptions::Stream::Captured, .error = SpawnOptions::Stream::WithOutput, .outputSeconds = seconds});
    took = std::chrono::steady_clock::now() - start;
    isStopped = end && end->signal != 0 && seconds > 0 && took >= std::chrono::seconds(seconds);
    output = end ? std::move(end->output) : "";
    return end && end->signal == 0 ? end->exitCode : 1;
  }

  /// What ptxas was stopped at, with no kernel's probes. Exit code 1 where the build is to fail, or is none that is wanted.
  int buildWithout() {
    const std::string text = textOf(ptx).value_or("");
    const std::vector<std::string> kernels = kernelsWithCopies(text);
    std::string notes;
    for (const std::string &kernel : kernels)
      notes += "too-long\t" + kernel + "\t\t" + std::to_string(plan.assemblySeconds) + "\t" + architecture() + "\n";
    write(changesFile, notes);
    if (plan.onRefusal != OnRefusal::BuildWithout || !write(ptx, withoutProbes(text, kernels)))
      return 1;
    markRefused(kernels);
    return runVerbosely();
  }

  /// Assembles kernels again that take more registers for their probes than leave room for all warps that a multiprocessor holds, or for
  /// the largest blocks, unless it takes spills. Not where that took long: it takes as long again.
  int limitRegisters() {
    if (took > kLongestToRepeat)
      return 0;
    const auto unlimited = readPtxasReport(output);
    const auto text = textOf(ptx);
    auto limits = limitsForResidency(unlimited), forBlocks = limitsForBlocks(unlimited);
    dropCounting(limits, text.value_or(""));
    for (const auto &bounded : blockLimits(text.value_or("")))
      forBlocks.erase(bounded.first);
    limits.insert(forBlocks.begin(), forBlocks.end());
    const std::string *result = valueIn(words, "-o");
    if (limits.empty() || !text || !result)
      return 0;
    const std::string unlimitedResult = *result + ".unlimited", said = output;
    if (llvm::sys::fs::rename(*result, unlimitedResult))
      return 1;
    while (!limits.empty()) {
      if (!write(ptx, withRegisterLimits(*text, limits)))
        return 1;
      if (runVerbosely() != 0)
        break;
      if (!loosen(limits, forBlocks, unlimited, readPtxasReport(output)))
        return llvm::sys::fs::remove(unlimitedResult) ? 1 : 0;
    }
    output = said;
    return write(ptx, *text) && !llvm::sys::fs::rename(unlimitedResult, *result) ? 0 : 1;
  }

  /// What counts accesses is called, and takes more registers than limits for residency leave.
  static void dropCounting(std::map<std::string, unsigned> &limits, const std::string &text) {
    if (limits.empty())
      return;
    std::vector<std::string> kernels;
    for (const auto &each : limits)
      kernels.push_back(each.first);
    for (const std::string &kernel : kernelsReaching(text, kernels, functionsWith(text, kCountingFunctions)))
      limits.erase(kernel);
  }

  /// Drops the limits that are not worth their spills, or goes on to those for blocks. False where all are kept.
  static bool loosen(std::map<std::string, unsigned> &limits, const std::map<std::string, unsigned> &forBlocks,
                     const std::map<std::string, Resources> &unlimited, const std::map<std::string, Resources> &limited) {
    bool isChanged = false;
    for (auto each = limits.begin(); each != limits.end();) {
      if (limited.contains(each->first) && isWorthLimiting(unlimited.at(each->first), limited.at(each->first), each->second)) {
        ++each;
        continue;
      }
      isChanged = true;
      if (const auto other = forBlocks.find(each->first); other != forBlocks.end() && other->second != each->second)
        (each++)->second = other->second;
      else
        each = limits.erase(each);
    }
    return isChanged;
  }

  /// Why a kernel must not be changed so, `products` being the functions with wgmma instructions; empty: it may.
  static std::string obstacleIn(const Change &change, llvm::StringRef text, const std::vector<std::string> &products) {
    if (!change.newlySerialised.empty()) {
      const auto &[code, words] = *change.newlySerialised.begin();
      return "(" + code + ") " + words;
    }
    return change.movesToStack.empty() || kernelsReaching(text, {change.kernel}, products).empty() ? "" : change.movesToStack;
  }

  /// "sm_90a"; empty where the command names none.
  std::string architecture() const {
    for (const llvm::StringRef word : words)
      if (const std::size_t at = word.find("sm_"); at != llvm::StringRef::npos && (at == 0 || word.starts_with("-")))
        return word.substr(at).str();
    return {};
  }

  /// Says what the probes changed, and takes them out of kernels that must not be changed so.
  int compare() {
    std::vector<std::string> kernels, refused;
    std::string notes;
    const auto report = readPtxasReport(output);
    for (const auto &[name, resources] : report)
      if (report.contains(name + kPlainSuffix.str()))
        kernels.push_back(name);
    const auto text = textOf(ptx);
    const std::vector<std::string> products = functionsWith(text.value_or(""), "wgmma.");
    for (const Change &change : changesIn(report, blockLimits(text.value_or("")))) {
      const std::string why = obstacleIn(change, text.value_or(""), products);
      notes += (!why.empty()     ? "refused\t"
                : change.isLarge ? "large\t"
                                 : "small\t") +
               change.kernel + "\t" + change.text + "\t" + why + "\t" + architecture() + "\n";
      if (!why.empty())
        refused.push_back(change.kernel);
    }
    write(changesFile, notes);
    if (refused.empty() || plan.onRefusal == OnRefusal::Report)
      return 0;
    if (plan.onRefusal == OnRefusal::Fail || !text)
      return 1;
    refused = kernelsReaching(*text, kernels, refused);
    if (!write(ptx, withoutProbes(*text, refused)))
      return 1;
    markRefused(refused);
    return runVerbosely();
  }

  /// The program is to know that these kernels have no probes.
  void markRefused(const std::vector<std::string> &kernels) const {
    const std::string stubFile = textOf(ptx + ".stub").value_or("");
    if (const auto stub = textOf(stubFile))
      write(stubFile, withOnlyPlainEntries(*stub, kernels));
  }

  static constexpr std::chrono::seconds kLongestToRepeat{20};

  const Plan &plan;
  Words words;
  std::string ptx, changesFile, output;
  std::chrono::duration<double> took{};      ///< the last run of ptxas
  bool isVerbose = false, isStopped = false; ///< isStopped: the last run took too long
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
  return isCompiler ? DeviceCompilation(*plan, arguments.vec()).run() : Assembly(*plan, arguments.vec()).run();
}

} // namespace kperf::plain
