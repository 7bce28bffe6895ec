// Reads registers from the text of instructions.
#include "tool/placement/Registers.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace kperf::placement {
namespace {

struct Text {
  std::string_view name, operands;
};

/// Without its predicate.
Text partsOf(std::string_view instruction) {
  if (instruction.starts_with('@'))
    instruction.remove_prefix(std::min(instruction.find(' ') + 1, instruction.size()));
  const std::size_t end = std::min(instruction.find(' '), instruction.size());
  return {instruction.substr(0, end), instruction.substr(end)};
}

/// How many registers of 32 bits an operand is.
unsigned widthOf(std::string_view name) {
  if (name.find(".128") != std::string_view::npos)
    return 4;
  return name.find(".64") != std::string_view::npos || name.find(".WIDE") != std::string_view::npos ? 2 : 1;
}

struct Register {
  std::string_view file; ///< "R", "UR"
  unsigned number = 0;
};

/// Nothing of RZ, URZ, PT and what is none.
std::optional<Register> registerOf(std::string_view word) {
  const std::size_t digits = word.find_first_of("0123456789");
  if (digits == std::string_view::npos)
    return {};
  Register out{word.substr(0, digits), 0};
  const auto [end, error] = std::from_chars(word.data() + digits, word.data() + word.size(), out.number);
  const bool isWhole = error == std::errc() && end == word.data() + word.size();
  return isWhole && (out.file == "R" || out.file == "UR") ? std::optional(out) : std::nullopt;
}

bool isOfWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_'; }

} // namespace

std::string_view destinationOf(std::string_view instruction) {
  std::string_view operand = partsOf(instruction).operands;
  operand.remove_prefix(std::min(operand.find_first_not_of(' '), operand.size()));
  operand = operand.substr(0, operand.find(','));
  return operand.find('[') == std::string_view::npos ? operand : std::string_view();
}

bool isReadBy(std::string_view instruction, std::string_view reg) {
  const Text text = partsOf(instruction);
  const auto searched = registerOf(reg);
  const unsigned width = widthOf(text.name);
  std::string_view sources = text.operands;
  if (const std::string_view written = destinationOf(instruction); !written.empty())
    sources.remove_prefix(static_cast<std::size_t>(written.data() + written.size() - sources.data()));
  while (searched && !sources.empty()) {
    const auto begin = std::ranges::find_if(sources, isOfWord), end = std::find_if_not(begin, sources.end(), isOfWord);
    const auto named = registerOf(std::string_view(begin, end));
    if (named && named->file == searched->file && named->number <= searched->number && searched->number - named->number < width)
      return true;
    sources = std::string_view(end, sources.end());
  }
  return false;
}

std::uint32_t immediateIn(std::string_view instruction) {
  std::uint32_t value = 0;
  if (const std::size_t at = instruction.rfind("0x"); at != std::string_view::npos)
    std::from_chars(instruction.data() + at + 2, instruction.data() + instruction.size(), value, 16);
  return value;
}

} // namespace kperf::placement
