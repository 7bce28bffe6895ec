// Reads one section's payload in bounded pieces, and verifies its checksum and padding at the end.
#include "decoder/trace/SectionStream.h"

#include <cstring>
#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::decoder {

struct SectionStream::Digest {
  XXH3_state_t state;
};

SectionStream::SectionStream(const ByteSource &source, const Section &section)
    : source(source), section(section), buffer(new std::byte[std::min<std::uint64_t>(kBufferBytes, section.bytes + 8)]),
      digest(new Digest) {
  XXH3_64bits_reset(&digest->state);
}

SectionStream::~SectionStream() = default;

Status SectionStream::refill() {
  // What is left over moves to the front; it stays 8-byte aligned because whole pieces were taken.
  std::memmove(buffer.get(), buffer.get() + begin, end - begin);
  end -= begin;
  begin = 0;
  const std::size_t room = std::min<std::uint64_t>(kBufferBytes - end, section.bytes - loaded);
  const std::span<std::byte> fresh(buffer.get() + end, room);
  if (Status status = source.read(section.payload() + loaded, fresh); !status)
    return status;
  XXH3_64bits_update(&digest->state, fresh.data(), fresh.size());
  loaded += room;
  end += room;
  return {};
}

Expected<std::span<const std::byte>> SectionStream::take(std::size_t bytes) {
  if (end - begin < bytes)
    if (Status status = refill(); !status)
      return failure(status.error());
  const std::span<const std::byte> piece(buffer.get() + begin, bytes);
  begin += bytes;
  taken += bytes;
  return piece;
}

Status SectionStream::finish() {
  const std::uint64_t found = XXH3_64bits_digest(&digest->state);
  if (found != section.checksum)
    return failure({.message = "a section's checksum does not match its bytes",
                    .found = fmt::format("{:#018x}", section.checksum),
                    .expected = fmt::format("{:#018x}", found),
                    .remedy = "the file was damaged after it was written",
                    .offset = section.offset,
                    .file = source.name()});
  std::byte padding[8] = {};
  const std::uint64_t paddingBytes = section.end() - section.payload() - section.bytes;
  if (Status status = source.read(section.payload() + section.bytes, std::span(padding, paddingBytes)); !status)
    return status;
  for (std::size_t i = 0; i < paddingBytes; ++i)
    if (padding[i] != std::byte{0})
      return failure({.message = "a section's padding is not zero",
                      .found = fmt::format("{:#04x}", std::to_integer<unsigned>(padding[i])),
                      .expected = "0x00",
                      .offset = section.payload() + section.bytes + i,
                      .file = source.name()});
  return {};
}

std::uint64_t checksumOf(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

} // namespace kperf::decoder
