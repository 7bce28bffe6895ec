// A finding: one thing that makes a kernel slower than it need be, its evidence, and what changing it would gain.
#ifndef KPERF_DECODER_FINDER_H
#define KPERF_DECODER_FINDER_H

#include "decoder/explain/Facts.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::decoder {

/// What memory accesses take of the unit that serves them.
enum class PassUnit { Sectors, SharedPasses, AtomicTurns };

/// Percent of the kernel's duration that a fix is predicted to save.
struct Gain {
  double min = 0, likely = 0, max = 0;
  /// Set where nobody knows how much of the time goes into these: `max` is the share of them that is wasted, and `likely` only says which
  /// finding comes first.
  std::optional<PassUnit> shareOf = {};
  /// Whether it rests on times; else on what memory accesses move, and the maximum is if all time went into that.
  bool isOfTime = true;
  /// It rests on times of which nobody knows what the probes added: that they made all of it can't be excluded.
  bool mayBeProbes = false;
  bool isKnown = true; ///< else nothing is known of it, and the numbers mean nothing

  /// What of it decides whether it is worth saying: the most, where what is likely is not known.
  double expected() const { return shareOf ? max : likely; }
};

struct Explained {
  std::string rule;     ///< kebab-case: what it is; the finder's name or a kind of it
  std::string what;     ///< in a few words, with the region, wait or access
  std::string place;    ///< "src/file.cu:12", the path as the compiler had it; "" when unknown
  std::string evidence; ///< the numbers
  std::string command;  ///< of kperf, without the traces: says those numbers too
  std::string why;
  std::string remedy;  ///< what to try
  std::string confirm; ///< what would show that it was that
  Gain gain;
  /// Whether the evidence is of times; that of a grid too small for its device is not, whatever made these longer.
  bool needsTimes = true;
  bool isOfWaits = false;          ///< whether the evidence is of waits, which the host target's virtual clock times
  std::string doubt = {};          ///< why it is withheld whatever its gain; "" for nothing
  std::optional<double> noise = 0; ///< percent of the kernel's duration: what the probes may have added to the evidence; nothing: not known
};

using FindIn = void (*)(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out);

struct Finder {
  const char *name;
  FindIn find;
};

#define KPERF_FINDER(name) void find##name(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out);
#include "decoder/explain/Finders.def"
#undef KPERF_FINDER

std::span<const Finder> finders();

/// Whether there is much time between short launches of the kernel that were recorded, whatever the device does meanwhile.
bool hasLaunchGaps(const KernelFacts &kernel);

/// What a finder needs of evidence before it says anything, in percent of the kernel's duration.
inline constexpr double kMinEvidence = 2;

/// "1234 cycles", "2.5 Mcycles"; "93 ns", "942.4 µs".
std::string cyclesText(double cycles);
std::string nsText(double ns);

/// "sectors", "passes over shared memory", "turns of atomics".
std::string_view passUnitText(PassUnit unit);

/// "region 'softmax'", "wait 'x'" or "the kernel" for RegionSet::kNone.
std::string regionText(const ProgramFacts &program, std::uint32_t region);
/// "src/file.cu:12" of a region, the path as the compiler had it; "" when unknown.
std::string placeOf(const ProgramFacts &program, std::uint32_t region);
/// "file.cu:12" of "src/file.cu:12", for people.
std::string withoutFolders(const std::string &place);

} // namespace kperf::decoder

#endif
