// Demangles a kernel's name, and finds the kernel in the table of regions by its lines.
#include "tool/placement/KernelSymbol.h"

#include "decoder/trace/Namesakes.h"
#include "runtime/file/DemangledName.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace kperf::placement {

/// "attention<64>" of "void attention<64>(float*, int)", as traces name kernels.
std::string kernelName(std::string_view mangled) {
  std::string name = runtime::demangled(std::string(mangled).c_str());
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char letter = name[at];
    static constexpr std::string_view anonymous = "(anonymous namespace)";
    if (std::string_view(name).substr(at).starts_with(anonymous)) {
      at += anonymous.size() - 1;
      continue;
    }
    depth += letter == '<';
    depth -= letter == '>' && depth > 0;
    if (depth == 0 && letter == ' ')
      begin = at + 1; // what came before was the type
    if (depth == 0 && letter == '(')
      return name.substr(begin, at - begin);
  }
  return name;
}

std::string namesakeLabel(const Function &function, std::span<const UserPlaces> places, std::span<const Region> regions) {
  const std::string name = kernelName(function.name);
  std::vector<const Region *> sharing;
  for (const Region &region : regions)
    if (region.kind == format::RegionKind::Kernel && region.name == std::string_view(name).substr(0, name.find('<')))
      sharing.push_back(&region);
  std::ranges::sort(sharing, {}, &Region::id); // as traces number them
  std::vector<decoder::Namesake> all;
  std::optional<std::size_t> own;
  for (const Region *const each : sharing) {
    const bool isOwn = std::ranges::any_of(function.instructions, [&](const Instruction &instruction) {
      return touches(places[instruction.places], *each, each->line, each->endLine);
    });
    if (isOwn && own)
      return "";
    if (isOwn)
      own = all.size();
    all.push_back({each->file, each->line, each->function});
  }
  return own ? decoder::labelsOf(all)[*own] : "";
}

} // namespace kperf::placement
