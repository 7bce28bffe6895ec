// What limits a program: each kernel's findings by the time that they could save, what is unknown, and which measurement would tell.
#ifndef KPERF_DECODER_EXPLANATION_H
#define KPERF_DECODER_EXPLANATION_H

#include "decoder/explain/Finder.h"
#include "decoder/explain/Roofline.h"
#include "decoder/explain/UnitUse.h"
#include "decoder/io/Output.h"
#include "decoder/table/Table.h"

#include <limits>
#include <string>
#include <vector>

namespace kperf::decoder {

struct KernelExplanation {
  std::string name, shape; ///< name: short, where only one kernel has it; shape: launches, grid, block, registers
  double durationNs = 0;   ///< of all launches
  double share = 0;        ///< percent of the time of all kernels
  std::optional<double> probeCost;
  double recordsKept = 100; ///< percent of those of recorded warps
  std::optional<Roofline> roofline;
  std::optional<UnitUse> tensorUse, floatUse;
  bool isReduced = false;             ///< of a reduced trace: who waited for whom is not in it
  std::vector<std::string> neverEnds; ///< which warps of it did not, a clause each: nothing is said of its times
  std::vector<Explained> findings;    ///< those that could save most first, at most kMaxFindings
  std::vector<Explained> more;        ///< that are only named: a gain below kMinGain is likely, or others come first
  std::vector<std::string> withheld;  ///< what the probes may have caused, with what would tell
};

/// Something that these traces do not tell, and the command that would.
struct Unknown {
  std::string what, command;
};

struct Explanation {
  static constexpr std::size_t kMaxFindings = 3, kMaxKernels = 8;
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  static constexpr double kMinGain = 5;    ///< percent of the kernel's duration
  static constexpr double kMinorShare = 1; ///< percent of all kernels' time: what is not known of a shorter kernel is said last

  ProgramFacts facts;
  std::vector<KernelExplanation> kernels; ///< those of most time first, at most kMaxKernels
  std::size_t moreKernels = 0;
  std::vector<Unknown> unknowns;
  bool isWhole = false; ///< all findings of all kernels, however many and little they gain
};

struct ExplanationOptions {
  bool hasFullNames = false; ///< kernels go by their whole names
  bool isWhole = false;      ///< nothing is left out: not by number, nor because little is likely to be gained
};

Explanation explain(ProgramFacts facts, ExplanationOptions options = {});

/// "host target, virtual clock": what the times are of.
std::string clockText(const ProgramFacts &facts);
/// "regions, waits": what was recorded.
std::string recordedText(const ProgramFacts &facts);
/// "probes 12 % (calibrated)": what recording cost.
std::string costText(const Explanation &explanation);
/// "12 % (3 to 15)", or what can be said of it.
std::string gainText(const Gain &gain);

/// At most `most` lines of at most `columns` columns: what does not fit is named, or counted. A whole explanation has as many as it needs.
std::string explanationText(const Explanation &explanation, std::size_t columns, std::size_t most);
/// One object of the schema in docs/explain.md, of at most 4096 bytes: what does not fit is named, or counted. A whole explanation is as
/// long as it is.
std::string explanationJson(const Explanation &explanation);
/// A row for each finding, for pages.
Table explanationTable(const Explanation &explanation);

} // namespace kperf::decoder

#endif
