// Reads shapes and types from the names of instructions: "HGMMA.64x160x16.F32.BF16", "HMMA.16816.F32", "IMMA.16832.S8.S8", "DMMA.8x8x4".
#include "tool/placement/TensorWork.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace kperf::placement {
namespace {

enum class Element { Half, Tf32, Byte, Double, Other };

struct Shape {
  unsigned m = 0, n = 0, k = 0;
};

std::optional<unsigned> numberOf(std::string_view digits) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() && number > 0 ? std::optional(number) : std::nullopt;
}

/// "64x160x16", "16816" (16 by 8 by 16) or "8816".
std::optional<Shape> shapeOf(std::string_view text) {
  std::string_view m = text.substr(0, text.find('x')), n, k;
  if (m.size() < text.size()) {
    text.remove_prefix(m.size() + 1);
    n = text.substr(0, text.find('x'));
    k = text.substr(std::min(n.size() + 1, text.size()));
  } else {
    m = text.substr(0, text.starts_with("16") ? 2 : 1);
    n = text.substr(m.size(), 1);
    k = text.substr(std::min(m.size() + 1, text.size()));
  }
  const auto rows = numberOf(m), columns = numberOf(n), depth = numberOf(k);
  if (!rows || !columns || !depth)
    return {};
  return Shape{*rows, *columns, *depth};
}

bool hasPart(std::string_view name, std::string_view part) {
  const std::size_t at = name.find(part);
  return at != std::string_view::npos && (at + part.size() == name.size() || name[at + part.size()] == '.');
}

Element elementOf(std::string_view name) {
  if (name.starts_with("DMMA"))
    return Element::Double;
  if (name.starts_with("QGMMA"))
    return Element::Byte;
  if (name.starts_with("IMMA") || name.starts_with("IGMMA"))
    return hasPart(name, ".S4") || hasPart(name, ".U4") ? Element::Other : Element::Byte;
  if (name.starts_with("HMMA") || name.starts_with("HGMMA"))
    return hasPart(name, ".TF32") ? Element::Tf32 : Element::Half;
  return Element::Other;
}

/// Fused multiplications and additions a cycle and multiprocessor, dense: the whitepapers "NVIDIA A100 Tensor Core GPU Architecture" and
/// "NVIDIA H100 Tensor Core GPU Architecture" (of fp16 256 and 512 a cycle in each of four cores; half as many of TF32, twice as many of
/// bytes; of fp64 64 and 128 in all). Of consumers' GPUs the rate depends on what the sums are kept in; it is left out.
double rateOf(Element element, std::string_view architecture) {
  const bool isHopper = architecture.starts_with("sm_90");
  if (!isHopper && architecture != "sm_80")
    return 0;
  switch (element) {
  case Element::Half:
    return isHopper ? 2048 : 1024;
  case Element::Tf32:
    return isHopper ? 1024 : 512;
  case Element::Byte:
    return isHopper ? 4096 : 2048;
  case Element::Double:
    return isHopper ? 128 : 64;
  case Element::Other:
    break;
  }
  return 0;
}

} // namespace

std::string_view productName(std::string_view instruction) {
  static constexpr std::array kinds = {"HMMA", "IMMA", "DMMA", "BMMA", "HGMMA", "IGMMA", "QGMMA", "BGMMA"};
  if (instruction.starts_with('@'))
    instruction.remove_prefix(std::min(instruction.find(' ') + 1, instruction.size()));
  const std::string_view name = instruction.substr(0, instruction.find(' '));
  return std::ranges::find(kinds, name.substr(0, name.find('.'))) != kinds.end() ? name : std::string_view();
}

std::optional<Work> tensorWorkOf(std::string_view product, std::string_view architecture) {
  const std::string_view behind = product.substr(std::min(product.find('.') + 1, product.size()));
  const std::optional<Shape> shape = shapeOf(behind.substr(0, behind.find('.')));
  if (!shape || hasPart(product, ".SP") || product.starts_with("HMMA.884"))
    return {};
  const unsigned warps = product.find("GMMA") == 1 ? 4 : 1; // that share it
  const double products = static_cast<double>(shape->m) * shape->n * shape->k / warps;
  const double rate = rateOf(elementOf(product), architecture);
  return Work{2 * products, rate > 0 ? std::optional(products / rate) : std::nullopt};
}

} // namespace kperf::placement
