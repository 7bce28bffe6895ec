// Runs the command with copies, then without kernels' plain copies, then unchanged.
#include "tool/cc/InstrumentedRun.h"

#include "tool/cc/Build.h"
#include "tool/cc/DeviceTrials.h"
#include "tool/cc/KernelChanges.h"
#include "tool/cc/Messages.h"
#include "tool/cc/StandardInput.h"
#include "tool/machine/PlainBuild.h"
#include "tool/process/CrashFallback.h"
#include "tool/process/WriteText.h"

#include "rewriters/command/ForcedIncludes.h"
#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace kperf::cc {
namespace {

plain::OnRefusal onRefusal(const Options &options) { return options.strict ? plain::OnRefusal::Fail : plain::OnRefusal::BuildWithout; }

} // namespace

/// What nvcc compiles as where its command does not say: its host compiler's own choice. "" where that is C++17 or later.
std::string InstrumentedRun::defaultStandard() const {
  const char *fromEnvironment = std::getenv("NVCC_CCBIN");
  std::string name = !command.hostCompiler.empty() ? command.hostCompiler : fromEnvironment ? fromEnvironment : "g++";
  if (llvm::sys::fs::is_directory(name))
    name += "/g++";
  auto program = findProgram(name);
  const std::string question = job.workFolder + "/standard.cpp";
  if (auto error = llvm::joinErrors(program.takeError(), process::writeText(question, "__cplusplus\n"))) {
    llvm::consumeError(std::move(error)); // nvcc will say more about it
    return {};
  }
  const std::string answer = firstLineOf(*program, {*program, "-E", "-P", question});
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> older[] = {{"201103L", "c++11"}, {"201402L", "c++14"}};
  for (const auto &[value, standard] : older)
    if (answer == value)
      return standard.str();
  return {};
}

/// The command as C++17, said where it is not so already. The probes are written in that.
std::vector<std::string> InstrumentedRun::asProbesAreWritten() {
  const bool isSaidElsewhere = !namesStandard(words); // in the environment, or by the host compiler
  std::string older = olderStandard(isSaidElsewhere ? command.clangArguments : words);
  if (isSaidElsewhere && older.empty() && command.dialect == Dialect::Nvcc)
    older = defaultStandard();
  raisedFrom = older;
  if (older.empty())
    return words;
  sayWarning("the probes are C++17, so sources with them are compiled as that instead of " + older);
  std::vector<std::string> changed = words;
  if (isSaidElsewhere)
    changed.push_back("-std=c++17");
  return withProbeStandard(std::move(changed));
}

/// The command with the copies in their sources' places.
std::vector<std::string> InstrumentedRun::wordsOn(const SourceCopies &copies, bool isQuiet) const {
  std::vector<std::string> changed = probeWords;
  for (const auto &[index, copy] : copies)
    changed[first + command.inputs[index].argument] = copy.path();
  for (const auto &[index, copy] : copies)
    for (const std::string &warning : replaceForcedIncludes(changed, command.dialect, copy.forcedIncludes()))
      if (!isQuiet)
        sayWarning(warning);
  return changed;
}

/// nvcc's command that makes nothing but device code of a copy.
std::vector<std::string> InstrumentedRun::deviceWordsOn(const SourceCopy &copy) const {
  const llvm::ArrayRef<std::string> all = probeWords, arguments = all.slice(first, command.arguments.size());
  std::vector<std::string> changed = all.take_front(first).vec();
  llvm::append_range(changed, machine::optionsOf(command, arguments, /*keepsArchitectures=*/true));
  llvm::append_range(changed, all.drop_front(first + arguments.size()));
  // not -fatbin for -cubin: of -arch=sm_90a nvcc makes PTX of compute_90 then, in which there is no wgmma
  const std::string kind = command.mode == CompileMode::Cubin ? "cubin" : "fatbin";
  changed.insert(changed.end(), {"-" + kind, copy.path(), "-o", job.workFolder + "/trial." + kind, "-noprof"});
  if (command.relocatable)
    changed.push_back("-rdc=true");
  replaceForcedIncludes(changed, command.dialect, copy.forcedIncludes()); // which has been warned about
  return changed;
}

