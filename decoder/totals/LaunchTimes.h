// What launches took with a kernel's probes and without, and so what the probes cost it: measured, not worked out.
#ifndef KPERF_DECODER_LAUNCH_TIMES_H
#define KPERF_DECODER_LAUNCH_TIMES_H

#include "decoder/io/Error.h"
#include "decoder/trace/Trace.h"

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace kperf::decoder {

/// By how much a kernel's probes slow its launches down, of one grid at a time.
struct MeasuredOverhead {
  double percent = 0;
  std::optional<std::pair<double, double>> interval; ///< of 95 %, in percent; nothing: what differs from run to run is not known
  double plainNs = 0;                                ///< that a launch takes without probes, on average of the grids
  std::uint64_t probed = 0, plain = 0;               ///< launches that were timed
  bool isOfOneRun = true;                            ///< both kinds ran in one run, in turns; else each in runs of its own
};

class LaunchTimes final : public TraceVisitor {
public:
  using Devices = std::function<std::uint32_t(std::uint32_t)>;

  static Expected<LaunchTimes> read(std::initializer_list<std::span<const Trace>> groups);
  /// Adds what a trace has, each trace a run, or several. Of kernels that its build gives no probes all launches count as ones without.
  /// `deviceOf`: by which number a device goes here; else by its ordinal.
  Status add(const Trace &trace, const Devices &deviceOf = {});
  void launchTimes(std::span<const format::LaunchTimesRecord> rows) override;

  /// Of a kernel, by the name that its warps have, or its launches. Nothing where not enough launches of both kinds were timed, or those of
  /// grids of which they were are less than half of them. Where some run has both kinds, runs without the other do not count.
  std::optional<MeasuredOverhead> of(const std::string &kernel) const;
  /// Of kernels, of which the launches that were recorded took so many ns: of all together, where those of which it was measured took 90 %
  /// of it or more.
  std::optional<double> together(std::span<const std::pair<std::string, double>> kernels) const;
  /// All that was added, by kernel: rows whose `kernel` means nothing and whose device is as deviceOf() said.
  std::vector<std::pair<std::string, format::LaunchTimesRecord>> rows() const;

private:
  struct Shape {
    std::uint32_t device = 0;
    std::array<std::uint32_t, 3> grid{}, block{};
    std::uint32_t dynamicSharedBytes = 0;
    auto operator<=>(const Shape &) const = default;
  };
  struct Times {
    double launches = 0, totalNs = 0, middleNs = 0, errorNs = 0;
    double freedom = 0; ///< degrees, of errorNs

    void add(const format::LaunchTimesRecord &row);
  };
  using Kinds = std::array<Times, 2>;          ///< with probes, without
  using Runs = std::map<std::uint32_t, Kinds>; ///< by number of the run
  using Shapes = std::map<Shape, Runs>;
  struct Mean {
    double launches = 0, ns = 0;
    std::optional<double> errorNs;
    double freedom = 0;
  };
  struct Pair {
    Mean probed, plain;
    bool isOfOneRun = false;
  };

  const Shapes *shapesOf(const std::string &kernel) const;
  static std::optional<Pair> pairOf(const Runs &runs);
  static Mean meanOf(const Runs &runs, bool isPlain, bool isPaired);

  const Trace *trace = nullptr;
  Devices deviceOf;
  std::set<std::string> recorded; ///< kernels, by the trace's build
  std::uint32_t runsBefore = 0, runCount = 0;
  std::map<std::string, Shapes> kernels; ///< by the name of their launches
};

} // namespace kperf::decoder

#endif
