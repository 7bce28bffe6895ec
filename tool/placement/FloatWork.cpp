// Knows the instructions by name: "FFMA", "HMUL2.BF16_V2", "DADD".
#include "tool/placement/FloatWork.h"

#include <algorithm>
#include <array>

namespace kperf::placement {
namespace {

constexpr double kLanes = 32;

enum class Type { Fp32, Fp64, Fp16, Bf16 };

struct Kind {
  std::string_view name;
  Type type;
  double operations; ///< of a lane
};

/// Those with a 2 work on two halves, or from Blackwell on two floats.
constexpr std::array kKinds = {
    Kind{"FADD", Type::Fp32, 1},    Kind{"FMUL", Type::Fp32, 1},    Kind{"FFMA", Type::Fp32, 2},  Kind{"FADD32I", Type::Fp32, 1},
    Kind{"FMUL32I", Type::Fp32, 1}, Kind{"FFMA32I", Type::Fp32, 2}, Kind{"FADD2", Type::Fp32, 2}, Kind{"FMUL2", Type::Fp32, 2},
    Kind{"FFMA2", Type::Fp32, 4},   Kind{"HADD2", Type::Fp16, 2},   Kind{"HMUL2", Type::Fp16, 2}, Kind{"HFMA2", Type::Fp16, 4},
    Kind{"DADD", Type::Fp64, 1},    Kind{"DMUL", Type::Fp64, 1},    Kind{"DFMA", Type::Fp64, 2},
};

const Kind *kindOf(std::string_view name) {
  const auto kind = std::ranges::find(kKinds, name.substr(0, name.find('.')), &Kind::name);
  return kind != kKinds.end() ? &*kind : nullptr;
}

/// Fused multiplications and additions a cycle and multiprocessor: the whitepapers "NVIDIA A100 Tensor Core GPU Architecture", "NVIDIA H100
/// Tensor Core GPU Architecture", "NVIDIA Ampere GA102 GPU Architecture" and "NVIDIA Ada GPU Architecture", without tensor cores.
double rateOf(Type type, std::string_view architecture) {
  struct Rates {
    double fp32, fp64, fp16, bf16;
  };
  const auto rates = architecture.starts_with("sm_90")                    ? Rates{128, 64, 256, 256}
                     : architecture == "sm_80"                            ? Rates{64, 32, 256, 128}
                     : architecture == "sm_86" || architecture == "sm_89" ? Rates{128, 2, 128, 128}
                                                                          : Rates{};
  return type == Type::Fp32 ? rates.fp32 : type == Type::Fp64 ? rates.fp64 : type == Type::Fp16 ? rates.fp16 : rates.bf16;
}

/// The first operand that is read.
std::string_view firstSource(std::string_view operands) {
  const std::string_view rest = operands.substr(std::min(operands.find(", ") + 2, operands.size()));
  return rest.substr(0, rest.find(','));
}

} // namespace

std::string_view floatName(std::string_view instruction) {
  if (instruction.starts_with('@'))
    instruction.remove_prefix(std::min(instruction.find(' ') + 1, instruction.size()));
  const std::string_view whole = instruction.substr(0, instruction.find(' '));
  const Kind *const kind = kindOf(whole);
  if (!kind)
    return {};
  if (kind->type == Type::Fp16) {
    const std::string_view source = firstSource(instruction.substr(whole.size()));
    if (whole.find(".F32") != std::string_view::npos || source == "RZ" || source == "-RZ")
      return {};
    if (const std::size_t at = whole.find(".BF16"); at != std::string_view::npos)
      return whole.substr(0, whole.find('.', at + 1));
  }
  return whole.substr(0, whole.find('.'));
}

Work floatWorkOf(std::string_view name, std::string_view architecture) {
  const Kind &kind = *kindOf(name);
  const Type type = name.find(".BF16") != std::string_view::npos ? Type::Bf16 : kind.type;
  const double results = kLanes * (kind.name.ends_with('2') ? 2 : 1), rate = rateOf(type, architecture);
  return {.operations = kLanes * kind.operations, .cycles = rate > 0 ? std::optional(results / rate) : std::nullopt};
}

} // namespace kperf::placement
