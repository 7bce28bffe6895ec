// Tensor cores that idle although warps have wgmma for them.
//
// Model: let the warps that issue wgmma live for 1. These take `alone` of that if none contends, at the peak rate, and everything else
// takes `rest` = 1 − the time in regions with wgmma. The tensor cores are busy for `busy`, and no schedule takes less. Turns: wgmma of
// several warpgroups contend no longer, and each takes what it takes alone: max(busy, rest + alone) is left. Overlap: a warpgroup's next
// wgmma is issued before other work, which then holds no tensor core up: max(busy, rest) is left. Where rest + alone is more than 1
// already, wgmma run beside other work, and nothing is said. A schedule does not gain all of that: there are latencies, first and last
// tiles, and registers for a second tile. In examples/attention_hopper turns gained a third of their maximum, and both together a fifth of
// overlap's (README there): likely these, at least nothing.
#include "decoder/explain/Finder.h"
#include "decoder/table/NumberFormat.h"

#include <algorithm>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

constexpr double kWarpsOfGroup = 4; ///< of a warpgroup, that multiplies together

std::string percentText(double percent) { return formatted(percent, Unit::Percent, false); }

class IdleTensorCores {
public:
  IdleTensorCores(const KernelFacts &kernel, const ProgramFacts &program)
      : kernel(kernel), program(program), tensor(*kernel.tensor), busy(*tensor.busy), alone(100 * tensor.alone / tensor.life),
        inProducts(100 * tensor.inProducts / tensor.life), rest(std::max(0.0, 100 - inProducts)) {}

  void find(std::vector<Explained> &out) const {
    const bool hasSeveral = tensor.warpsOfBlock >= 2 * kWarpsOfGroup || kernel.timeline.maxAtOnce > kernel.device.sms;
    const std::string other = regionName(tensor.other), multiply = regionName(tensor.region);
    if (const double most = std::min(100 - std::max(busy, rest + alone), inProducts - alone); hasSeveral && most >= kMinEvidence)
      out.push_back(
          finding("tensor-turns", fmt::format("wgmma of several warpgroups contend in '{}'", multiply),
                  "they are issued at any time: one waits for another's, and then all of them do other work at once",
                  fmt::format("let the warpgroups take turns (a named barrier for each): one issues its wgmma back to back, this tile's "
                              "last and the next tile's first, while another one has '{}'",
                              other),
                  most, most / 3));
    if (const double most = 100 - std::max(busy, rest); rest + alone < 100 && most >= kMinEvidence)
      out.push_back(finding("tensor-overlap", fmt::format("a warpgroup has no wgmma in flight while it has '{}'", other),
                            "it waits for each one before it goes on, and issues the next one only after that work",
                            fmt::format("issue the next tile's wgmma before '{}' of this one, and wait for it after that", other), most,
                            most / 5));
  }

private:
  Explained finding(std::string rule, std::string what, std::string why, std::string remedy, double most, double likely) const {
    Explained found{.rule = std::move(rule), .what = std::move(what)};
    found.place = placeOf(program, tensor.region);
    const RegionFacts &region = *kernel.region(tensor.region);
    found.evidence =
        fmt::format("tensor cores idle for {} of the launch; '{}' takes {}, its wgmma {} at their peak; '{}' is {} of the time",
                    percentText(100 - busy), region.name, cyclesText(region.mean), cyclesText(tensor.regionAlone), regionName(tensor.other),
                    percentText(shareOf(tensor.other)));
    found.command = "report, kperf verify";
    found.why = std::move(why);
    found.remedy = std::move(remedy);
    found.confirm = "TFLOP/s of kperf explain goes up, and mean of that region in kperf report down";
    found.noise = kernel.probesIn(most);
    found.gain = {0, likely, most};
    return found;
  }

  std::string regionName(std::uint32_t region) const {
    return region < program.regions->size() ? (*program.regions)[region].name : "other work";
  }
  double shareOf(std::uint32_t region) const {
    const RegionFacts *const facts = kernel.region(region);
    return facts ? facts->share : kernel.unattributed;
  }

  const KernelFacts &kernel;
  const ProgramFacts &program;
  const TensorFacts &tensor;
  double busy, alone, inProducts, rest; ///< percent of the warps' lives; busy: of the launches
};

} // namespace

void findTensorCores(const KernelFacts &kernel, const ProgramFacts &program, std::vector<Explained> &out) {
  const std::optional<TensorFacts> &tensor = kernel.tensor;
  if (tensor && tensor->isWhole && tensor->isAsynchronous && tensor->busy && tensor->life > 0)
    IdleTensorCores(kernel, program).find(out);
}

} // namespace kperf::decoder
