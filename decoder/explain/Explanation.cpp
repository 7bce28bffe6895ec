// Asks every finder, withholds what the probes may have caused, and ranks the rest.
#include "decoder/explain/Explanation.h"
#include "decoder/io/Utf8.h"
#include "decoder/span/ShortName.h"
#include "decoder/totals/ProbeShare.h"
#include "decoder/view/NoWarpsNote.h"
#include "decoder/view/ReportNotes.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::decoder {
namespace {

std::string extent(const std::uint32_t (&size)[3]) { return fmt::format("{}x{}x{}", size[0], size[1], size[2]); }

std::string shapeOf(const KernelFacts &kernel) {
  if (kernel.launches.durationNs == 0 && kernel.launches.count == 0)
    return "its time was not recorded";
  const std::uint64_t count = kernel.launches.count;
  const std::string recorded = kernel.launches.warpsNotChosen > 0 ? fmt::format("{} of ", kernel.launches.recorded) : "";
  std::string out = fmt::format("{}{} launch{}, grid {}, block {}", recorded, count, count == 1 ? "" : "es",
                                kernel.launches.gridVaries ? "various" : extent(kernel.launches.grid), extent(kernel.launches.block));
  if (const auto &needs = kernel.plainNeeds ? kernel.plainNeeds : kernel.needs)
    out += fmt::format(", {} registers, {} B local, {} block{} an SM{}", needs->registers, needs->localBytes, needs->residentBlocks,
                       needs->residentBlocks == 1 ? "" : "s", kernel.plainNeeds ? "" : " (with probes)");
  return out;
}

/// Where nobody knows what the probes cost, a finding that rests on times is no surer than that there may be nothing.
void allowForProbes(Explained &found, const ProgramFacts &facts) {
  Gain &gain = found.gain;
  gain.mayBeProbes = gain.isOfTime && gain.isKnown && !found.noise && !facts.measuredPercent;
  if (gain.mayBeProbes)
    gain = {.min = 0, .likely = std::min(gain.likely, gain.max / 2), .max = gain.max, .mayBeProbes = true};
}

/// Whether the kernel's launches are too short for their times to say anything: a GPU's timer steps by 32 ns (README), and what starts and
/// ends a launch takes longer.
bool isTooShort(const KernelFacts &kernel) {
  constexpr double kMinNs = 1000;
  return kernel.timeline.launches > 0 && kernel.timeline.duration < kMinNs * static_cast<double>(kernel.timeline.launches);
}

/// Which warps never ended, a clause for each wait that they are in.
std::vector<std::string> clausesOfNeverEnding(const KernelFacts &kernel, const ProgramFacts &facts) {
  std::vector<std::string> out;
  for (const auto &[region, warps] : kernel.recording.stuck)
    out.push_back(fmt::format("{} of {} {}s never came out of {} ({})", warps, kernel.launches.warps, facts.warp(),
                              regionText(facts, region), (*facts.regions)[region].location()));
  if (out.empty() && kernel.neverEnds())
    out.push_back(kernel.launches.warps == 1
                      ? fmt::format("its {} had not finished when it was last seen", facts.warp())
                      : fmt::format("none of its {} {}s had finished when it was last seen", kernel.launches.warps, facts.warp()));
  return out;
}

/// Why a finding is not said; "" where it is. `found`: of a gain that is worth saying.
std::string reasonToWithhold(const Explained &found, const KernelFacts &kernel, const ProgramFacts &facts) {
  if (!found.doubt.empty())
    return fmt::format("({}): {}", found.rule, found.doubt);
  if (!found.gain.isOfTime || !found.gain.isKnown)
    return "";
  if (kernel.neverEnds())
    return fmt::format("({}): {}s of the kernel never ended", found.rule, facts.warp());
  if (facts.clock == "wall clock")
    return fmt::format("({}): the CPU's times tell nothing of a GPU's, {}", found.rule,
                       found.isOfWaits ? "but KPERF_HOST_CLOCK=virtual times waits and barriers, though not the work between them"
                                       : "where it would show");
  if (found.needsTimes && facts.areTimesCounted())
    return fmt::format("({}): its times hold the counting of memory accesses", found.rule);
  if (found.needsTimes && isTooShort(kernel) && found.rule != "launch-gaps")
    return fmt::format("({}): its launches take less than 1 µs each, and to start one takes longer: with a larger input times tell more",
                       found.rule);
  // Probes of its own region, or, where their cost was measured, all together.
  if (found.gain.max <= std::max(2 * found.noise.value_or(0), facts.measuredPercent.value_or(0)))
    return fmt::format("({}, up to {:.0f} %): its probes may have made that", found.rule, found.gain.max);
  return "";
}

KernelExplanation explainKernel(const KernelFacts &kernel, const ProgramFacts &facts, bool isWhole) {
  KernelExplanation out{.name = kernel.name,
                        .shape = shapeOf(kernel),
                        .durationNs = kernel.launches.durationNs,
                        .probeCost = kernel.recording.probeCost,
                        .recordsKept = kernel.recording.recordsKept};
  out.roofline = rooflineOf(kernel, facts);
  out.tensorUse = tensorUseOf(kernel);
  out.floatUse = floatUseOf(kernel);
  out.isReduced = facts.isReduced;
  out.neverEnds = clausesOfNeverEnding(kernel, facts);
  std::vector<Explained> all;
  for (const Finder &finder : finders())
    finder.find(kernel, facts, all);
  for (Explained &found : all)
    allowForProbes(found, facts);
  std::ranges::stable_sort(all, std::greater<>(), [](const Explained &found) { return found.gain.isKnown ? found.gain.likely : 0; });
  for (Explained &found : all) {
    if (!isWhole && found.gain.isKnown && found.gain.expected() < Explanation::kMinGain) {
      out.more.push_back(std::move(found));
    } else if (const std::string reason = reasonToWithhold(found, kernel, facts); !reason.empty()) {
      out.withheld.push_back(fmt::format("{} {}", found.what, reason));
    } else {
      (!isWhole && out.findings.size() >= Explanation::kMaxFindings ? out.more : out.findings).push_back(std::move(found));
    }
  }
  return out;
}

/// Kernels that ran as they are, whose time is in no share.
void addUntimed(Explanation &out) {
  const std::string compiler = out.facts.isHost ? "host" : "nvcc";
  if (const std::string names = unseenNames(out.facts.unseen.untimed); !names.empty())
    out.unknowns.push_back({fmt::format("the time of {}: this build has no probes for it, and shares are without it", names),
                            fmt::format("kperf-cc --auto=kernels {} …, or its warnings", compiler)});
  if (const std::string names = unseenNames(out.facts.unseen.plain); !names.empty())
    out.unknowns.push_back({fmt::format("the time of {}: all of it ran without probes, and shares are without it", names),
                            "KPERF_SAMPLE_LAUNCHES=1, or the warnings of kperf-cc"});
}

/// What is missing of the program as a whole.
void addCut(Explanation &out) {
  const UnseenSum &unseen = out.facts.unseen;
  const bool isFull = unseen.warpsWithoutBuffer > 0;
  if (!out.facts.isCut())
    return;
  const std::string names = unseenNames(unseen.kernels);
  const std::string kernels = names.empty() ? "" : fmt::format("; no {} was kept of {}", out.facts.warp(), names);
  out.unknowns.push_back({isFull ? fmt::format("all of the program: {} found no room, and shares of the time are of what was kept{}",
                                               counted(unseen.warpsWithoutBuffer, out.facts.warp()), kernels)
                                 : fmt::format("all of the program: some launches left no {}, and shares of the time are of the others{}",
                                               out.facts.warp(), kernels),
                          isFull ? "KPERF_BUFFER_MB=…, more than there were, or fewer KPERF_RECORDS" : "kperf info"});
}

/// What a whole trace does not tell.
void addUnknowns(Explanation &out) {
  const ProgramFacts &facts = out.facts;
  const std::string compiler = facts.isHost ? "host" : "nvcc";
  const auto add = [&](std::string what, std::string command) { out.unknowns.push_back({std::move(what), std::move(command)}); };
  if (facts.isReduced)
    add("who waited for whom, tails of blocks: the trace is reduced", "kperf explain of the trace that it was made from");
  else if (!facts.hasWaits)
    add("who waits for whom, the critical path: no waits were recorded, or there are none",
        fmt::format("kperf-cc --probes=region,sync {} …", compiler));
  if (!facts.builds.mixed.empty())
    add("times of one build: these are sums over runs of " + facts.builds.mixed, "kperf explain of one build's traces");
  if (facts.builds.unusedTimes > 0)
    add(fmt::format("times of {} trace{} of a build without waits, which are not added to those with waits", facts.builds.unusedTimes,
                    facts.builds.unusedTimes == 1 ? "" : "s"),
        "kperf explain of it alone");
  if (!facts.builds.uncounted.empty())
    add("what all memory accesses waste: " + facts.builds.uncounted, fmt::format("kperf-cc --probes=memory {} …", compiler));
  if (!facts.hasSites)
    add("what memory accesses waste: none were counted",
        fmt::format("kperf-cc --probes=memory {} …, then kperf explain TRACE MEMORY", compiler));
  if (facts.isHost)
    add(facts.isVirtual ? "times on a GPU: these are what operations are said to take" : "times on a GPU: these are the CPU's",
        "kperf-cc nvcc … on a machine with a GPU");
  if (facts.areTimesCounted())
    add("times without the counting of memory accesses, which costs more than all other probes",
        "kperf explain with a second trace, built with --probes=region,sync");
  if (!facts.isHost && !facts.measuredPercent.has_value())
    add("what the probes cost in all: here they are calibrated only", "kperf explain --build=… --run=…");
  if (!facts.builds.hasPlacement &&
      std::ranges::any_of(facts.kernels, [&](const KernelFacts &each) { return rooflineOf(each, facts).has_value(); }))
    add("operations for each byte that is moved: how many there are is in the program", "kperf explain TRACE MEMORY --placement=PROGRAM");
}

void addAccessUnknowns(Explanation &out, const KernelFacts &kernel) {
  const auto add = [&](std::string what, std::string command) { out.unknowns.push_back({std::move(what), std::move(command)}); };
  if (const std::size_t places = kernel.accesses.uncounted; places > 0 && kernel.accesses.hasCounters)
    add(fmt::format("what all memory accesses of {} come to: in {} place{} of its source they are not counted", kernel.name, places,
                    places == 1 ? "" : "s"),
        "kperf memory --by=unseen says why");
  if (out.facts.isMemoryTimed() && kernel.accesses.kernels > 1)
    add(fmt::format(
            "what the memory accesses of {} take: they were counted together with those of other kernels of the same source, {} in all",
            kernel.name, kernel.accesses.kernels),
        "a run that launches one of them");
  else if (out.facts.isMemoryTimed() && kernel.accesses.hasCounters && !kernel.accesses.scale)
    add(fmt::format("what the memory accesses of {} take: its launches that were timed and those that were counted differ in size, or are "
                    "not known",
                    kernel.name),
        "both builds with the same input");
}

void addKernelUnknowns(Explanation &out, const KernelFacts &kernel) {
  const auto add = [&](std::string what, std::string command) { out.unknowns.push_back({std::move(what), std::move(command)}); };
  if (kernel.recording.recordsKept < 99.5)
    add(fmt::format("all of {}: {:.0f} % of its records were kept", kernel.name, kernel.recording.recordsKept),
        kernel.recording.recordsNeeded ? fmt::format("KPERF_RECORDS={} when the program runs", *kernel.recording.recordsNeeded)
                                       : "KPERF_RECORDS=…, more than there were, when the program runs");
  if (kernel.recording.roomFound)
    add(fmt::format("all of {}: {:.0f} % of what was to be recorded found room", kernel.name, *kernel.recording.roomFound),
        "KPERF_BUFFER_MB=…");
  if (out.facts.areSmsInvented && kernel.timeline.launches > 0 && kernel.timeline.maxBlocks < kernel.device.sms)
    add(fmt::format("whether {} block{} of {} leave{} a GPU idle: the host target's {} SMs are no GPU's", kernel.timeline.maxBlocks,
                    kernel.timeline.maxBlocks == 1 ? "" : "s", kernel.name, kernel.timeline.maxBlocks == 1 ? "s" : "", kernel.device.sms),
        "KPERF_HOST_SMS=N, as many as your GPU has");
  if (kernel.recording.samplingInterval > 1)
    add(fmt::format("tails of {}: one block in {} was recorded", kernel.name, kernel.recording.samplingInterval), "KPERF_SAMPLE=1");
  else if (kernel.launches.warps < kernel.launches.warpsChosen())
    add(fmt::format("all of {}: {} of {} warps were recorded", kernel.name, kernel.launches.warps, kernel.launches.warpsChosen()),
        "KPERF_BUFFER_MB=…");
  if (hasLaunchGaps(kernel) && !kernel.timeline.areGapsIdle)
    add(fmt::format("whether the device idles between launches of {}: of some launches, of it or of others, not all blocks were recorded",
                    kernel.name),
        "KPERF_SAMPLE_LAUNCHES=1 KPERF_SAMPLE=1, and probes in all kernels");
  if (kernel.sync && kernel.sync->incomplete > 0)
    add(fmt::format("the critical path of {}: in {} of {} blocks it breaks", kernel.name, kernel.sync->incomplete, kernel.sync->blocks),
        "kperf overlap says where");
  if (kernel.unattributed > 50) // more than probes account for; the number is that of the report
    add(fmt::format("{:.0f} % of the warp-time of {} is in no region", kernel.outside, kernel.name),
        "KPERF_SCOPE, or kperf-cc --auto=loops,barriers");
  for (const std::string &clause : clausesOfNeverEnding(kernel, out.facts))
    add(fmt::format("how long {} takes: {}", kernel.name, clause),
        kernel.recording.stuck.empty() ? "a run in which it ends" : "kperf overlap says who is missing there");
  if (kernel.launches.durationNs == 0 && !kernel.neverEnds())
    add(fmt::format("how long {} takes: no warp of it was recorded", kernel.name),
        fmt::format("kperf-cc --auto=kernels {} …, then kperf explain TRACE MEMORY", out.facts.isHost ? "host" : "nvcc"));
  addAccessUnknowns(out, kernel);
  if (kernel.recording.isSummed)
    add(fmt::format("tails of {}: its entries were summed up", kernel.name), "kperf-cc without --aggregate");
}

/// Names of a line at most, where these tell the kernels apart.
std::vector<std::string> cutNames(const std::vector<std::string> &names) {
  constexpr std::size_t kColumns = 73;
  std::vector<std::string> cut;
  for (const std::string &name : names)
    cut.push_back(shortened(printable(name), kColumns));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out.push_back(std::ranges::count(cut, cut[i]) == 1 ? cut[i] : names[i]);
  return out;
}

/// Moves what stands in `from` at `first` and behind it to the end of `to`.
void moveFrom(std::vector<Unknown> &from, std::size_t first, std::vector<Unknown> &to) {
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
  std::move(begin, from.end(), std::back_inserter(to));
  from.erase(begin, from.end());
}

} // namespace

