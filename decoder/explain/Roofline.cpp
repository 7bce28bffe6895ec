// Compares the bytes that a kernel's accesses of global memory move with the device's maximum.
#include "decoder/explain/Roofline.h"
#include "decoder/table/NumberFormat.h"

#include <fmt/format.h>

namespace kperf::decoder {

std::optional<double> Roofline::bytesPerNsOfRegion() const {
  if (region.empty() || ofTime <= 0)
    return {};
  return bytesPerNs * ofBytes / ofTime;
}

std::optional<double> Roofline::ofPeak() const {
  if (peakBytesPerNs <= 0)
    return {};
  return 100 * bytesPerNs / peakBytesPerNs;
}

std::optional<Roofline> rooflineOf(const KernelFacts &kernel, const ProgramFacts &program) {
  if (!program.isMemoryTimed() || !kernel.accesses.traffic || kernel.accesses.traffic->bytes <= 0 || kernel.launches.durationNs <= 0)
    return {};
  const TrafficFacts &traffic = *kernel.accesses.traffic;
  Roofline out{
      .bytes = traffic.bytes, .bytesPerNs = traffic.bytes / kernel.launches.durationNs, .peakBytesPerNs = kernel.device.memoryBytesPerNs};
  if (const RegionFacts *const region = kernel.region(traffic.region); region && region->kind != format::RegionKind::Kernel) {
    out.region = region->name;
    out.ofBytes = 100 * traffic.ofRegion / traffic.bytes;
    out.ofTime = region->share;
    if (kernel.floats && kernel.floats->ofRegion.contains(traffic.region) && traffic.ofRegion > 0)
      out.perByteOfRegion = kernel.floats->ofRegion.at(traffic.region) / traffic.ofRegion;
  }
  out.footprint = traffic.footprint;
  out.reuse = traffic.reuse;
  out.l2Bytes = static_cast<double>(kernel.device.limits.l2Bytes);
  return out;
}

static std::string bytesText(double bytes) { return formatted(bytes, Unit::Bytes, false); }
static std::string rateText(double bytesPerNs) { return formatted(bytesPerNs, Unit::None, bytesPerNs >= 10) + " GB/s"; }

std::string rooflineText(const Roofline &roofline, bool isBrief) {
  std::string out = fmt::format("{} in sectors, {}", bytesText(roofline.bytes), rateText(roofline.bytesPerNs));
  if (const std::optional<double> ofPeak = roofline.ofPeak())
    out += *ofPeak > 100
               ? fmt::format(", more than device memory's {}: caches serve the rest", rateText(roofline.peakBytesPerNs))
               : fmt::format(", {} of device memory's {}", formatted(*ofPeak, Unit::Percent, false), rateText(roofline.peakBytesPerNs));
  if (isBrief)
    return out;
  if (!roofline.region.empty())
    out += fmt::format("; region '{}' moves {:.0f} % of it in {:.0f} % of the time", roofline.region, roofline.ofBytes, roofline.ofTime);
  if (const std::optional<double> ofRegion = roofline.bytesPerNsOfRegion())
    out += fmt::format(", {}", rateText(*ofRegion));
  if (roofline.perByteOfRegion)
    out += fmt::format(", {} operations for each of its bytes", formatted(*roofline.perByteOfRegion, Unit::None, false));
  if (roofline.reuse && roofline.l2Bytes > 0)
    out += fmt::format("; lines come back after {} (median), {} the L2's {}", bytesText(*roofline.reuse),
                       *roofline.reuse <= roofline.l2Bytes ? "within" : "beyond", bytesText(roofline.l2Bytes));
  else if (roofline.footprint > 0 && roofline.l2Bytes > 0)
    out += fmt::format("; it touches {}, the L2 holds {}", bytesText(roofline.footprint), bytesText(roofline.l2Bytes));
  return out;
}

} // namespace kperf::decoder
