// The writer of a trace's text form: which lines it has, and in which order.
#ifndef KPERF_DECODER_DUMPER_H
#define KPERF_DECODER_DUMPER_H

#include "decoder/text/FieldPrinter.h"

namespace kperf::decoder {

/// Writes one trace once; dumpTrace() is the way to use it.
class Dumper final : public TraceVisitor {
public:
  Dumper(const Trace &trace, Output &out) : trace(trace), printer(trace, ownStrings, out) {}
  Status run();

  void launches(std::span<const format::LaunchRecord> rows) override { lines(rows); }
  void kernels(std::span<const format::KernelRecord> rows) override { lines(rows); }
  void launchTimes(std::span<const format::LaunchTimesRecord> rows) override { lines(rows); }
  void losses(std::span<const format::LossRecord> rows) override { lines(rows); }
  void hostRanges(std::span<const format::HostRangeRecord> rows) override { lines(rows); }
  void clocks(std::span<const format::ClockRecord> rows) override { lines(rows); }
  void siteCounters(std::span<const format::SiteCounterRecord> rows) override { lines(rows); }
  void summedLengths(std::span<const format::SummedLengthsRecord> rows) override { lines(rows); }
  void markProbes(std::span<const format::MarkProbesRecord> rows) override { lines(rows); }
  void sampledLaunches(std::span<const format::SampledLaunchesRecord> rows) override { lines(rows); }
  void references(const format::ReferencesHeader &head) override;
  void references(std::span<const format::ReferenceRecord> rows) override;
  void warps(const format::WarpsHeader &head) override;
  void warp(const format::WarpHeader &warp) override;
  void records(std::span<const format::Record> rows) override;
  void summary(const format::SummaryRecord &row) override;
  void summaryRow(const SummaryRow &row) override;

private:
  Status section(const Section &section);
  void header();
  void strings(const Section &section);
  void record(const format::Record &row);
  Status unknown(const Section &section);
  template <typename Row> void lines(std::span<const Row> rows);

  const Trace &trace;
  bool hasOwnStrings = false;
  StringTable ownStrings; ///< the file's table, when it is not the canonical one
  FieldPrinter printer;
  std::size_t deviceIndex = 0, limitIndex = 0, regionIndex = 0, siteIndex = 0, machineIndex = 0;
  std::uint64_t stringsAt = 0;
  format::KeepPolicy policy = format::KeepPolicy::First;
  format::WarpHeader current{};
  std::uint64_t index = 0; ///< of the next record in its warp
};

template <typename Row> void Dumper::lines(std::span<const Row> rows) {
  for (const Row &row : rows) {
    printer.print("{}", Schema<Row>::verb);
    printer.fields<Schema<Row>>(row, Schema<Row>::usual);
    printer.endLine();
    if constexpr (std::is_same_v<Row, format::RegionRecord>)
      printer.regions.add(row.id, trace.string(row.name), row.kind == format::RegionKind::Kernel);
  }
}

} // namespace kperf::decoder

#endif