/// Has nvcc compile the kernels of the sources without probes beside those of the copies. Not behind a compiler cache, which would not know
/// of it.
std::optional<plain::PlainCopies> InstrumentedRun::preparePlain(const SourceCopies &copies, ProcessEnd &asked) const {
  const bool makesCode =
      llvm::is_contained({CompileMode::Link, CompileMode::Compile, CompileMode::Cubin, CompileMode::Fatbin}, command.mode);
  const bool hasProbes = llvm::any_of(options.probes, [](llvm::StringRef probe) { return probe != "launches"; });
  if (copies.empty() || !options.plain.areMade || !hasProbes || command.dialect != Dialect::Nvcc || !makesCode || !options.launcher.empty())
    return std::nullopt;
  auto made = plain::PlainCopies::prepare(probeWords, job.workFolder, onRefusal(options), options.plain.assemblySeconds, asked);
  if (made) {
    if (probeWords == words) // of which the rewriter's was made too
      for (const auto &[index, copy] : copies)
        made->offer(llvm::sys::path::filename(command.inputs[index].path), machine::plainPtx(command.inputs[index], job.workFolder));
    return std::move(*made);
  }
  const std::string why = llvm::toString(made.takeError());
  if (options.verbose)
    sayNote("kernels have no copies without probes: " + why);
  return std::nullopt;
}

/// Makes copies anew without the regions and waits that keep kernels of theirs from being built as they are; says which.
llvm::Expected<std::vector<Culprit>> InstrumentedRun::leaveOutCulprits(SourceCopies &copies, plain::PlainCopies &plain,
                                                                       const KernelChanges &refused,
                                                                       std::optional<ProcessEnd> &interrupted) const {
  std::optional<CrashFallback> fallback;
  if (!options.strict)
    fallback.emplace(kCrashMessage.str(), words);
  std::vector<Culprit> all;
  std::vector<std::size_t> sources;
  for (const auto &[index, copy] : copies)
    sources.push_back(index);
  for (const std::size_t index : sources) {
    DeviceTrials trials(job, index, plain, [&](const SourceCopy &copy) { return deviceWordsOn(copy); });
    // Of several sources it is not known whose kernels they are.
    auto culprits = Culprits(trials).find(copies.at(index).regions(), sources.size() == 1 ? refused : KernelChanges());
    if ((interrupted = trials.interruption()))
      break;
    std::vector<RegionPlace> places;
    for (const Culprit &culprit : culprits.value_or(std::vector<Culprit>()))
      places.push_back(placeOf(culprit.region));
    if (!trials.leaveOut(places))
      return llvm::createStringError("the instrumented copy of '%s' can't be written again", command.inputs[index].path.c_str());
    copies.erase(index);
    if (trials.copy())
      copies.emplace(index, *trials.copy());
    if (culprits)
      llvm::append_range(all, *culprits);
  }
  return all;
}

/// What follows on a run, which ended with `end`, where kernels were refused: another without the regions that are the cause of it, where
/// they can be found. `changes` are those of the last run.
llvm::Expected<ProcessEnd> InstrumentedRun::runWithoutCulprits(SourceCopies &copies, plain::PlainCopies &plain, ProcessEnd end,
                                                               KernelChanges &changes) const {
  KernelChanges refused = changes;
  llvm::erase_if(refused, [](const plain::KernelChange &each) { return !each.isRefused(); });
  const bool isBuilt = end.exitCode == 0 || options.strict; // whose compiler has stopped at the first of them
  if (refused.empty() || !isBuilt || end.wasInterrupted)
    return end;
  saySearch(refused);
  std::optional<ProcessEnd> interrupted;
  auto culprits = leaveOutCulprits(copies, plain, refused, interrupted);
  if (!culprits)
    return culprits.takeError();
  if (interrupted)
    return *interrupted;
  if (culprits->empty())
    return end;
  if (auto error = plain.prepareAgain(onRefusal(options)))
    return error;
  if (!options.strict) {
    std::vector<std::string> changed = wordsOn(copies, /*isQuiet=*/true);
    changed.push_back("-noprof");
    if (options.verbose)
      sayNote(shellText(changed));
    rewindStandardInput();
    auto again = runProgram(changed.front(), changed, /*isQuiet=*/true); // what it would say was said
    if (again && again->exitCode != 0 && !again->wasInterrupted)
      again = runCommand(options, changed, copies);
    if (!again)
      return again;
    end = *again;
  }
  addLeftOut(*culprits, plain);
  changes = plain.changes();
  for (plain::KernelChange &each : refused) // what no region is the cause of: this run has not seen it
    if (options.strict && llvm::none_of(changes, [&](const plain::KernelChange &known) { return known.kernel == each.kernel; }))
      changes.push_back(std::move(each));
  return end;
}

