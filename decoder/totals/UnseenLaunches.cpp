// Compares the host's list of launches with those that have warps.
#include "decoder/totals/UnseenLaunches.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kperf::decoder {
namespace {

std::uint64_t countOf(std::span<const SeenKernel> kernels, const auto &isOne) {
  return static_cast<std::uint64_t>(std::ranges::count_if(kernels, isOne));
}

/// Whether its name says which kernel was launched: of a template the host knows one instance. Others may have left no warp.
bool isKnownByName(const SeenKernel &kernel, std::span<const SeenKernel> all, const HostLaunches &launches) {
  return !kernel.isAmbiguous && (!kernel.isInstance || launches.instancesOf(kernel.name) == 1) &&
         countOf(all, [&](const SeenKernel &other) { return other.device == kernel.device && other.name == kernel.name; }) == 1;
}

bool isKnownByShape(const SeenKernel &kernel, std::span<const SeenKernel> all) {
  return kernel.isOneShape &&
         countOf(all, [&](const SeenKernel &other) { return other.device == kernel.device && other.shape == kernel.shape; }) == 1;
}

} // namespace

std::vector<HostLaunches::Sum> unseenLaunches(std::span<const SeenKernel> kernels, const HostLaunches &launches) {
  std::vector<HostLaunches::Sum> out;
  for (const SeenKernel &kernel : kernels) {
    HostLaunches::Sum &unseen = out.emplace_back();
    if (!kernel.seen || kernel.isForeign || kernel.seen->launches == 0)
      continue;
    HostLaunches::Sum listed;
    if (isKnownByName(kernel, kernels, launches))
      listed = launches.of(kernel.ordinal, kernel.name);
    if (listed.launches == 0 && isKnownByShape(kernel, kernels))
      listed = launches.ofUnnamed(kernel.ordinal, kernel.shape);
    if (listed.launches > kernel.seen->launches && listed.warps > kernel.seen->warps)
      unseen = {listed.launches - kernel.seen->launches, listed.warps - kernel.seen->warps};
  }
  return out;
}

std::vector<UnseenKernel> unseenKernels(std::span<const SeenKernel> kernels, const HostLaunches &launches) {
  std::vector<UnseenKernel> out;
  for (const auto &[key, listed] : launches.byKernel()) {
    const auto &[ordinal, name] = key;
    UnseenKernel unseen{.name = name, .launches = listed.launches, .listed = listed.launches};
    bool isCounted = true;
    for (const SeenKernel &kernel : kernels) {
      if (kernel.ordinal != ordinal || kernel.name != name)
        continue;
      ++unseen.instances;
      isCounted &= kernel.seen && !kernel.isForeign && !isKnownByName(kernel, kernels, launches);
      unseen.launches -= std::min(unseen.launches, kernel.seen ? kernel.seen->launches : 0);
    }
    if (isCounted && unseen.launches > 0)
      out.push_back(std::move(unseen));
  }
  return out;
}

} // namespace kperf::decoder
