// Reads one section's payload in bounded pieces, and verifies its checksum and padding at the end.
#ifndef KPERF_DECODER_SECTION_STREAM_H
#define KPERF_DECODER_SECTION_STREAM_H

#include "decoder/io/ByteSource.h"
#include "decoder/trace/Trace.h"

#include <cstddef>
#include <memory>
#include <span>

namespace kperf::decoder {

class SectionStream {
public:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

  SectionStream(const ByteSource &source, const Section &section);
  ~SectionStream();

  /// Payload bytes not yet taken.
  std::uint64_t left() const { return section.bytes - taken; }
  /// Offset in the file of the next byte.
  std::uint64_t offset() const { return section.payload() + taken; }
  /// The next `bytes` bytes, at most kBufferBytes and at most left(); aligned to 8 when everything taken before was a
  /// multiple of 8. Valid until the next call.
  Expected<std::span<const std::byte>> take(std::size_t bytes);
  /// Checks, after everything was taken, the checksum and the padding.
  Status finish();

private:
  Status refill();

  const ByteSource &source;
  Section section;
  std::uint64_t taken = 0;  ///< payload bytes handed out
  std::uint64_t loaded = 0; ///< payload bytes read from the source
  std::unique_ptr<std::byte[]> buffer;
  std::size_t begin = 0, end = 0; ///< what the buffer holds
  struct Digest;
  std::unique_ptr<Digest> digest;
};

/// XXH3 of `bytes`, as a section's header carries it.
std::uint64_t checksumOf(std::span<const std::byte> bytes);

} // namespace kperf::decoder

#endif
