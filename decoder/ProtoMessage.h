// Writes protocol buffer messages byte by byte: a timeline has millions of them, and no fields to look up.
#ifndef KPERF_DECODER_PROTO_MESSAGE_H
#define KPERF_DECODER_PROTO_MESSAGE_H

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace kperf::decoder {

/// A message in the making (protobuf.dev, "Encoding"): fields in the order of the calls.
class ProtoMessage {
public:
  void clear() { bytes.clear(); }
  std::string_view view() const { return bytes; }

  void number(unsigned field, std::uint64_t value) {
    char room[20];
    char *end = varint(room, field << 3);
    bytes.append(room, static_cast<std::size_t>(varint(end, value) - room));
  }
  void real(unsigned field, double value) { fixed(field, std::bit_cast<std::uint64_t>(value)); }
  /// Eight bytes.
  void fixed(unsigned field, std::uint64_t bits) {
    char room[16];
    char *end = varint(room, field << 3 | 1);
    for (int i = 0; i < 8; ++i)
      *end++ = static_cast<char>(bits >> (8 * i));
    bytes.append(room, static_cast<std::size_t>(end - room));
  }
  /// A string, or a message within.
  void text(unsigned field, std::string_view value) {
    char room[16];
    char *end = varint(varint(room, field << 3 | 2), value.size());
    bytes.append(room, static_cast<std::size_t>(end - room));
    bytes += value;
  }

  /// Writes 7 bits a byte, at most ten; the end of what was written.
  static char *varint(char *out, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      *out++ = static_cast<char>(value | 0x80);
    *out++ = static_cast<char>(value);
    return out;
  }

private:
  std::string bytes;
};

} // namespace kperf::decoder

#endif
