// Bytes that can be read at any offset: a file, or memory in tests.
#ifndef KPERF_DECODER_BYTE_SOURCE_H
#define KPERF_DECODER_BYTE_SOURCE_H

#include "decoder/io/Error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kperf::decoder {

class ByteSource {
public:
  /// Opens a regular file; its size is taken now, and what is appended later is not seen.
  static Expected<ByteSource> open(const std::string &path);
  static ByteSource memory(std::vector<std::byte> bytes);

  ByteSource(ByteSource &&other) noexcept;
  ByteSource &operator=(ByteSource &&other) noexcept;
  ~ByteSource();

  const std::string &name() const { return path; }
  std::uint64_t size() const { return bytes; }

  /// Fills `out` from `offset`; fails when that reaches past the end or the medium fails.
  Status read(std::uint64_t offset, std::span<std::byte> out) const;

  /// Bytes that all sources together have read from files so far; any thread may ask.
  static std::uint64_t bytesRead();

private:
  ByteSource() = default;

  std::string path;
  std::uint64_t bytes = 0;
  int descriptor = -1;
  std::vector<std::byte> content; ///< used when descriptor is -1
};

} // namespace kperf::decoder

#endif
