// The writer of a trace's text form: one member function for each kind of row.
#ifndef KPERF_DECODER_DUMPER_H
#define KPERF_DECODER_DUMPER_H

#include "decoder/io/Output.h"
#include "decoder/text/RegionNames.h"
#include "decoder/trace/StringTable.h"
#include "decoder/trace/Trace.h"

#include <fmt/format.h>
#include <iterator>

namespace kperf::decoder {

/// Writes one trace once; dumpTrace() is the way to use it.
class Dumper final : public TraceVisitor {
public:
  Dumper(const Trace &trace, Output &out) : trace(trace), out(out) {}
  Status run();

  void launches(std::span<const format::LaunchRecord> rows) override;
  void kernels(std::span<const format::KernelRecord> rows) override;
  void losses(std::span<const format::LossRecord> rows) override;
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override;
  void references(const format::ReferencesHeader &head) override;
  void references(std::span<const format::ReferenceRecord> rows) override;
  void warps(const format::WarpsHeader &head) override;
  void warp(const format::WarpHeader &warp) override;
  void records(std::span<const format::Record> rows) override;
  void summary(const format::SummaryRecord &row) override;
  void summaryRow(const SummaryRow &row) override;
  void summedLengths(std::span<const format::SummedLengthsRecord> rows) override;

private:
  Status section(const Section &section);
  void header();
  void program();
  void device(const format::DeviceRecord &row);
  void region(const format::RegionRecord &row);
  void site(const format::SiteRecord &row);
  void machineAccess(const format::MachineAccessRecord &row);
  void strings(const Section &section);
  void record(const format::Record &row);
  Status unknown(const Section &section);

  template <typename... T> void print(fmt::format_string<T...> text, T &&...values) {
    fmt::format_to(std::back_inserter(line), text, std::forward<T>(values)...);
  }
  template <typename T> void field(const char *key, T value, T usual) {
    if (value != usual)
      print(" {}={}", key, value);
  }
  void text(const char *key, std::uint64_t offset) {
    if (offset != 0)
      print(" {}={}", key, string(offset));
  }
  /// The quoted string, or @offset when its text does not lead back to the offset.
  std::string string(std::uint64_t offset) const;
  void endLine() {
    line += '\n';
    out.write(line);
    line.clear();
  }

  const Trace &trace;
  Output &out;
  std::string line;
  bool hasOwnStrings = false;
  StringTable ownStrings; ///< the file's table, when it is not the canonical one
  std::size_t deviceIndex = 0, regionIndex = 0, siteIndex = 0, machineIndex = 0;
  std::uint64_t stringsAt = 0;
  RegionNames regions;
  format::KeepPolicy policy = format::KeepPolicy::First;
  format::WarpHeader current{};
  std::uint64_t index = 0; ///< of the next record in its warp
};

} // namespace kperf::decoder

#endif
