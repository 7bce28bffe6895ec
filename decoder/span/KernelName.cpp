// Names kernels, and tells kernels of the same name apart.
#include "decoder/span/KernelName.h"
#include "decoder/io/Glob.h"
#include "decoder/span/ShortName.h"
#include "decoder/trace/CompiledFunction.h"
#include "decoder/trace/Namesakes.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace kperf::decoder {

std::string distinguishingLabel(const RegionSet &regions, std::uint32_t kernel) {
  std::vector<std::uint32_t> sharing;
  for (std::uint32_t i = 0; i < regions.size(); ++i)
    if (regions[i].kind == format::RegionKind::Kernel && regions[i].name == regions[kernel].name)
      sharing.push_back(i);
  std::ranges::sort(sharing, {}, [&](std::uint32_t i) { return regions[i].id; }); // which come from what was compiled
  std::vector<Namesake> all;
  for (const std::uint32_t i : sharing)
    all.push_back({regions[i].file, regions[i].line, regions[i].function});
  const auto own = static_cast<std::size_t>(std::ranges::find(sharing, kernel) - sharing.begin());
  return sharing.size() < 2 || own == sharing.size() ? "" : labelsOf(all)[own]; // what a damaged warp names need not be a kernel
}

bool isMeant(std::string_view pattern, const std::string &name, std::string_view plain) {
  const std::string_view own = plain.substr(plain.rfind(':') + 1); // without its namespaces
  if (matches(pattern, name) || matches(pattern, plain) || matches(pattern, own) || matches(pattern, shortKernelName(name)))
    return true;
  std::string unspaced(pattern);
  for (std::size_t at = unspaced.find(", "); at != std::string::npos; at = unspaced.find(", ", at))
    unspaced.erase(at + 1, 1);
  const std::string spelled = spelledKernelName(name);
  const std::string_view withoutNamespaces = std::string_view(spelled).substr(spelled.substr(0, spelled.find('<')).rfind(':') + 1);
  return matches(unspaced, spelled) || matches(unspaced, withoutNamespaces);
}

bool isFunctionMeant(std::string_view pattern, std::string_view function) {
  const std::string_view name = CompiledFunction(function).name;
  return isMeant(pattern, std::string(name), name);
}

KernelName kernelNameOf(const Trace &trace, const RegionSet &regions, const format::WarpHeader &header) {
  KernelName out{
      .name = std::string(trace.string(header.nameAddress)), .plain = {}, .region = regions.find(header.kernel & format::kIdMask)};
  const bool isKnown = out.region != RegionSet::kNone;
  out.plain = isKnown ? regions[out.region].name : fmt::format("kernel {:#x}", header.kernel);
  if (out.name.empty())
    out.name = out.plain;
  if (const std::string label = isKnown ? distinguishingLabel(regions, out.region) : "";
      !out.name.ends_with(label)) // as a reduced trace's does
    out.name += label;
  return out;
}

} // namespace kperf::decoder
