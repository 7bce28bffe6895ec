// Refers to regions in the text form of a trace: by name where that is unambiguous, else by id.
#ifndef KPERF_DECODER_REGION_NAMES_H
#define KPERF_DECODER_REGION_NAMES_H

#include "decoder/text/TextLine.h"

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kperf::decoder {

/// Knows the regions of the lines so far; dump and pack ask it at the same places and get the same answers.
class RegionNames {
public:
  void add(std::uint32_t id, std::string_view name, bool isKernel) {
    const auto [entry, isNew] = ids.try_emplace(std::string(name), id);
    if (!isNew && entry->second != id)
      entry->second = kAmbiguous;
    names.try_emplace(id, name);
    references.clear();
    if (isKernel && firstKernelId == 0)
      firstKernelId = id;
  }

  /// The quoted name, or the id as 0x…
  const std::string &reference(std::uint32_t id) {
    const auto [entry, isNew] = references.try_emplace(id);
    if (isNew) {
      const auto name = names.find(id);
      entry->second = name != names.end() && resolve(name->second) == id ? quotedText(name->second) : fmt::format("{:#x}", id);
    }
    return entry->second;
  }

  /// The one region of that name, if there is exactly one.
  std::optional<std::uint32_t> resolve(const std::string &name) const {
    const auto found = ids.find(name);
    return found == ids.end() || found->second == kAmbiguous ? std::nullopt : std::optional(found->second);
  }
  bool isKnown(const std::string &name) const { return ids.contains(name); }

  /// Id of the first kernel, which a warp belongs to when its line does not say; 0 when there is none.
  std::uint32_t firstKernel() const { return firstKernelId; }

private:
  static constexpr std::uint32_t kAmbiguous = ~0u;
  std::unordered_map<std::string, std::uint32_t> ids;
  std::unordered_map<std::uint32_t, std::string> names, references;
  std::uint32_t firstKernelId = 0;
};

} // namespace kperf::decoder

#endif
