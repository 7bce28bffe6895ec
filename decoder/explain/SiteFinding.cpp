// What findings of memory accesses have in common.
#include "decoder/explain/SiteFinding.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {

Gain gainOfSite(const SiteFacts &site, const KernelFacts &kernel, const ProgramFacts &program) {
  const double most = site.ofTraffic * (program.isHost ? 1 : site.regionShare / 100);
  if (program.isHost || site.unitTime <= 0 || kernel.durationNs <= 0)
    return {0, most / 2, most, false};
  return {0, std::min(most, 100 * site.unitTime / kernel.durationNs), most, false};
}

/// "exposed" or "hidden", as far as times tell.
static std::string exposure(const SiteFacts &site, const KernelFacts &kernel, const ProgramFacts &program) {
  if (program.isHost)
    return "what that takes is not known here: the host target's memory takes no time";
  if (kernel.durationNs <= 0 || site.unitTime <= 0)
    return "what that takes is not known: no rate is known of it";
  const double busy = 100 * site.unitTime / kernel.durationNs;
  return fmt::format("at the rate of the hardware they take {:.1f} % of the kernel's time{}", busy,
                     busy < kLeastEvidence ? ": other work hides them" : "");
}

void addSiteFindings(const KernelFacts &kernel, const ProgramFacts &program, bool (*isOf)(std::string_view rule),
                     std::vector<Explained> &out) {
  for (const SiteFacts &site : kernel.sites) {
    if (!isOf(site.fault.rule) || site.ofTraffic < kLeastEvidence)
      continue;
    Explained found{.rule = site.fault.rule, .what = fmt::format("{} in {}", site.access, site.function), .place = site.place};
    found.evidence = site.fault.cause;
    found.command = "memory";
    found.why = fmt::format("{:.1f} % of the kernel's passes are wasted there; {}", site.ofTraffic, exposure(site, kernel, program));
    found.remedy = site.fault.fix;
    found.confirm = site.fault.effect + " in kperf memory";
    found.gain = gainOfSite(site, kernel, program);
    out.push_back(std::move(found));
  }
}

} // namespace kperf::decoder
