// Reads References sections, and drops the classes of lines that are incomplete.
#include "decoder/memory/ReferenceRuns.h"
#include "decoder/span/KernelName.h"

#include <algorithm>
#include <cmath>

namespace kperf::decoder {

double ReferenceRun::rate() const {
  double share = 0;
  for (unsigned lineClass = 0; lineClass < format::kReferenceClasses; ++lineClass)
    if (!(incomplete >> lineClass & 1))
      share += std::ldexp(1.0, -static_cast<int>(std::min(lineClass + 1, format::kReferenceClasses - 1)));
  return share;
}

void ReferenceRuns::siteCounters(std::span<const format::SiteCounterRecord> rows) {
  hasCounters |= !rows.empty();
  for (const format::SiteCounterRecord &row : rows)
    if (const auto site = isUpdate.find(row.site); site != isUpdate.end())
      countedReferences += static_cast<double>(row.counts[format::kLines]) * std::max(1u, row.sampled) * (site->second ? 2 : 1);
}

void ReferenceRuns::references(const format::ReferencesHeader &head) {
  current = &open[{head.device, head.run}];
  current->incomplete |= head.incomplete;
  current->sampled = std::max({1u, head.sampled, current->sampled});
}

void ReferenceRuns::references(std::span<const format::ReferenceRecord> rows) {
  for (const format::ReferenceRecord &row : rows) {
    const std::uint32_t site = row.tag & format::kIdMask;
    const auto known = isUpdate.find(site);
    current->references.push_back({row.line & format::kReferenceLineMask, row.order, site, row.iteration,
                                   static_cast<std::uint16_t>(row.line >> format::kReferenceSmShift & format::kReferenceSmMask),
                                   static_cast<std::uint8_t>(row.tag >> format::kReferenceSectorShift & 15),
                                   static_cast<std::uint8_t>(row.line >> format::kReferenceClassShift),
                                   known != isUpdate.end() && known->second, known != isUpdate.end()});
  }
}

Status ReferenceRuns::readTrace(const Trace &trace, const std::string &functions) {
  isUpdate.clear();
  open.clear();
  hasCounters = false;
  for (const format::SiteRecord &site : trace.sites())
    if (site.kind != format::SiteKind::Unseen && isFunctionMeant(functions, trace.string(site.function)))
      isUpdate[site.id] = site.kind == format::SiteKind::Update;
  for (const Section &section : trace.sections())
    if (section.kind == format::SectionKind::References || section.kind == format::SectionKind::SiteCounters)
      if (Status status = trace.visitSection(section, *this); !status)
        return status;
  for (auto &[key, run] : open) {
    std::erase_if(run.references, [&](const Reference &each) { return run.incomplete >> each.lineClass & 1; });
    std::ranges::stable_sort(run.references, {}, &Reference::order);
    if (run.rate() == 0 || (run.references.empty() && run.incomplete != 0))
      ++unusableCount;
    else if (!run.references.empty())
      list.push_back(std::move(run));
  }
  notKeptCount += hasCounters && open.empty();
  return {};
}

Expected<ReferenceRuns> ReferenceRuns::read(std::span<const Trace> traces, const std::string &functions) {
  ReferenceRuns out;
  for (const Trace &trace : traces)
    if (Status status = out.readTrace(trace, functions); !status)
      return failure(status.error());
  return out;
}

} // namespace kperf::decoder
