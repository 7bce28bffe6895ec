// Builds the string table that a canonical file would have, and compares the trace's with it.
#include "decoder/trace/CanonicalStrings.h"
#include "decoder/trace/StringMembers.h"
#include "decoder/trace/StringTable.h"

namespace kperf::decoder {
namespace {

/// Interns what a file refers to in the order of the file, to find out whether its string table says anything of its
/// own.
class StringOrder final : public TraceVisitor {
public:
  explicit StringOrder(const Trace &trace) : trace(trace) {}
  void launches(std::span<const format::LaunchRecord> rows) override { add(rows); }
  void kernels(std::span<const format::KernelRecord> rows) override { add(rows); }
  void launchTimes(std::span<const format::LaunchTimesRecord> rows) override { add(rows); }
  void hostRanges(std::span<const format::HostRangeRecord> rows) override { add(rows); }
  void losses(std::span<const format::LossRecord> rows) override { add(rows); }
  void warp(const format::WarpHeader &row) override { add(std::span(&row, 1)); }
  void summary(const format::SummaryRecord &row) override { add(std::span(&row, 1)); }

  template <typename T> void add(std::span<const T> rows) {
    for (const T &row : rows)
      forStringMembers(row, [&](auto offset, const char *) { order.intern(trace.string(offset)); });
  }
  const std::string &table() const { return order.table(); }

private:
  const Trace &trace;
  StringTable order;
};

} // namespace

Expected<bool> hasCanonicalStrings(const Trace &trace) {
  StringOrder order(trace);
  bool isFirst = true, hasTable = false;
  std::size_t device = 0, region = 0, site = 0;
  for (const Section &section : trace.sections()) {
    if (section.kind == format::SectionKind::Strings && (!isFirst || section.bytes <= 1))
      return false;
    hasTable |= section.kind == format::SectionKind::Strings;
    isFirst = false;
    if (section.kind == format::SectionKind::Program)
      order.add(std::span(&*trace.program(), 1));
    if (section.kind == format::SectionKind::Devices) {
      order.add(trace.devices().subspan(device, section.bytes / sizeof(format::DeviceRecord)));
      device += section.bytes / sizeof(format::DeviceRecord);
    }
    if (section.kind == format::SectionKind::Regions) {
      order.add(trace.regions().subspan(region, section.bytes / sizeof(format::RegionRecord)));
      region += section.bytes / sizeof(format::RegionRecord);
    }
    if (section.kind == format::SectionKind::Sites) {
      order.add(trace.sites().subspan(site, section.bytes / sizeof(format::SiteRecord)));
      site += section.bytes / sizeof(format::SiteRecord);
    }
    if (Status status = trace.visitSection(section, order); !status)
      return failure(status.error());
  }
  return hasTable ? order.table() == trace.strings() : order.table().size() <= 1;
}

} // namespace kperf::decoder
