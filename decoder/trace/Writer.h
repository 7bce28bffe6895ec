// Builds a trace in memory, section by section; for `kperf pack` and for tests.
#ifndef KPERF_DECODER_WRITER_H
#define KPERF_DECODER_WRITER_H

#include "decoder/trace/StringTable.h"

#include <kperf/format_references.h>
#include <kperf/format_summary.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kperf::decoder {

class Trace;

/// A header of this version, all else zero.
format::FileHeader currentHeader(format::Target target = format::Target::Cuda);

/// The header of a trace that is made of others (one or more): the first one's target and build, the earliest time, and, for it may
/// hold what is theirs, the latest minor version.
format::FileHeader headerOfAll(std::span<const Trace> traces);

/// Rows of one kind that follow each other share a section. Interned strings become one Strings section at the front:
/// that makes the file canonical.
class Writer {
public:
  explicit Writer(const format::FileHeader &header = currentHeader()) : header(header) {}

  std::uint32_t intern(std::string_view text) { return strings.intern(text); }

  void add(const format::ProgramRecord &row) { append(format::SectionKind::Program, bytesOf(row)); }
  void add(const format::DeviceRecord &row) { append(format::SectionKind::Devices, bytesOf(row)); }
  void add(const format::RegionRecord &row) { append(format::SectionKind::Regions, bytesOf(row)); }
  void add(const format::SiteRecord &row) { append(format::SectionKind::Sites, bytesOf(row)); }
  void add(const format::MachineAccessRecord &row) { append(format::SectionKind::MachineAccesses, bytesOf(row)); }
  void add(const format::SiteCounterRecord &row) { append(format::SectionKind::SiteCounters, bytesOf(row)); }
  void add(const format::LaunchRecord &row) { append(format::SectionKind::Launches, bytesOf(row)); }
  void add(const format::KernelRecord &row) { append(format::SectionKind::Kernels, bytesOf(row)); }
  void add(const format::ReferenceRecord &row) { append(format::SectionKind::References, bytesOf(row)); }
  void add(const format::SummedLengthsRecord &row) { append(format::SectionKind::SummedLengths, bytesOf(row)); }
  void add(const format::LossRecord &row) { append(format::SectionKind::Losses, bytesOf(row)); }

  /// Starts a new References section.
  void references(const format::ReferencesHeader &head) {
    open(format::SectionKind::References);
    append(format::SectionKind::References, bytesOf(head));
  }
  /// Starts a new Warps section.
  void warps(const format::WarpsHeader &head);
  /// Adds a warp to the open Warps section, or to a new one of device 0; `records` are what follows its header.
  void warp(const format::WarpHeader &warp, std::span<const format::Record> records);

  /// Starts a new section whatever the last one was.
  void open(format::SectionKind kind) { sections.push_back({kind, {}}); }
  /// Adds bytes to the last section when it is of that kind, else to a new one.
  void append(format::SectionKind kind, std::span<const std::byte> bytes);

  /// The file. Without `isComplete` it has no End section.
  std::vector<std::byte> finish(bool isComplete = true);

private:
  struct Pending {
    format::SectionKind kind;
    std::vector<std::byte> payload;
  };
  template <typename T> static std::span<const std::byte> bytesOf(const T &row) {
    return std::as_bytes(std::span(&row, 1));
  }
  static void emit(std::vector<std::byte> &out, format::SectionKind kind, std::span<const std::byte> payload);

  format::FileHeader header;
  StringTable strings;
  std::vector<Pending> sections;
  std::uint64_t warpCount = 0;
};

} // namespace kperf::decoder

#endif
