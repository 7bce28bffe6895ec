// Computes each kernel's reuse distances.
#include "decoder/explain/Reuse.h"
#include "decoder/memory/Locality.h"

namespace kperf::decoder {

Expected<std::vector<Reuse>> readReuse(std::span<const Trace> traces, const std::unordered_map<std::uint32_t, std::size_t> &groupOf,
                                       std::size_t count) {
  std::vector<Reuse> out(count);
  const auto locality = Locality::read(traces, "");
  if (!locality)
    return failure(locality.error());
  if (locality->isEmpty())
    return out;
  const std::vector<GroupLocality> groups = locality->groups(groupOf, count);
  for (std::size_t i = 0; i < count; ++i)
    out[i] = {groups[i].footprint.value, groups[i].distance};
  return out;
}

} // namespace kperf::decoder
