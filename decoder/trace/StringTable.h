// Builds a trace's string table: each text once, in the order of first use.
#ifndef KPERF_DECODER_STRING_TABLE_H
#define KPERF_DECODER_STRING_TABLE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kperf::decoder {

class StringTable {
public:
  /// Offset of `text`, appended when it is new; "" is at 0.
  std::uint32_t intern(std::string_view text) {
    if (bytes.empty())
      append("");
    const auto [entry, isNew] = offsets.try_emplace(std::string(text), static_cast<std::uint32_t>(bytes.size()));
    if (isNew)
      bytes.append(text).push_back('\0');
    return entry->second;
  }

  /// Adds a text whether or not it is there already; find() answers with its first place.
  void append(std::string_view text) {
    offsets.try_emplace(std::string(text), static_cast<std::uint32_t>(bytes.size()));
    bytes.append(text).push_back('\0');
  }

  std::optional<std::uint32_t> find(std::string_view text) const {
    const auto found = offsets.find(std::string(text));
    return found == offsets.end() ? std::nullopt : std::optional(found->second);
  }

  /// The text from an offset on, which may lie within one; "" beyond the end.
  std::string_view at(std::uint64_t offset) const { return offset < bytes.size() ? bytes.c_str() + offset : ""; }

  /// NUL-terminated strings, the empty one first; "" while nothing was added.
  const std::string &table() const { return bytes; }

private:
  std::string bytes;
  std::unordered_map<std::string, std::uint32_t> offsets;
};

} // namespace kperf::decoder

#endif
