// Builds a source's device code with some of its regions left out, only to learn what ptxas says of them.
#ifndef KPERF_TOOL_CC_DEVICE_TRIALS_H
#define KPERF_TOOL_CC_DEVICE_TRIALS_H

#include "tool/cc/Culprits.h"
#include "tool/cc/Instrument.h"
#include "tool/process/Process.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kperf::cc {

class DeviceTrials : public PartialBuilds {
public:
  /// The command that makes device code of a copy of the source.
  using Command = std::function<std::vector<std::string>(const SourceCopy &)>;

  /// `input`: the source's index in the job's command. Its copy is written anew by every trial.
  DeviceTrials(const InstrumentJob &job, std::size_t input, plain::PlainCopies &plain, Command command)
      : job(job), input(input), plain(plain), command(std::move(command)) {}

  std::optional<std::vector<Region>> leaveOut(llvm::ArrayRef<RegionPlace> places) override;
  std::optional<KernelChanges> compile() override;

  /// The copy of the last leaveOut; nothing where it left nothing to instrument.
  const std::optional<SourceCopy> &copy() const { return written; }
  /// How the compiler ended where a signal stopped the search.
  const std::optional<ProcessEnd> &interruption() const { return interrupted; }

private:
  const InstrumentJob &job;
  std::size_t input;
  plain::PlainCopies &plain;
  Command command;
  std::optional<SourceCopy> written;
  std::optional<ProcessEnd> interrupted;
};

} // namespace kperf::cc

#endif