/// Runs the command on the copies, with kernels without probes beside theirs; without those where the compiler takes that only.
llvm::Expected<ProcessEnd> InstrumentedRun::runBesidePlain(SourceCopies &copies, std::optional<plain::PlainCopies> plain) const {
  std::vector<std::string> changed = wordsOn(copies, /*isQuiet=*/false);
  changed.push_back("-noprof"); // what nvcc's profile says is in the environment, but for two programs
  auto end = runCommand(options, changed, copies);
  for (const std::string &note : plain->notes()) // the launches that are not recorded are to run these
    if (options.verbose || launchesSampled(options) > 0 || accessesSampled(options) > 1)
      sayWarning(note);
  KernelChanges changes = plain->changes();
  if (end)
    end = runWithoutCulprits(copies, *plain, std::move(*end), changes);
  const bool isRefused = options.strict && !changes.empty() && changes.front().lacksProbes();
  if (!options.verbose && llvm::is_contained(options.probes, "memory")) // whose times are not the kernels' own anyway
    llvm::erase_if(changes, [](const plain::KernelChange &each) { return !each.lacksProbes(); });
  sayChanges(changes, options,
             copies.size() == 1 ? command.inputs[copies.begin()->first].path : ""); // of several it is not known whose they are
  plain.reset();
  if (end && end->exitCode != 0 && !end->wasInterrupted && !isRefused) {
    changed = wordsOn(copies, /*isQuiet=*/true);
    if (auto without = runProgram(changed.front(), changed, /*isQuiet=*/true); without && without->ok()) {
      sayWarning("kernels have no copies without probes: nvcc fails with them; --no-compare compiles none");
      return without;
    }
  }
  return end;
}

/// Runs the sources without probes as the C++ that the probes are written in.
llvm::Expected<ProcessEnd> InstrumentedRun::runAsRaised() const {
  rewindStandardInput();
  std::vector<std::string> raised = words;
  if (!namesStandard(words))
    raised.push_back("-std=c++17");
  raised = withProbeStandard(std::move(raised));
  return runProgram(raised.front(), raised, /*isQuiet=*/true);
}

/// What follows where the compiler refuses the copies, and ended with `refused`.
llvm::Expected<ProcessEnd> InstrumentedRun::runAsItIs(ProcessEnd refused) {
  auto raised = raisedFrom.empty() ? ProcessEnd() : runAsRaised(); // before the original, whose output is to stay
  if (!raised || raised->wasInterrupted)
    return raised;
  if (options.verbose)
    sayNote(shellText(words));
  rewindStandardInput();
  auto original = runProgram(words.front(), words, /*isQuiet=*/true); // what it would say was said
  if (!original || (!original->ok() && !original->wasInterrupted)) {
    llvm::consumeError(original.takeError());
    return refused;
  }
  if (original->wasInterrupted)
    return original;
  if (!raised->ok())
    sayWarning("the compiler takes the sources as " + raisedFrom +
               ", but not as C++17, and so not with their probes: see its errors above; the command is run as it is, none of its sources "
               "with probes; --strict stops here");
  else
    sayWarning("the compiler takes the sources, but not with their probes: see its errors above; the command is run as it is, "
               "none of its sources with probes; --strict stops here, --keep keeps what was refused, and --select or --auto-guard "
               "leave places out");
  isRunAsItIs = true;
  return original;
}

llvm::Expected<ProcessEnd> InstrumentedRun::run(SourceCopies &copies) {
  if (copies.empty())
    return runCommand(options, words);
  probeWords = asProbesAreWritten();
  ProcessEnd asked;
  auto plain = preparePlain(copies, asked);
  if (asked.wasInterrupted)
    return asked;
  auto end = plain ? runBesidePlain(copies, std::move(plain)) : runCommand(options, wordsOn(copies, /*isQuiet=*/false), copies);
  if (!end || end->exitCode == 0 || end->wasInterrupted)
    return end;
  if (options.accessSample.empty() &&
      std::erase_if(probeWords, [](llvm::StringRef word) { return word.starts_with(kAccessesSampled); }) > 0) { // nobody asked for it
    const std::vector<std::string> exact = wordsOn(copies, /*isQuiet=*/true);
    if (auto counted = runProgram(exact.front(), exact, /*isQuiet=*/true); counted && (counted->ok() || counted->wasInterrupted)) {
      sayWarning("every execution of memory accesses is counted, as with --exact: the compiler fails with the code that samples them, "
                 "see its errors above");
      return counted;
    } else {
      llvm::consumeError(counted.takeError());
    }
  }
  if (options.strict)
    return end;
  return runAsItIs(std::move(*end));
}

} // namespace kperf::cc