Explanation explain(ProgramFacts facts, ExplanationOptions options) {
  Explanation out;
  out.facts = std::move(facts);
  out.isWhole = options.isWhole;
  std::vector<std::string> names;
  for (const KernelFacts &kernel : out.facts.kernels)
    names.push_back(kernel.name);
  if (!options.hasFullNames)
    names = cutNames(shortKernelNames(names));
  for (std::size_t i = 0; i < names.size(); ++i)
    out.facts.kernels[i].name = names[i];
  addCut(out);
  addUntimed(out);
  std::vector<Unknown> minor;
  double all = out.facts.builds.leftOutNs;
  for (const KernelFacts &kernel : out.facts.kernels)
    all += kernel.launches.durationNs;
  for (const KernelFacts &kernel : out.facts.kernels) {
    if (!options.isWhole && out.kernels.size() == Explanation::kMaxKernels) {
      ++out.moreKernels;
      continue;
    }
    out.kernels.push_back(explainKernel(kernel, out.facts, options.isWhole));
    out.kernels.back().share = all > 0 ? 100 * kernel.launches.durationNs / all : 0;
    const std::size_t before = out.unknowns.size();
    addKernelUnknowns(out, kernel);
    if (const double share = out.kernels.back().share; share > 0 && share < Explanation::kMinorShare)
      moveFrom(out.unknowns, before, minor);
  }
  for (const std::string &loss : out.facts.losses)
    out.unknowns.push_back({"what was lost: " + loss, "kperf info"});
  addUnknowns(out);
  std::ranges::move(minor, std::back_inserter(out.unknowns)); // what is said first is of most of the time
  return out;
}

