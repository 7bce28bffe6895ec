// Chooses the launches that are recorded so that recording takes a given share of the time of all launches.
//
// Launches of a kernel come in rounds of N, of which one is recorded, at a place that a hash chooses. N stands when the round begins, so
// that each launch of it is recorded with probability 1/N whatever was seen before: N times what a recorded launch adds up to is an
// estimate without bias (D. G. Horvitz, D. J. Thompson, A generalization of sampling without replacement from a finite universe, JASA 47,
// 1952). From one round to the next N follows the times of launches that were seen meanwhile.
#ifndef KPERF_RUNTIME_OVERHEADBUDGET_H
#define KPERF_RUNTIME_OVERHEADBUDGET_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kperf::runtime {

/// The mean of the logarithms of times, of which newer ones count more, and those that are far off less.
class RecentMean {
public:
  /// `gain`: what the newest value counts, at least.
  explicit RecentMean(double gain) : gain(gain) {}

  /// Whether the value is near the mean, as far as that is known.
  bool add(double value);
  /// Fewer than three values may all be far off.
  bool isKnown() const { return values >= kFirst; }
  double mean() const { return center; }
  /// How many values in a row were far above the mean by now; less than 0: below it.
  int away() const { return run; }
  /// Begins with these, to each of which `shift` is added.
  void beginAnew(double shift = 0);

private:
  static constexpr int kFirst = 3;

  double gain, center = 0, spread = 0;
  double some[kFirst] = {}; ///< the first values; then the newest of those in a row that were far on one side
  int values = 0, run = 0;
};

class OverheadBudget {
public:
  struct Choice {
    bool isRecorded;
    std::uint32_t oneIn; ///< the launch is recorded with probability 1/oneIn
    bool isTimed;        ///< add() is to be told how long it takes, when that is known
  };

  /// Launches that one recorded launch stands for, at most: every kernel is seen now and then.
  static constexpr std::uint32_t kMaxOneIn = 1024;
  /// What two events of a stream around a launch add to its time: 4.6 and 6.4 us on two H100s (test/gpu/budget.py).
  static constexpr double kTimingNs = 6000;

  /// `budget`: a share of the launches' time without probes. `timingNs`: what it adds to a launch to be timed.
  explicit OverheadBudget(double budget, double timingNs = kTimingNs) : share(budget), timingNs(timingNs) {}

  /// About the next launch of a kernel, which the caller numbers from 0.
  Choice choose(std::uint32_t kernel);
  /// A launch of it that was to be timed took so long; 0: nobody knows.
  void add(std::uint32_t kernel, bool isRecorded, double ns);

  double budget() const { return share; }
  /// What was added to the launches' time, as far as is known, as a share of it.
  double overhead() const { return timeNs > 0 ? addedNs / timeNs : 0; }
  /// Whether one launch in kMaxOneIn of each kernel takes more than the budget.
  bool isExceeded() const { return hasExceeded; }

private:
  static constexpr unsigned kMinAgreeing = 2;

  struct Kernel {
    std::uint32_t oneIn = 0, at = 0, place = 0;             ///< of the round
    std::uint32_t rounds = 0, roundsOfOne = 0;              ///< roundsOfOne: in a row
    double carry = 0;                                       ///< by which the rounds so far were too short
    std::uint64_t made[2] = {};                             ///< launches, by whether they were recorded
    unsigned awaited[2] = {};                               ///< of these: times that are to come
    std::uint64_t unknownRecorded = 0, unknownLaunches = 0; ///< before their times were known
    unsigned agreeing = 0;                                  ///< plain times that were as expected, since a ratio was not
    double recent = 0;                                      ///< launches, of which older ones count less
    std::uint64_t lastLaunch = 0;                           ///< of all
    RecentMean plainNs{1 / 16.0}, ratio{1 / 8.0};           ///< ratio: of a recorded launch's time to that

    bool isKnown() const { return plainNs.isKnown() && ratio.isKnown(); }
    double plainTime() const;
    double addedTime() const; ///< by the probes
    /// Whether the newest times may tell of a change, and others are to tell whether they do.
    bool isInDoubt() const { return plainNs.away() != 0 || (ratio.away() != 0 && agreeing < kMinAgreeing); }
  };

  bool isTimed(const Kernel &kernel, std::uint32_t index, bool isRecorded) const;
  double timedShare(const Kernel &kernel, bool isRecorded) const;
  void beginRound(Kernel &kernel, std::uint32_t index);
  double wantedLength(const Kernel &kernel) const;
  double addedByRecording(const Kernel &kernel) const;
  double partOf(const Kernel &kernel) const;
  void account(const Kernel &kernel, double launches, double recorded, double timed);
  void correct(const Kernel &kernel, double ns);
  void noteChange(Kernel &kernel);
  void beginAnew(Kernel &kernel, double shift);
  void apportion();
  double addedAt(double scale) const;
  double recentOf(const Kernel &kernel) const;

  double share, timingNs;
  std::vector<Kernel> kernels;
  std::uint64_t launches = 0, apportionAt = 0; ///< apportionAt: how many launches it is done again
  double scale = 1;                            ///< of every kernel's part of the budget, so that all of it is used
  double allowed = 0, added = 0;               ///< ns, of which older ones count less
  double timeNs = 0, addedNs = 0;              ///< of all launches
  bool hasExceeded = false;
};

} // namespace kperf::runtime

#endif
