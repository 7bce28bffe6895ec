// Sums what the runtime noted of kernels.
#include "decoder/totals/KernelNeeds.h"

#include <algorithm>

namespace kperf::decoder {

Status KernelNeedsTable::add(const Trace &next) {
  trace = &next;
  for (const Section &section : next.sections())
    if (section.kind == format::SectionKind::Kernels)
      if (Status status = next.visitSection(section, *this); !status)
        return status;
  return {};
}

void KernelNeedsTable::kernels(std::span<const format::KernelRecord> rows) {
  for (const format::KernelRecord &row : rows) {
    const format::DeviceRecord *const device = trace->device(row.device);
    Entry &entry = entries[{std::string(trace->string(row.kernel)), row.blockThreads, row.dynamicSharedBytes,
                            std::string(device ? trace->string(device->architecture) : std::string_view())}];
    format::KernelRecord &sum = entry.sum;
    const std::uint32_t launches = sum.launches + row.launches;
    const std::uint64_t total = sum.totalNs + row.totalNs;
    const std::uint64_t least = row.launches == 0 ? sum.minNs : sum.launches == 0 ? row.minNs : std::min(sum.minNs, row.minNs);
    sum = row;
    sum.launches = launches;
    sum.totalNs = total;
    sum.minNs = least;
    if (row.launches > 0)
      entry.medians.emplace_back(row.medianNs, row.launches);
  }
}

std::vector<KernelNeeds> KernelNeedsTable::all() const {
  std::vector<KernelNeeds> out;
  for (const auto &[key, entry] : entries) {
    KernelNeeds &needs = out.emplace_back(KernelNeeds{std::get<0>(key), entry.sum});
    auto medians = entry.medians;
    std::ranges::sort(medians);
    std::uint64_t before = 0;
    needs.record.medianNs = 0;
    for (const auto &[median, launches] : medians) {
      needs.record.medianNs = median;
      if ((before += launches) * 2 > entry.sum.launches)
        break;
    }
  }
  return out;
}

} // namespace kperf::decoder
