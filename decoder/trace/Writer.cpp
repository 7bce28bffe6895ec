// Builds a trace in memory, section by section.
#include "decoder/trace/Writer.h"
#include "decoder/trace/SectionStream.h"
#include "decoder/trace/Trace.h"

#include <algorithm>
#include <cstring>

namespace kperf::decoder {

format::FileHeader currentHeader(format::Target target) {
  format::FileHeader header{};
  std::memcpy(header.magic, format::kMagic, sizeof(header.magic));
  header.versionMajor = format::kVersionMajor;
  header.versionMinor = format::kVersionMinor;
  header.endianMarker = format::kEndianMarker;
  header.headerBytes = sizeof(header);
  header.target = target;
  return header;
}

format::FileHeader headerOfAll(std::span<const Trace> traces) {
  const format::FileHeader &first = traces.front().header();
  format::FileHeader header = currentHeader(first.target);
  header.createdUnixNs = first.createdUnixNs;
  header.buildId = first.buildId;
  for (const Trace &trace : traces) {
    header.createdUnixNs = std::min(header.createdUnixNs, trace.header().createdUnixNs);
    header.versionMinor = std::max(header.versionMinor, trace.header().versionMinor);
  }
  return header;
}

void Writer::warps(const format::WarpsHeader &head) {
  open(format::SectionKind::Warps);
  append(format::SectionKind::Warps, bytesOf(head));
}

void Writer::warp(const format::WarpHeader &warp, std::span<const format::Record> records) {
  if (sections.empty() || sections.back().kind != format::SectionKind::Warps)
    warps({});
  append(format::SectionKind::Warps, bytesOf(warp));
  append(format::SectionKind::Warps, std::as_bytes(records));
  ++warpCount;
}

void Writer::append(format::SectionKind kind, std::span<const std::byte> bytes) {
  if (sections.empty() || sections.back().kind != kind)
    open(kind);
  std::vector<std::byte> &payload = sections.back().payload;
  payload.insert(payload.end(), bytes.begin(), bytes.end());
}

void Writer::emit(std::vector<std::byte> &out, format::SectionKind kind, std::span<const std::byte> payload) {
  const format::SectionHeader head{kind, 0, payload.size(), checksumOf(payload)};
  const auto bytes = bytesOf(head);
  out.insert(out.end(), bytes.begin(), bytes.end());
  out.insert(out.end(), payload.begin(), payload.end());
  out.resize((out.size() + 7) / 8 * 8);
}

std::vector<std::byte> Writer::finish(bool isComplete) {
  std::vector<std::byte> out;
  const auto start = bytesOf(header);
  out.insert(out.end(), start.begin(), start.end());
  std::uint64_t count = sections.size();
  if (strings.table().size() > 1) {
    emit(out, format::SectionKind::Strings, std::as_bytes(std::span(strings.table())));
    ++count;
  }
  for (Pending &section : sections) {
    emit(out, section.kind, section.payload);
    section.payload = {};
  }
  const format::EndRecord end{count, warpCount};
  if (isComplete)
    emit(out, format::SectionKind::End, bytesOf(end));
  return out;
}

} // namespace kperf::decoder
