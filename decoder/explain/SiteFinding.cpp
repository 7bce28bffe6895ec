// Builds the findings about memory accesses and models their gain.
#include "decoder/explain/SiteFinding.h"
#include "decoder/explain/SiteFacts.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <span>

namespace kperf::decoder {

/// Of which `ofUnit` is a share.
static PassUnit unitOf(const SiteFacts &site) {
  const std::string_view rule = site.fault.rule;
  return rule == "bank-conflict" ? PassUnit::SharedPasses : rule == "same-address" ? PassUnit::AtomicTurns : PassUnit::Sectors;
}

Gain gainOfSite(const SiteFacts &site, const KernelFacts &kernel, const ProgramFacts &program) {
  if (!program.isMemoryTimed())
    return {.likely = site.ofTraffic / 2, .max = site.ofUnit, .shareOf = unitOf(site), .isOfTime = false};
  const bool isStore = site.fault.site.record->kind == format::SiteKind::Store;
  const double left = (100 - site.ofUnit) / (areApart(site.fault) ? isStore ? 4 : 2 : 1);
  const double most = std::min(100 - left, 100 - site.elsewhere);
  if (site.unitTime <= 0 || kernel.launches.durationNs <= 0)
    return {.likely = most / 2, .max = most, .isOfTime = false};
  const double taken = 100 * std::max(site.unitTime, site.memoryTime) / kernel.launches.durationNs;
  return {.likely = std::min(most, taken), .max = most, .isOfTime = false};
}

/// "exposed" or "hidden", as far as times tell.
static std::string exposure(const SiteFacts &site, const KernelFacts &kernel, const ProgramFacts &program) {
  if (program.isHost)
    return "what that takes is not known here: the host target's memory takes no time";
  if (program.areTimesCounted())
    return "what that takes is not known: the kernel's time holds the counting";
  if (kernel.accesses.kernels > 1)
    return "what that takes is not known: other kernels' accesses were counted with this one's";
  if (!kernel.accesses.scale)
    return "what that takes is not known: other launches were counted than were timed";
  if (kernel.launches.durationNs <= 0 || site.unitTime <= 0)
    return "what that takes is not known: no rate is known of it";
  const double busy = 100 * std::max(site.unitTime, site.memoryTime) / kernel.launches.durationNs;
  return fmt::format("at the rate of the hardware they take {:.1f} % of the kernel's time{}", busy,
                     busy < kMinEvidence ? ": other work hides them" : "");
}

/// Whose numbers the evidence has, where there are several accesses.
static std::string whoseText(const SiteFacts &first, std::size_t sites) {
  if (sites > 1)
    return first.fault.others.empty() ? fmt::format(" (of {} alone)", first.access)
                                      : fmt::format(" (of {} and {} more)", first.access, first.fault.others.size());
  return first.fault.others.empty() ? "" : fmt::format(" (all {} together)", first.fault.others.size() + 1);
}

void addSiteFindings(const KernelFacts &kernel, const ProgramFacts &program, bool (*isOf)(std::string_view rule),
                     std::vector<Explained> &out) {
  std::map<std::pair<std::string, std::string>, std::vector<const SiteFacts *>> byLine; // by rule and place
  for (const SiteFacts &site : kernel.accesses.sites)
    if (isOf(site.fault.rule))
      byLine[{site.fault.rule, site.place}].push_back(&site);
  for (const auto &[key, sites] : byLine) {
    SiteFacts all = *sites.front(); // the one that would save most
    std::size_t others = all.fault.others.size();
    for (const SiteFacts *site : std::span(sites).subspan(1)) {
      others += site->fault.others.size() + 1;
      all.ofTraffic += site->ofTraffic;
      all.ofUnit = std::min(100.0, all.ofUnit + site->ofUnit);
      all.kernels = std::max(all.kernels, site->kernels);
      all.unitTime += site->unitTime;
      all.memoryTime += site->memoryTime;
    }
    if (all.ofTraffic < kMinEvidence)
      continue;
    const std::string more = others > 0 ? fmt::format(" and {} more", others) : "";
    Explained found{.rule = key.first, .what = fmt::format("{}{} in {}", all.access, more, all.function), .place = all.place};
    found.evidence = all.fault.cause + whoseText(all, sites.size());
    if (all.kernels > 1)
      found.evidence += fmt::format(" (in {} kernels together: which part is whose is not counted)", all.kernels);
    if (program.isMemoryTimed() && areApart(all.fault))
      found.evidence += "; memory moves more than these sectors, for they lie apart";
    found.command = "memory";
    found.why = fmt::format("{:.1f} % of {} {} are wasted there; {}", all.ofUnit,
                            (kernel.accesses.uncounted > 0 ? "those that were counted of " : "") +
                                std::string(all.kernels > 1 ? "these kernels'" : "the kernel's"),
                            passUnitText(unitOf(all)), exposure(all, kernel, program));
    if (all.isGuess)
      found.why += fmt::format("; which kernel calls {} is not in the trace: of those that ran this one took longest", all.function);
    found.remedy = all.fault.fix;
    found.confirm = all.fault.effect + " in kperf memory";
    found.gain = gainOfSite(all, kernel, program);
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
