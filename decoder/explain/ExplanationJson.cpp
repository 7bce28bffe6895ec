// An explanation for programs: one object of a versioned schema (docs/explain.md), small enough to be read whole.
#include "decoder/explain/Explanation.h"
#include "decoder/io/Json.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace kperf::decoder {
namespace {

constexpr std::size_t kMaxBytes = 4096;

/// How much is said: texts are cut to so many characters.
struct JsonExtent {
  std::size_t kernels, findings, text, unknowns;
  std::size_t names; ///< of each kernel's findings that are only named
};

/// Everything.
constexpr JsonExtent kWholeJson{.kernels = Explanation::kAll,
                                .findings = Explanation::kAll,
                                .text = Explanation::kAll,
                                .unknowns = Explanation::kAll,
                                .names = Explanation::kAll};

Json said(const std::string &text, const JsonExtent &extent) { return shortened(printable(text), extent.text); }

/// A path that was cut would name another file.
Json placeJson(const std::string &place, const JsonExtent &extent) {
  return printable(place).size() <= extent.text ? Json(printable(place)) : said(withoutFolders(place), extent);
}

Json number(double value) { return jsonNumber(value, 4); }

Json gainJson(const Gain &gain) {
  constexpr const char *kShares[] = {"kernel-sectors", "kernel-shared-passes", "kernel-atomic-turns"}; // by PassUnit
  if (!gain.isKnown)
    return {{"least", Json()}, {"likely", Json()}, {"most", Json()}, {"of", "not-known"}};
  return {{"least", number(gain.min)},
          {"likely", gain.shareOf ? Json() : number(gain.likely)},
          {"most", number(gain.max)},
          {"of", gain.shareOf ? kShares[static_cast<std::size_t>(*gain.shareOf)] : "kernel-time"}};
}

Json findingJson(const Explained &found, const JsonExtent &extent) {
  return {{"rule", said(found.rule, extent)},         {"what", said(found.what, extent)},
          {"place", placeJson(found.place, extent)},  {"gain_percent", gainJson(found.gain)},
          {"evidence", said(found.evidence, extent)}, {"command", said("kperf " + found.command, extent)},
          {"why", said(found.why, extent)},           {"try", said(found.remedy, extent)},
          {"confirm", said(found.confirm, extent)},   {"probes_percent", found.noise ? number(*found.noise) : Json()}};
}

Json known(const std::optional<double> &value) { return value ? number(*value) : Json(); }
/// Of what is not negative: 0 is not known.
Json known(double value) { return value > 0 ? number(value) : Json(); }

Json memoryJson(const std::optional<Roofline> &roofline, const JsonExtent &extent) {
  if (!roofline)
    return {};
  Json out = {{"bytes", number(roofline->bytes)},
              {"gb_per_second", number(roofline->bytesPerNs)},
              {"peak_gb_per_second", known(roofline->peakBytesPerNs)},
              {"footprint_bytes", known(roofline->footprint)},
              {"reuse_bytes", known(roofline->reuse)},
              {"l2_bytes", known(roofline->l2Bytes)}};
  if (!roofline->region.empty()) {
    out["region"] = said(roofline->region, extent);
    out["region_bytes_percent"] = number(roofline->ofBytes);
    out["region_time_percent"] = number(roofline->ofTime);
    out["region_gb_per_second"] = known(roofline->bytesPerNsOfRegion());
    out["region_operations_per_byte"] = known(roofline->perByteOfRegion);
  }
  return out;
}

Json unitJson(const std::optional<UnitUse> &use) {
  if (!use)
    return {};
  return {{"tflops_per_second", number(use->operationsPerNs / 1000)},
          {"busy_percent", known(use->busy)},
          {"operations_per_byte", known(use->perByte)},
          {"balanced_operations_per_byte", known(use->balanced)},
          {"is_whole", use->isWhole},
          {"is_estimated", use->isEstimated}};
}

/// The findings after the first `shown`, by name.
Json moreJson(const KernelExplanation &kernel, std::size_t shown, const JsonExtent &extent) {
  Json out = Json::array();
  const auto add = [&](const Explained &found) {
    if (out.size() < extent.names)
      out.push_back({{"rule", said(found.rule, extent)}, {"place", placeJson(found.place, extent)}});
  };
  std::ranges::for_each(kernel.findings | std::views::drop(shown), add);
  std::ranges::for_each(kernel.more, add);
  return out;
}

Json kernelJson(const KernelExplanation &kernel, const JsonExtent &extent) {
  const std::size_t shown = std::min(extent.findings, kernel.findings.size());
  Json findings = Json::array();
  for (std::size_t i = 0; i < shown; ++i)
    findings.push_back(findingJson(kernel.findings[i], extent));
  Json out = {{"name", said(kernel.name, extent)},
              {"shape", said(kernel.shape, extent)},
              {"duration_ns", number(kernel.durationNs)},
              {"share_percent", number(kernel.share)},
              {"memory", memoryJson(kernel.roofline, extent)},
              {"tensor_cores", unitJson(kernel.tensorUse)},
              {"floating_point_units", unitJson(kernel.floatUse)},
              {"findings", std::move(findings)},
              {"more_findings", kernel.findings.size() - shown + kernel.more.size()},
              {"more", moreJson(kernel, shown, extent)},
              {"withheld", kernel.withheld.size()}};
  for (std::size_t i = 0; i < std::min(extent.unknowns, kernel.neverEnds.size()); ++i)
    out["never_ended"].push_back(said(kernel.neverEnds[i], extent));
  return out;
}

Json jsonWithin(const Explanation &all, const JsonExtent &extent) {
  const ProgramFacts &facts = all.facts;
  Json lost = Json::array(), kernels = Json::array(), unknowns = Json::array();
  for (std::size_t i = 0; i < std::min(extent.unknowns, facts.losses.size()); ++i)
    lost.push_back(said(facts.losses[i], extent));
  for (std::size_t i = 0; i < std::min(extent.kernels, all.kernels.size()); ++i)
    kernels.push_back(kernelJson(all.kernels[i], extent));
  for (std::size_t i = 0; i < std::min(extent.unknowns, all.unknowns.size()); ++i)
    unknowns.push_back({{"what", said(all.unknowns[i].what, extent)}, {"to_know", said(all.unknowns[i].command, extent)}});
  const Json perturbation = {{"measured_percent", facts.measuredPercent ? number(*facts.measuredPercent) : Json()},
                             {"text", said(costText(all), extent)}};
  const std::size_t moreKernels = all.kernels.size() - kernels.size() + all.moreKernels;
  const std::size_t moreUnknowns = all.unknowns.size() - unknowns.size();
  return {{"schema", "kperf-explain/1"},
          {"program", said(facts.program, extent)},
          {"build_id", fmt::format("{:016x}", facts.buildId)},
          {"target", facts.isHost ? "host" : "gpu"},
          {"device", said(facts.device, extent)},
          {"clock", said(facts.clock, extent)},
          {"recorded", said(recordedText(facts), extent)},
          {"lost", std::move(lost)},
          {"perturbation", perturbation},
          {"kernels", std::move(kernels)},
          {"more_kernels", moreKernels},
          {"not_known", std::move(unknowns)},
          {"more_not_known", moreUnknowns},
          {"more", {"kperf report", "kperf overlap", "kperf memory", "kperf info"}}};
}

} // namespace

std::string explanationJson(const Explanation &explanation) {
  const auto within = [&](const JsonExtent &extent) { return jsonText(jsonWithin(explanation, extent), /*levels=*/2) + "\n"; };
  if (explanation.isWhole)
    return within(kWholeJson);
  std::string out;
  for (const JsonExtent &extent : {JsonExtent{4, 3, 300, 8, 16},
                                   {3, 3, 200, 6, 8},
                                   {2, 3, 160, 4, 4},
                                   {1, 3, 140, 4, 4},
                                   {1, 3, 100, 3, 4},
                                   {1, 2, 80, 2, 2},
                                   {1, 1, 60, 1, 1},
                                   {1, 1, 30, 0, 0}}) {
    out = within(extent);
    if (out.size() <= kMaxBytes)
      break;
  }
  return out;
}

} // namespace kperf::decoder
