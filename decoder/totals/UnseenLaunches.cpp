// Compares the host's list of launches with those that have warps.
#include "decoder/totals/UnseenLaunches.h"
#include "decoder/span/KernelName.h"
#include "decoder/span/ShortName.h"

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

namespace {

std::vector<UnseenKernel> unseenKernels(std::span<const SeenKernel> kernels, const HostLaunches &launches) {
  std::vector<UnseenKernel> out;
  if (kernels.empty()) // of a trace without warps there is a note
    return out;
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

} // namespace

UnseenSum sumOfUnseen(std::span<const SeenKernel> kernels, const HostLaunches &launches, const std::string &pattern) {
  UnseenSum out{.kernels = unseenKernels(kernels, launches),
                .warpsWithoutBuffer = launches.warpsWithoutBuffer(),
                .areSomeOff = launches.areSomeOff()};
  for (const auto &[name, count] : launches.untimed())
    out.untimed.push_back({.name = name, .launches = count, .listed = count});
  for (const auto &[name, counts] : launches.withoutProbes())
    if (counts.probed == 0)
      out.plain.push_back(
          {.name = name.empty() ? "kernels without a name" : shortKernelName(name), .launches = counts.plain, .listed = counts.plain});
  for (std::vector<UnseenKernel> *const list : {&out.kernels, &out.untimed, &out.plain})
    std::erase_if(*list, [&](const UnseenKernel &kernel) { return !isMeant(pattern, kernel.name, qualifiedNameOf(kernel.name)); });
  return out;
}

} // namespace kperf::decoder