std::string clockText(const ProgramFacts &facts) {
  if (facts.isHost)
    return "host target, " + facts.clock;
  return fmt::format("{}, {}", facts.device.empty() ? "GPU" : facts.device, facts.clock);
}

std::string recordedText(const ProgramFacts &facts) {
  bool hasRegions = false;
  for (const KernelFacts &kernel : facts.kernels)
    hasRegions |= !kernel.regions.empty();
  std::vector<std::string> out;
  if (hasRegions)
    out.emplace_back("regions");
  if (facts.hasWaits)
    out.emplace_back("waits");
  if (facts.hasSites)
    out.emplace_back("memory accesses");
  return out.empty() ? "launches only" : fmt::format("{}", fmt::join(out, ", "));
}

std::string costText(const Explanation &explanation) {
  const ProgramFacts &facts = explanation.facts;
  if (facts.measuredPercent)
    return fmt::format("probes cost {:+.1f} % (measured against {} without them)", *facts.measuredPercent,
                       facts.isMeasuredByLaunches ? "launches" : "the program");
  double cost = 0, time = 0, all = 0;
  for (const KernelFacts &kernel : facts.kernels) {
    cost += percentOfAll(kernel.recording.probeCost.value_or(0), kernel.recording.probedShare) * kernel.launches.durationNs /
            kernel.launches.timesAsRecorded;
    time += kernel.recording.probeCost ? kernel.launches.durationNs : 0;
    all += kernel.launches.durationNs;
  }
  if (time < 0.9 * all || time == 0) // of the others it may be anything
    return "what probes cost was not measured";
  return fmt::format("probes took {}{:.1f} % of the time (calibrated{}{})", facts.isHost ? "" : "at least ", cost / time,
                     facts.isHost ? "" : ": records alone",
                     facts.hasSitesInTimes && !facts.isVirtual ? ", without those of memory accesses" : "");
}

