// Parses jumps from the text of instructions.
#include "tool/placement/Flow.h"

#include <optional>

namespace kperf::placement {
namespace {

/// BRA of "@!P0 BRA `(.L_x_1)".
std::string_view withoutPredicate(std::string_view text) {
  if (!text.starts_with('@'))
    return text;
  const std::size_t blank = text.find(' ');
  const std::size_t begin = blank == std::string_view::npos ? blank : text.find_first_not_of(' ', blank);
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

/// Of "BRA.DIV ~URZ, `(.L_x_1)" the label.
std::string_view labelIn(std::string_view text) {
  const std::size_t begin = text.find("`("), end = text.find(')', begin);
  return begin == std::string_view::npos || end == std::string_view::npos ? std::string_view() : text.substr(begin + 2, end - begin - 2);
}

class FlowReader {
public:
  explicit FlowReader(const Function &function) : function(function) {}

  Flow read() {
    Flow flow;
    const std::size_t count = function.instructions.size();
    if (count > 0)
      flow.entries.push_back(0);
    flow.successors.resize(count);
    for (std::size_t index = 0; index < count; ++index) {
      const std::string_view whole = function.instructions[index].text, text = withoutPredicate(whole);
      if (const auto to = isCall(text) ? target(labelIn(text)) : std::nullopt)
        flow.entries.push_back(*to);
      const auto to = jump(text);
      if (to)
        flow.successors[index].push_back(*to);
      if (index + 1 < count && to != index + 1 && !(whole == text && neverGoesOn(text)))
        flow.successors[index].push_back(index + 1);
    }
    return flow;
  }

private:
  /// "CALL.REL.NOINC `(.L_x_1)" comes back from nowhere: it is a jump, whose label is none of a function.
  static bool isCall(std::string_view text) { return text.starts_with("CALL") && !labelIn(text).starts_with(".L"); }
  static bool isJump(std::string_view text) {
    return text.starts_with("BRA") || text.starts_with("JMP") || (text.starts_with("CALL") && !isCall(text));
  }

  std::optional<std::size_t> target(std::string_view label) const {
    const auto known = function.labels.find(label);
    if (known == function.labels.end() || known->second >= function.instructions.size())
      return std::nullopt;
    return known->second;
  }

  static std::string_view barrierIn(std::string_view text) {
    const std::size_t begin = text.find(" B");
    return begin == std::string_view::npos ? std::string_view() : text.substr(begin + 1, text.find_first_of(", ", begin + 1) - begin - 1);
  }

  /// Lanes that diverged go on, behind BSYNC, where the BSSY of their barrier says.
  std::optional<std::size_t> jump(std::string_view text) {
    if (text.starts_with("BSSY"))
      meetings[barrierIn(text)] = target(labelIn(text));
    if (text.starts_with("BSYNC"))
      return meetings[barrierIn(text)];
    return isJump(text) ? target(labelIn(text)) : std::nullopt;
  }

  /// Without a predicate in front of it. BRA has a second one among its operands: "BRA.U UP0, `(…)", "BRA P1, `(…)".
  bool neverGoesOn(std::string_view text) const {
    if (text.starts_with("BSYNC"))
      return meetings.contains(barrierIn(text)) && meetings.at(barrierIn(text));
    if (text.starts_with("EXIT") || text.starts_with("RET") || text.starts_with("BRX") || text.starts_with("JMX"))
      return true;
    return isJump(text) && text.find(',') == std::string_view::npos;
  }

  const Function &function;
  std::map<std::string_view, std::optional<std::size_t>> meetings; ///< by barrier: of the last BSSY that came before
};

} // namespace

Flow readFlow(const Function &function) { return FlowReader(function).read(); }

} // namespace kperf::placement
