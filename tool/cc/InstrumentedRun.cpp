// Runs the command with copies, then without copies of kernels, then as it is.
#include "tool/cc/InstrumentedRun.h"

#include "tool/cc/Build.h"
#include "tool/cc/KernelChanges.h"
#include "tool/cc/Messages.h"
#include "tool/cc/StandardInput.h"

#include "rewriters/command/ForcedIncludes.h"
#include "rewriters/command/ProbeStandard.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

namespace kperf::cc {

/// What nvcc compiles as where its command does not say: its host compiler's own choice. "" where that is C++17 or later.
std::string InstrumentedRun::defaultStandard() const {
  const char *fromEnvironment = std::getenv("NVCC_CCBIN");
  std::string name = !command.hostCompiler.empty() ? command.hostCompiler : fromEnvironment ? fromEnvironment : "g++";
  if (llvm::sys::fs::is_directory(name))
    name += "/g++";
  auto program = findProgram(name);
  const std::string question = workFolder + "/standard.cpp";
  if (auto error = llvm::joinErrors(program.takeError(), writeText(question, "__cplusplus\n"))) {
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
std::vector<std::string> InstrumentedRun::asProbesAreWritten() const {
  const bool isSaidElsewhere = !namesStandard(words); // in the environment, or by the host compiler
  std::string older = olderStandard(isSaidElsewhere ? command.clangArguments : words);
  if (isSaidElsewhere && older.empty() && command.dialect == Dialect::Nvcc)
    older = defaultStandard();
  if (older.empty())
    return words;
  sayWarning("the probes are C++17, so sources with them are compiled as that instead of " + older);
  std::vector<std::string> changed = words;
  if (isSaidElsewhere)
    changed.push_back("-std=c++17");
  return withProbeStandard(std::move(changed));
}

/// Has nvcc compile the kernels of `plainWords`, the command of the sources without probes, beside those of the copies. Not behind a
/// compiler cache, which would not know of it.
std::optional<plain::PlainCopies> InstrumentedRun::preparePlain(const SourceCopies &copies, llvm::ArrayRef<std::string> plainWords,
                                                                ProcessEnd &asked) const {
  const bool makesObjects = command.mode == CompileMode::Link || command.mode == CompileMode::Compile;
  const bool hasProbes = llvm::any_of(options.probes, [](llvm::StringRef probe) { return probe != "launches"; });
  if (copies.empty() || !options.plainCopies || !hasProbes || command.dialect != Dialect::Nvcc || !makesObjects ||
      !options.launcher.empty())
    return std::nullopt;
  auto made = plain::PlainCopies::prepare(plainWords, workFolder, options.strict, asked);
  if (made)
    return std::move(*made);
  const std::string why = llvm::toString(made.takeError());
  if (options.verbose)
    sayNote("kernels have no copies without probes: " + why);
  return std::nullopt;
}

llvm::Expected<ProcessEnd> InstrumentedRun::run(const SourceCopies &copies) {
  std::vector<std::string> changed = copies.empty() ? words : asProbesAreWritten();
  const std::vector<std::string> plainWords = changed;
  for (const auto &[index, copy] : copies)
    changed[first + command.inputs[index].argument] = copy.path();
  for (const auto &[index, copy] : copies)
    for (const std::string &warning : replaceForcedIncludes(changed, command.dialect, copy.forcedIncludes()))
      sayWarning(warning);
  ProcessEnd asked;
  auto plain = preparePlain(copies, plainWords, asked);
  if (asked.wasInterrupted)
    return asked;
  if (plain)
    changed.push_back("-noprof"); // what nvcc's profile says is in the environment, but for two programs
  auto end = runCommand(options, changed);
  if (plain) {
    for (const std::string &note : plain->notes()) // the launches that are not recorded are to run these
      if (options.verbose || launchesSampled(options) > 0)
        sayWarning(note);
    std::vector<plain::KernelChange> changes = plain->changes();
    if (!options.verbose && llvm::is_contained(options.probes, "memory")) // whose times are not the kernels' own anyway
      llvm::erase_if(changes, [](const plain::KernelChange &each) { return !each.isRefused; });
    sayChanges(changes, options.verbose, options.strict);
    plain.reset();
    changed.pop_back();
    const bool isRefused = options.strict && !changes.empty() && changes.front().isRefused;
    if (end && end->exitCode != 0 && !end->wasInterrupted && !isRefused)
      if (auto without = runProgram(changed.front(), changed, /*isQuiet=*/true); without && without->ok()) {
        sayWarning("kernels have no copies without probes: nvcc fails with them; --no-compare compiles none");
        return without;
      }
  }
  if (!end || end->exitCode == 0 || end->wasInterrupted || copies.empty() || options.strict)
    return end;
  if (options.verbose)
    sayNote(shellText(words));
  rewindStandardInput();
  auto original = runProgram(words.front(), words, /*isQuiet=*/true); // what it would say was said
  if (!original || (!original->ok() && !original->wasInterrupted)) {
    llvm::consumeError(original.takeError());
    return end;
  }
  if (original->wasInterrupted)
    return original;
  sayWarning("the compiler takes the sources, but not with their probes: see its errors above; the command is run as it is, "
             "none of its sources with probes; --strict stops here, --keep keeps what was refused, and --select or --auto-guard "
             "leave places out");
  isRunAsItIs = true;
  return original;
}

} // namespace kperf::cc
