// Builds a trace in memory, section by section; for `kperf pack` and for tests.
#ifndef KPERF_DECODER_WRITER_H
#define KPERF_DECODER_WRITER_H

#include "decoder/trace/Schemas.h"
#include "decoder/trace/StringTable.h"

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

  /// What intern() gave offsets of.
  const StringTable &texts() const { return strings; }

  template <typename Row> void add(const Row &row) { append(Schema<Row>::section, bytesOf(row)); }

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
  template <typename T> static std::span<const std::byte> bytesOf(const T &row) { return std::as_bytes(std::span(&row, 1)); }
  static void emit(std::vector<std::byte> &out, format::SectionKind kind, std::span<const std::byte> payload);

  format::FileHeader header;
  StringTable strings;
  std::vector<Pending> sections;
  std::uint64_t warpCount = 0;
};

} // namespace kperf::decoder

#endif
