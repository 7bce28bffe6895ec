// Assembles with bodies without probes, with limits to registers, without kernels' probes: what ptxas says decides.
#include "tool/plain/Assembly.h"

#include "tool/plain/PlainBodies.h"
#include "tool/plain/PtxMerge.h"
#include "tool/plain/PtxasReport.h"
#include "tool/plain/StubEntries.h"
#include "tool/process/Spawn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>
#include <set>
#include <sys/resource.h>

namespace kperf::plain {
namespace {

/// Processor time of all children that have ended.
std::chrono::duration<double> timeOfChildren() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto of = [](const timeval &time) { return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec); };
  return of(used.ru_utime) + of(used.ru_stime);
}

using process::SpawnOptions;
using Limits = std::map<std::string, unsigned>; ///< registers of a thread, by the kernel's mangled name

/// In the mangled names of the functions that count accesses (kperf/cuda/memory/CountSteps.h), and so in what calls them.
constexpr llvm::StringLiteral kCountingFunctions = "5kperf6detail11CalledSteps";

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
      return runStep(words);
    int code = assemble();
    if (isStopped) {
      code = buildWithout();
    } else if (code != 0 && !llvm::sys::fs::rename(probed, ptx)) { // the launches find no copy, and run what is there
      code = runStep(words);
      if (code == 0)
        sayRefused();
      return code;
    } else if (code == 0) {
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
    writeFile(changesFile + ".note", "'" + sourceName() + "' has no copies of its kernels without probes: ptxas does not take them" +
                                         (said.empty() ? "" : " (" + said.str() + ")") + "\n");
  }

  /// Has it say what kernels need. Stopped after so many seconds; 0: not.
  static auto spawnVerbosely(Words command, unsigned seconds) {
    if (!llvm::is_contained(command, "-v") && !llvm::is_contained(command, "--verbose"))
      command.push_back("-v");
    return process::spawn(command.front(), command,
                          {.output = SpawnOptions::Stream::Captured, .error = SpawnOptions::Stream::WithOutput, .outputSeconds = seconds});
  }

  int runVerbosely(unsigned seconds = 0) {
    isVerbose = llvm::is_contained(words, "-v") || llvm::is_contained(words, "--verbose");
    const auto start = std::chrono::steady_clock::now();
    const auto before = timeOfChildren();
    auto end = spawnVerbosely(words, seconds);
    took = timeOfChildren() - before;
    isStopped = end && end->signal != 0 && seconds > 0 && std::chrono::steady_clock::now() - start >= std::chrono::seconds(seconds);
    output = end ? std::move(end->output) : "";
    return end && end->signal == 0 ? end->exitCode : 1;
  }

  /// Assembles the PTX with kernels' bodies without probes behind their own (PlainBodies.h), but for those that are better off with one; as
  /// it is where the assembler takes that only.
  int assemble() {
    const std::string merged = textOf(ptx).value_or(""), both = withPlainBodies(merged, {});
    if (both == merged || assemble(both, {}) != 0)
      return assemble(merged, {});
    const auto alone = thoseBetterWithOneBody(merged, functionsWith(both, kPlainBody));
    if (alone.empty())
      return 0;
    const Limits fitting = limitsForBoth(both, alone);
    std::set<std::string> withOne;
    for (const auto &[kernel, resources] : alone)
      if (!fitting.contains(kernel))
        withOne.insert(kernel);
    return assemble(withRegisterLimits(withPlainBodies(merged, withOne), fitting), fitting);
  }

  /// Those of the kernels with both bodies, assembled so last, that have more than their copies of what a multiprocessor is short of, and
  /// less of it with their own body alone; with what they have then.
  std::map<std::string, Resources> thoseBetterWithOneBody(const std::string &merged, const std::vector<std::string> &kernels) const {
    const auto with = readPtxasReport(output);
    std::set<std::string> worse;
    for (const std::string &kernel : kernels)
      if (isBetter(with, kernel + kPlainSuffix.str(), with, kernel))
        worse.insert(kernel);
    if (worse.empty() || took > kLongestToRepeat)
      return {};
    auto alone = assembleAlone(withKernelsAlone(merged, worse));
    std::erase_if(alone, [&](const auto &each) { return !worse.contains(each.first) || !isBetter(alone, each.first, with, each.first); });
    return alone;
  }

  /// Of those kernels the ones that with both bodies are no worse off, given the registers of one: CudaSift's Laplace filter with waits has
  /// 56 with one body, and more with both unless it is told.
  Limits limitsForBoth(const std::string &both, const std::map<std::string, Resources> &alone) const {
    Limits limits;
    std::set<std::string> kernels;
    for (const auto &[kernel, resources] : alone) {
      limits[kernel] = registersForAsManyWarps(resources);
      kernels.insert(kernel);
    }
    const auto limited = assembleAlone(withKernelsAlone(withRegisterLimits(both, limits), kernels));
    std::erase_if(limits,
                  [&](const auto &each) { return !limited.contains(each.first) || isBetter(alone, each.first, limited, each.first); });
    return limits;
  }

  /// What the assembler says of that PTX, of which nothing is kept; nothing where it does not take it.
  std::map<std::string, Resources> assembleAlone(const std::string &text) const {
    const std::string file = ptx + ".alone.ptx", result = ptx + ".alone.cubin";
    Words command = words;
    std::string *output = valueIn(command, "-o");
    if (!output || !writeFile(file, text))
      return {};
    *output = result;
    llvm::replace(command, ptx, file);
    auto end = spawnVerbosely(std::move(command), plan.assemblySeconds);
    llvm::sys::fs::remove(file);
    llvm::sys::fs::remove(result);
    return end && end->ok() ? readPtxasReport(end->output) : std::map<std::string, Resources>();
  }

  /// `fitting`: limits that the text has.
  int assemble(const std::string &text, const Limits &fitting) {
    if (!writeFile(ptx, text))
      return 1;
    const int code = runVerbosely(plan.assemblySeconds);
    return code == 0 ? limitRegisters(fitting) : code;
  }

  /// What ptxas was stopped at, with no kernel's probes. Exit code 1 where the build is to fail, or is none that is wanted.
  int buildWithout() {
    const std::string text = textOf(ptx).value_or("");
    const std::vector<std::string> kernels = kernelsWithCopies(text);
    std::string notes;
    for (const std::string &kernel : kernels)
      notes += "too-long\t" + kernel + "\t\t" + std::to_string(plan.assemblySeconds) + "\t" + architecture() + "\n";
    writeFile(changesFile, notes);
    if (plan.onRefusal != OnRefusal::BuildWithout || !writeFile(ptx, withoutProbes(text, kernels)))
      return 1;
    markRefused(kernels);
    return runVerbosely();
  }

  /// Assembles kernels again that take more registers for their probes than leave room for all warps that a multiprocessor holds, or for
  /// the largest blocks, unless it takes spills. Not where that took long: it takes as long again.
  int limitRegisters(const Limits &fitting) {
    if (took > kLongestToRepeat)
      return 0;
    const auto unlimited = readPtxasReport(output);
    const auto text = textOf(ptx);
    auto limits = limitsForResidency(unlimited), forBlocks = limitsForBlocks(unlimited);
    dropCounting(limits, text.value_or(""));
    for (const auto &bounded : blockLimits(text.value_or("")))
      forBlocks.erase(bounded.first);
    limits.insert(forBlocks.begin(), forBlocks.end());
    std::erase_if(limits, [&](const auto &each) { return fitting.contains(each.first); });
    const std::string *result = valueIn(words, "-o");
    if (limits.empty() || !text || !result)
      return 0;
    const std::string unlimitedResult = *result + ".unlimited", said = output;
    if (llvm::sys::fs::rename(*result, unlimitedResult))
      return 1;
    while (!limits.empty()) {
      if (!writeFile(ptx, withRegisterLimits(*text, limits)))
        return 1;
      if (runVerbosely() != 0)
        break;
      if (!loosen(limits, forBlocks, unlimited, readPtxasReport(output)))
        return llvm::sys::fs::remove(unlimitedResult) ? 1 : 0;
    }
    output = said;
    return writeFile(ptx, *text) && !llvm::sys::fs::rename(unlimitedResult, *result) ? 0 : 1;
  }

  /// What counts accesses is called, and takes more registers than limits for residency leave.
  static void dropCounting(Limits &limits, const std::string &text) {
    if (limits.empty())
      return;
    std::vector<std::string> kernels;
    for (const auto &each : limits)
      kernels.push_back(each.first);
    for (const std::string &kernel : kernelsReaching(text, kernels, functionsWith(text, kCountingFunctions)))
      limits.erase(kernel);
  }

  /// Drops the limits that are not worth their spills, or goes on to those for blocks. False where all are kept.
  static bool loosen(Limits &limits, const Limits &forBlocks, const std::map<std::string, Resources> &unlimited,
                     const std::map<std::string, Resources> &limited) {
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
    writeFile(changesFile, notes);
    if (refused.empty() || plan.onRefusal == OnRefusal::Report)
      return 0;
    if (plan.onRefusal == OnRefusal::Fail || !text)
      return 1;
    refused = kernelsReaching(*text, kernels, refused);
    if (!writeFile(ptx, withoutProbes(*text, refused)))
      return 1;
    markRefused(refused);
    return runVerbosely();
  }

  /// The program is to know that these kernels have no probes.
  void markRefused(const std::vector<std::string> &kernels) const {
    const std::string stubFile = textOf(ptx + ".stub").value_or("");
    if (const auto stub = textOf(stubFile))
      writeFile(stubFile, withOnlyPlainEntries(*stub, kernels));
  }

  static constexpr std::chrono::seconds kLongestToRepeat{20};

  const Plan &plan;
  Words words;
  std::string ptx, changesFile, output;
  std::chrono::duration<double> took{};      ///< processor time of the last run of ptxas: what is built is not to depend on what else runs
  bool isVerbose = false, isStopped = false; ///< isStopped: the last run took too long
};

} // namespace

int runAssembly(const Plan &plan, Words command) { return Assembly(plan, std::move(command)).run(); }

} // namespace kperf::plain
