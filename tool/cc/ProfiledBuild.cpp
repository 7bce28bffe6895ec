// Reads profiles, and reports what they decide.
#include "tool/cc/ProfiledBuild.h"

#include "tool/cc/Messages.h"
#include "tool/process/Percent.h"

#include "rewriters/command/CommandLine.h"
#include "rewriters/command/Installed.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>
#include <fmt/format.h>

namespace kperf::cc {
namespace {

constexpr llvm::StringLiteral kUsualBudget = "2%";

/// Whether the command may compile a kernel: a link alone needs no profile.
bool mayCompileKernels(const Options &options) {
  return llvm::any_of(options.arguments, [](llvm::StringRef word) {
    return word.ends_with(".cu") || word.ends_with(".hip") || word.starts_with("-x") || word == "-" || word.starts_with("--x");
  });
}

/// Whether the runtime is to choose the launches that are recorded: the build has kernels without probes, and nobody chose otherwise.
bool choosesLaunches(const Options &options) {
  const auto isLoaded = [](llvm::StringRef word) { return word == "-ptx" || word == "-cubin" || word == "-fatbin"; };
  return llvm::none_of(options.arguments, isLoaded) && options.launchSample.empty() && !options.selection.sample && options.plain.areMade &&
         options.launcher.empty() && options.compiler != "host" && dialectOfCompiler(options.compiler) == Dialect::Nvcc;
}

} // namespace

llvm::Error readProfiles(Options &options) {
  if (options.profile.files.empty() && !options.profile.budget.empty())
    return llvm::createStringError("--overhead-budget=%s limits what --profile records: give --profile=FILE too",
                                   options.profile.budget.c_str());
  const std::string named = options.profile.files.empty() ? fromEnvironment("KPERF_PROFILE") : std::string();
  for (const llvm::StringRef file : llvm::split(named, ','))
    if (!file.trim().empty())
      options.profile.files.push_back(file.trim().str());
  if (options.profile.files.empty() || !options.instrument)
    return llvm::Error::success();
  std::string budget = options.profile.budget.empty() ? fromEnvironment("KPERF_OVERHEAD_BUDGET") : options.profile.budget;
  if (budget.empty())
    budget = kUsualBudget;
  const auto percent = tool::parsePercent(budget, options.profile.budget.empty() ? "KPERF_OVERHEAD_BUDGET" : "--overhead-budget");
  if (!percent)
    return llvm::createStringError(percent.error().text());
  options.profile.budget = budget;
  if (!mayCompileKernels(options))
    return llvm::Error::success();
  const bool isOfLaunches = choosesLaunches(options);
  auto steering = tool::steer(options.profile.files, *percent, options.compiler == "host", isOfLaunches);
  if (!steering) {
    sayWarning("the profile decides nothing, and this build records as without it: " + steering.error().text());
    return llvm::Error::success();
  }
  options.profile.steering = std::move(*steering);
  options.profile.launchBudget = isOfLaunches ? static_cast<unsigned>(std::lround(*percent * 1e4)) : 0;
  return llvm::Error::success();
}

void steer(RewriteRequest &request, const Options &options) {
  if (!options.profile.steering || !options.instrument)
    return;
  request.decisions = options.profile.steering->decisions;
  llvm::append_range(request.selection.rules, options.profile.steering->closer);
  if (!options.selection.sample && options.launchSample.empty())
    if (const unsigned blocks = options.profile.steering->sampleFor(request.input); blocks > 1)
      request.selection.sample = blocks;
}

void sayDecided(const RewriteResult &result, llvm::StringRef source, const Options &options) {
  const DecidedRegions &decided = result.decided;
  if (!options.profile.steering || (decided.isEmpty() && !options.verbose))
    return;
  std::string text =
      "'" + source.str() + "': the profile has " + llvm::utostr(decided.known) + " of " + countOf(decided.known + decided.fresh, "region");
  if (decided.known == 0 && decided.fresh > 0)
    return sayWarning(text + ", so it decides nothing here: is it one of this program?");
  const std::size_t summed = llvm::count_if(result.regions, [](const Region &region) { return region.isSummed; });
  text += ": " + llvm::utostr(summed) + " summed up, " + llvm::utostr(decided.leftOut.size()) + " left out";
  if (const unsigned blocks = options.profile.steering->sampleFor(source);
      blocks > 1 && !options.selection.sample && options.launchSample.empty())
    text += ", 1 block in " + llvm::utostr(blocks) + " recorded";
  if (const unsigned launches = launchesSampled(options); launches > 1)
    text += ", 1 launch in " + llvm::utostr(launches) + " recorded";
  if (options.profile.launchBudget > 0)
    text += fmt::format(", as many launches recorded as take {:g} % of the time", options.profile.launchBudget / 1e4);
  sayNote(text);
  if (summed < decided.asked.size())
    sayNote("  lanes may diverge in " + countOf(decided.asked.size() - summed, "region") +
            " that the profile wants summed up: every entry is recorded; --sample=N bounds what that costs");
  for (const std::string &region : decided.leftOut)
    sayNote("  left out: " + region);
  if (options.verbose)
    for (const std::string &region : decided.asked)
      sayNote("  to be summed up: " + region);
}

} // namespace kperf::cc
