// Rewrites, compiles, and reads the comparison with the plain build.
#include "tool/cc/DeviceTrials.h"

#include "tool/cc/Messages.h"

#include "llvm/ADT/STLExtras.h"

namespace kperf::cc {
namespace {

void sayWhy(const InstrumentJob &job, llvm::Error error) {
  const std::string why = llvm::toString(std::move(error));
  if (job.options.verbose)
    sayNote("the search for what has to be left out stops: " + why);
}

} // namespace

std::optional<std::vector<Region>> DeviceTrials::leaveOut(llvm::ArrayRef<RegionPlace> places) {
  auto made = instrumentWithout(job, input, places);
  if (!made)
    return sayWhy(job, made.takeError()), std::nullopt;
  written = std::move(*made);
  return written ? written->regions() : std::vector<Region>();
}

std::optional<KernelChanges> DeviceTrials::compile() {
  if (!written) // the source as it is
    return KernelChanges();
  if (auto error = plain.prepareAgain(plain::OnRefusal::Report))
    return sayWhy(job, std::move(error)), std::nullopt;
  const std::vector<std::string> words = command(*written);
  if (job.options.verbose)
    sayNote(shellText(words));
  auto end = runProgram(words.front(), words, /*isQuiet=*/true);
  if (!end)
    return sayWhy(job, end.takeError()), std::nullopt;
  if (end->wasInterrupted) {
    interrupted = std::move(*end);
    return std::nullopt;
  }
  if (!end->ok())
    return sayWhy(job, llvm::createStringError("the compiler fails")), std::nullopt;
  KernelChanges refused = plain.changes();
  llvm::erase_if(refused, [](const plain::KernelChange &each) { return !each.isRefused(); });
  return refused;
}

} // namespace kperf::cc
