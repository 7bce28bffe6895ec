// Prints what takes more than one row of a table: warps and their records, references, summaries.
#include "decoder/text/Dumper.h"
#include "decoder/text/TextDefaults.h"
#include "decoder/trace/RecordSchemas.h"

#include <bit>
#include <fmt/ranges.h>

namespace kperf::decoder {

void Dumper::references(const format::ReferencesHeader &head) {
  printer.print("references");
  printer.fields<Schema<format::ReferencesHeader>>(head, Schema<format::ReferencesHeader>::usual);
  printer.endLine();
}

void Dumper::references(std::span<const format::ReferenceRecord> rows) {
  for (const format::ReferenceRecord &row : rows) {
    printer.print("  reference");
    printer.fields<Schema<format::ReferenceRecord>>(row, Schema<format::ReferenceRecord>::usual);
    printer.endLine();
  }
}

void Dumper::warps(const format::WarpsHeader &head) {
  policy = head.policy;
  current = {};
  printer.print("warps");
  printer.fields<Schema<format::WarpsHeader>>(head, Schema<format::WarpsHeader>::usual);
  printer.endLine();
}

void Dumper::warp(const format::WarpHeader &warp) {
  index = firstIndex(warp, policy);
  if (continues(warp, current)) {
    printer.print("more");
    printer.changes<Schema<format::WarpHeader>>(warp, TextDefaults::more(current, keptRecords(warp)));
  } else {
    printer.print("warp");
    printer.fields<Schema<format::WarpHeader>>(warp, TextDefaults::warp(keptRecords(warp), printer.regions.firstKernel()));
  }
  printer.endLine();
  current = warp;
}

void Dumper::records(std::span<const format::Record> rows) {
  for (const format::Record &row : rows) {
    record(row);
    ++index;
  }
}

void Dumper::record(const format::Record &row) {
  const bool hasSchema = withRecordSchema(kindOf(row), [&]<typename Schema>(Schema) {
    printer.print("  {} {}", name(kindOf(row)), printer.regions.reference(idOf(row)));
    printer.fields<Schema>(row, Schema::usual);
    if (const std::uint32_t generation = generationOf(row); generation != expectedGeneration(current, index))
      printer.print(" generation={}", generation);
  });
  if (!hasSchema && row.first == 0 && row.second == 0 && row.lanes == 0 && row.tag == 0) {
    printer.print("  empty");
  } else if (!hasSchema) {
    printer.print("  record");
    printer.fields<RawRecordSchema>(row, RawRecordSchema::usual);
  }
  printer.endLine();
}

void Dumper::summary(const format::SummaryRecord &row) {
  format::SummaryRecord usual{};
  usual.kernel = printer.regions.firstKernel();
  printer.print("summary");
  printer.fields<Schema<format::SummaryRecord>>(row, usual);
  printer.endLine();
}

void Dumper::summaryRow(const SummaryRow &row) {
  printer.print("  row");
  printer.fields<Schema<format::SummaryRowRecord>>(row.record, Schema<format::SummaryRowRecord>::usual);
  const char *before = " lengths=";
  for (const std::uint64_t word : row.lengths) {
    const auto length = std::bit_cast<format::LengthBucket>(word);
    printer.print("{}", std::exchange(before, ","));
    if (row.record.flags & format::kRowExact)
      printer.print("{}", word);
    else
      printer.print("{}*{}", length.bucket, length.count);
  }
  if (!row.multiprocessors.empty())
    printer.print(" multiprocessors={}", fmt::join(row.multiprocessors, ","));
  printer.endLine();
}

} // namespace kperf::decoder