std::string gainText(const Gain &gain) {
  if (!gain.isKnown)
    return "not known: how often that is accessed is not recorded";
  if (gain.shareOf)
    return fmt::format("not known here: 0 to {:.0f} % of the kernel, by how much of its time its {} take", gain.max,
                       passUnitText(*gain.shareOf));
  return fmt::format("{:.0f} % of the kernel ({:.0f} to {:.0f} %){}", gain.likely, gain.min, gain.max,
                     gain.mayBeProbes ? ", or nothing: what probes cost is not known, and may be all of it" : "");
}

Table explanationTable(const Explanation &explanation) {
  using Role = Column::Role;
  Table table{.name = "explanation",
              .columns = {{"kernel", Unit::None, Role::Group},
                          {"finding", Unit::None, Role::Label},
                          {"where", Unit::None, Role::Value, 90},
                          {"gain", Unit::None, Role::Value, 99},
                          {"evidence", Unit::None, Role::Value, 80},
                          {"try", Unit::None, Role::Value, 85}},
              .title = "What limits this program"};
  for (const KernelExplanation &kernel : explanation.kernels)
    for (const Explained &found : kernel.findings)
      table.rows.push_back({kernel.name, fmt::format("{}: {}", found.rule, found.what), withoutFolders(found.place), gainText(found.gain),
                            found.evidence, found.remedy});
  table.notes.push_back(
      fmt::format("{}; recorded: {}; {}", clockText(explanation.facts), recordedText(explanation.facts), costText(explanation)));
  if (table.rows.empty())
    table.notes.emplace_back("nothing stands out");
  for (const KernelExplanation &kernel : explanation.kernels)
    if (kernel.roofline)
      table.notes.push_back(fmt::format("memory of {}: {}", kernel.name, rooflineText(*kernel.roofline, false)));
  for (const Unknown &unknown : explanation.unknowns)
    table.notes.push_back(fmt::format("not known: {} ({})", unknown.what, unknown.command));
  return table;
}

} // namespace kperf::decoder
