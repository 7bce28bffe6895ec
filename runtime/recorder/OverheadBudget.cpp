// Follows what launches take with probes and without.
#include "runtime/recorder/OverheadBudget.h"

#include <kperf/rules/BlockSample.h>

#include <algorithm>
#include <cmath>

namespace kperf::runtime {
namespace {

constexpr double kRecentLaunches = 1000; ///< count e times as much as as many before them
constexpr unsigned kFirstRounds = 3;     ///< behind the first launch, to learn what recording costs
constexpr double kFirstLength = 8;
constexpr unsigned kMaxRoundsOfOne = 32;                ///< or nothing is known any more of launches without probes
constexpr unsigned kFirstAwaited = 4, kMaxAwaited = 16; ///< times of one kernel's launches of either kind
constexpr double kAssumedRatio = 1;                     ///< of what probes add to a launch's time, until some was seen

/// Rounds have few lengths, as many as strata of an estimate can be (SampledBlocks.h of the decoder): 1, 2, 3, 4, 6, 8, 12, …
std::uint32_t roundLength(double wanted) {
  std::uint32_t below = 1, above = 1;
  while (above < wanted && above < OverheadBudget::kMaxOneIn) {
    below = above;
    above = (above & (above - 1)) == 0 && above > 1 ? above + above / 2 : above == 1 ? 2 : above / 3 * 4;
  }
  return wanted - below < above - wanted ? below : above;
}

/// Of any share of numbers, as good as independently of how they follow each other.
bool isOfShare(std::uint64_t number, std::uint32_t salt, double share) {
  return detail::scrambled(static_cast<std::uint32_t>(number) * 0x9e3779b1u + salt * 0x85ebca6bu + 7) < share * 0x1p32;
}

} // namespace

bool RecentMean::add(double value) {
  constexpr double kFar = 4, kMinSpread = 0.03;
  if (!isKnown()) {
    some[values++] = value;
    std::sort(some, some + values);
    center = some[values / 2]; // of three the median, which is least likely to be far off
    spread = isKnown() ? std::min(some[2] - center, center - some[0]) : 0;
    return true;
  }
  const double off = value - center, most = kFar * std::max(spread, kMinSpread);
  const bool isNear = std::abs(off) <= most;
  if (isNear || (off > 0) != (run > 0))
    run = 0;
  if (!isNear) {
    if (std::abs(run) == kFirst)
      std::rotate(some, some + 1, some + kFirst);
    else
      run += off > 0 ? 1 : -1;
    some[std::abs(run) - 1] = value;
  }
  const double counted = isNear ? off : std::copysign(most, off), part = std::max(gain, 1.0 / ++values);
  spread += part * (std::abs(counted) - spread);
  center += part * counted;
  return isNear;
}

void RecentMean::beginAnew(double shift) {
  std::sort(some, some + std::abs(run));
  center = some[run > 0 ? (run - 1) / 2 : -run / 2] + shift; // the nearer one of two
  values = kFirst;
  run = 0;
}

double OverheadBudget::Kernel::plainTime() const { return std::exp(plainNs.mean()); }

double OverheadBudget::Kernel::addedTime() const { return plainTime() * std::max(0.0, std::exp(ratio.mean()) - 1); }

double OverheadBudget::recentOf(const Kernel &kernel) const {
  return kernel.recent * std::exp(-static_cast<double>(launches - kernel.lastLaunch) / kRecentLaunches);
}

OverheadBudget::Choice OverheadBudget::choose(std::uint32_t index) {
  if (index >= kernels.size())
    kernels.resize(index + 1);
  Kernel &kernel = kernels[index];
  ++launches;
  kernel.recent = recentOf(kernel) + 1;
  kernel.lastLaunch = launches;
  if (kernel.at == kernel.oneIn)
    beginRound(kernel, index);
  Choice choice{kernel.at++ == kernel.place, kernel.oneIn, false};
  choice.isTimed = isTimed(kernel, index, choice.isRecorded);
  ++kernel.made[choice.isRecorded];
  kernel.awaited[choice.isRecorded] += choice.isTimed;
  if (kernel.isKnown()) {
    account(kernel, 1, choice.isRecorded, choice.isTimed);
  } else {
    ++kernel.unknownLaunches;
    kernel.unknownRecorded += choice.isRecorded;
  }
  return choice;
}

/// The first launch of either kind may wait for its code to be loaded.
bool OverheadBudget::isTimed(const Kernel &kernel, std::uint32_t index, bool isRecorded) const {
  const std::uint64_t number = kernel.made[isRecorded];
  return number > 0 && kernel.awaited[isRecorded] < (kernel.isKnown() ? kMaxAwaited : kFirstAwaited) &&
         isOfShare(number, 2 * index + isRecorded, timedShare(kernel, isRecorded));
}

/// So that times cost the host under 1 us a launch (a time takes 6), and the device a part of the budget.
double OverheadBudget::timedShare(const Kernel &kernel, bool isRecorded) const {
  constexpr double kMaxShare = 1 / 12.0;
  if (isRecorded && !kernel.ratio.isKnown())
    return 1;
  if (!isRecorded && (!kernel.plainNs.isKnown() || kernel.oneIn == 2 || kernel.isInDoubt()))
    return 0.5;
  if (isRecorded)
    return kernel.ratio.away() != 0
               ? 1
               : std::clamp(kernel.addedTime() / (2 * timingNs), 1 / 16.0, std::min(1.0, kMaxShare * std::max(kernel.oneIn, 1u)));
  return std::clamp(share * kernel.plainTime() / (8 * timingNs), 1 / 256.0, kMaxShare);
}

void OverheadBudget::beginRound(Kernel &kernel, std::uint32_t index) {
  if (launches >= apportionAt)
    apportion();
  const double length = wantedLength(kernel), wanted = length + std::clamp(kernel.carry, -length / 2, length / 2);
  kernel.oneIn = kernel.rounds == 0 ? 1 : roundLength(wanted);
  kernel.carry = kernel.isKnown() ? wanted - kernel.oneIn : 0;
  kernel.roundsOfOne = kernel.oneIn == 1 ? kernel.roundsOfOne + 1 : 0;
  if (kernel.roundsOfOne > kMaxRoundsOfOne)
    kernel.oneIn = 2, kernel.roundsOfOne = 0;
  kernel.at = 0;
  kernel.place = detail::scrambled(kernel.rounds++ * 0x9e3779b1u + index + 1) % kernel.oneIn;
}

double OverheadBudget::wantedLength(const Kernel &kernel) const {
  const double needed = addedByRecording(kernel) / partOf(kernel), most = kMaxOneIn;
  if (!kernel.isKnown()) { // what little is known may make it longer
    const double assumed = kernel.rounds <= kFirstRounds ? kFirstLength : kAssumedRatio / share;
    return std::clamp(std::max(assumed, kernel.plainNs.isKnown() ? needed / 2 : 0), 1.0, most);
  }
  // What was left over lately, or was too much, is made up for, but slowly: no part of a run is to exceed the budget for another.
  const double correction = allowed > 0 ? std::clamp(1 + 3 * (allowed - added) / allowed, 0.4, 1.5) : 1;
  const double least = kernel.isInDoubt() ? std::max(kernel.oneIn, 2u) : kernel.oneIn / 2.0;
  return std::clamp(needed / (scale * correction), std::max(1.0, least), std::min(most, 4.0 * kernel.oneIn));
}

/// Of a launch.
double OverheadBudget::addedByRecording(const Kernel &kernel) const {
  return std::max(1e-9, kernel.addedTime() + timingNs * timedShare(kernel, true));
}

/// Of the budget, for each launch, less what it takes to time those without probes.
double OverheadBudget::partOf(const Kernel &kernel) const {
  return std::max(0.5 * share * kernel.plainTime(), share * kernel.plainTime() - timingNs * timedShare(kernel, false));
}

void OverheadBudget::account(const Kernel &kernel, double count, double recorded, double timed) {
  const double time = count * kernel.plainTime(), more = recorded * kernel.addedTime() + timed * timingNs;
  const double kept = std::exp(-count / kRecentLaunches);
  allowed = allowed * kept + share * time;
  added = added * kept + more;
  timeNs += time;
  addedNs += more;
}

/// By how much a recorded launch took more or less than it was counted for, and as many as were not timed.
void OverheadBudget::correct(const Kernel &kernel, double ns) {
  const double more = (ns - kernel.plainTime() - kernel.addedTime()) / timedShare(kernel, true);
  added += more;
  addedNs += more;
}

/// What recording adds to recent launches where every kernel has `by` times its part of the budget.
double OverheadBudget::addedAt(double by) const {
  double sum = 0;
  for (const Kernel &kernel : kernels)
    if (kernel.isKnown()) {
      const double each = addedByRecording(kernel);
      sum += recentOf(kernel) * std::clamp(partOf(kernel) * by / each, 1.0 / kMaxOneIn, 1.0) * each;
    }
  return sum;
}

/// A kernel that is cheap to record leaves some of its part, one that is dear takes more: by one factor the others make up for it.
void OverheadBudget::apportion() {
  apportionAt = launches + std::max<std::uint64_t>(64, 8 * kernels.size());
  double parts = 0;
  for (const Kernel &kernel : kernels)
    parts += kernel.isKnown() ? partOf(kernel) * recentOf(kernel) : 0;
  if (parts <= 0)
    return;
  constexpr double kMaxScale = 64;
  hasExceeded = addedAt(0) > parts;
  double low = -std::log(kMaxScale), high = std::log(kMaxScale);
  for (unsigned i = 0; i < 12; ++i) {
    const double middle = (low + high) / 2;
    (addedAt(std::exp(middle)) < parts ? low : high) = middle;
  }
  scale = std::exp(low);
}

void OverheadBudget::add(std::uint32_t index, bool isRecorded, double ns) {
  Kernel &kernel = kernels[index];
  kernel.awaited[isRecorded] -= kernel.awaited[isRecorded] > 0;
  if (ns <= 0 || (isRecorded && !kernel.plainNs.isKnown()))
    return;
  const bool wasKnown = kernel.isKnown();
  if (!isRecorded) {
    kernel.agreeing += kernel.plainNs.add(std::log(ns));
  } else if (kernel.ratio.add(std::log(ns) - kernel.plainNs.mean())) {
    if (wasKnown)
      correct(kernel, ns);
  } else if (std::abs(kernel.ratio.away()) == 1) {
    kernel.agreeing = 0;
  }
  noteChange(kernel);
  if (wasKnown || !kernel.isKnown())
    return;
  apportionAt = 0;
  account(kernel, static_cast<double>(kernel.unknownLaunches), static_cast<double>(kernel.unknownRecorded), 0);
}

/// What holds a launch up makes it longer, seldom several times in a row; nothing makes one shorter. A recorded launch that takes less than
/// it did tells nothing of probes until launches without them are known to take what they did.
void OverheadBudget::noteChange(Kernel &kernel) {
  if (const int away = kernel.plainNs.away(); away >= 3 || away <= -2) {
    const double before = kernel.plainNs.mean();
    kernel.plainNs.beginAnew();
    if (kernel.ratio.isKnown() && kernel.ratio.away() != 0)
      beginAnew(kernel, before - kernel.plainNs.mean());
    apportionAt = 0;
  }
  if (const int away = kernel.ratio.away(); (away >= 2 || away <= -1) && kernel.agreeing >= kMinAgreeing)
    beginAnew(kernel, 0);
}

/// With the ratios that were not as expected; launches that they are of were counted for too much, or too little.
void OverheadBudget::beginAnew(Kernel &kernel, double shift) {
  const double times = std::abs(kernel.ratio.away()), before = kernel.addedTime();
  kernel.ratio.beginAnew(shift);
  added += times * (kernel.addedTime() - before);
  addedNs += times * (kernel.addedTime() - before);
  apportionAt = 0;
}

} // namespace kperf::runtime
