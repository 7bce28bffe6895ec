// An explanation for programs: one object of a versioned schema (docs/explain.md), small enough to be read whole.
#include "decoder/explain/Explanation.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMostBytes = 4096;

/// How much is said: texts are cut to so many characters.
struct Extent {
  std::size_t kernels, findings, text, unknowns;
};

std::string quoted(const std::string &text, const Extent &extent) { return jsonQuoted(shortened(printable(text), extent.text)); }

std::string number(double value) { return fmt::format("{:.4g}", value); }

std::string gainJson(const Gain &gain, bool isHost) {
  const bool isKnown = gain.isOfTime || !isHost;
  return fmt::format("{{\"least\":{},\"likely\":{},\"most\":{},\"of\":\"{}\"}}", number(gain.least), isKnown ? number(gain.likely) : "null",
                     number(gain.most), isKnown ? "kernel-time" : "kernel-passes");
}

std::string findingJson(const Explained &found, const Explanation &all, const Extent &extent) {
  return fmt::format(
      "{{\"rule\":{},\"what\":{},\"place\":{},\"gain_percent\":{},\"evidence\":{},\"command\":{},\"why\":{},\"try\":{},\"confirm\":{}}}",
      quoted(found.rule, extent), quoted(found.what, extent), quoted(found.place, extent), gainJson(found.gain, all.facts.isHost),
      quoted(found.evidence, extent), quoted("kperf " + found.command, extent), quoted(found.why, extent), quoted(found.remedy, extent),
      quoted(found.confirm, extent));
}

std::string kernelJson(const KernelExplanation &kernel, const Explanation &all, const Extent &extent) {
  std::string out = fmt::format("{{\"name\":{},\"shape\":{},\"duration_ns\":{},\"share_percent\":{},\"findings\":[",
                                quoted(kernel.name, extent), quoted(kernel.shape, extent), number(kernel.durationNs), number(kernel.share));
  const std::size_t shown = std::min(extent.findings, kernel.findings.size());
  for (std::size_t i = 0; i < shown; ++i)
    out += (i ? ",\n  " : "\n  ") + findingJson(kernel.findings[i], all, extent);
  return out +
         fmt::format("],\"more_findings\":{},\"withheld\":{}}}", kernel.findings.size() - shown + kernel.smaller, kernel.withheld.size());
}

std::string jsonWithin(const Explanation &all, const Extent &extent) {
  const ProgramFacts &facts = all.facts;
  std::string out =
      fmt::format("{{\"schema\":\"kperf-explain/1\",\"program\":{},\"build_id\":\"{:016x}\",\"target\":\"{}\",\"device\":{},\"clock\":{},\n"
                  "\"recorded\":{},\"lost\":[",
                  quoted(facts.program, extent), facts.buildId, facts.isHost ? "host" : "gpu", quoted(facts.device, extent),
                  quoted(facts.clock, extent), quoted(recordedText(facts), extent));
  for (std::size_t i = 0; i < std::min(extent.unknowns, facts.losses.size()); ++i)
    out += (i ? "," : "") + quoted(facts.losses[i], extent);
  out += fmt::format("],\"perturbation\":{{\"measured_percent\":{},\"text\":{}}},\n\"kernels\":[",
                     facts.measuredPercent ? number(*facts.measuredPercent) : "null", quoted(costText(all), extent));
  const std::size_t kernels = std::min(extent.kernels, all.kernels.size());
  for (std::size_t i = 0; i < kernels; ++i)
    out += (i ? ",\n " : "\n ") + kernelJson(all.kernels[i], all, extent);
  out += fmt::format("],\"more_kernels\":{},\n\"not_known\":[", all.kernels.size() - kernels + all.moreKernels);
  const std::size_t unknowns = std::min(extent.unknowns, all.unknowns.size());
  for (std::size_t i = 0; i < unknowns; ++i)
    out += fmt::format("{}\n {{\"what\":{},\"to_know\":{}}}", i ? "," : "", quoted(all.unknowns[i].what, extent),
                       quoted(all.unknowns[i].command, extent));
  out += fmt::format("],\"more_not_known\":{},\n\"more\":[\"kperf report\",\"kperf overlap\",\"kperf memory\",\"kperf info\"]}}\n",
                     all.unknowns.size() - unknowns);
  return out;
}

} // namespace

std::string explanationJson(const Explanation &explanation) {
  std::string out;
  for (const Extent &extent : {Extent{4, 3, 300, 8},
                               {3, 3, 200, 6},
                               {2, 3, 160, 4},
                               {1, 3, 140, 4},
                               {1, 3, 100, 3},
                               {1, 2, 80, 2},
                               {1, 1, 60, 1},
                               {1, 1, 30, 0}}) {
    out = jsonWithin(explanation, extent);
    if (out.size() <= kMostBytes)
      break;
  }
  return out;
}

} // namespace kperf::decoder
