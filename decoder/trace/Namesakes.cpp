// Tells functions of the same name apart.
#include "decoder/trace/Namesakes.h"
#include "decoder/trace/CompiledFunction.h"

#include <algorithm>
#include <functional>
#include <set>

namespace kperf::decoder {
namespace {

std::string fileName(const Namesake &one) { return one.file.substr(one.file.rfind('/') + 1); }

/// Macros that each of them has.
std::set<std::string> commonMacros(const std::vector<Namesake> &all) {
  std::set<std::string> common = CompiledFunction(all.front().function).each();
  for (const Namesake &one : all) {
    const std::set<std::string> own = CompiledFunction(one.function).each();
    std::erase_if(common, [&](const std::string &macro) { return !own.contains(macro); });
  }
  return common;
}

} // namespace

std::vector<std::string> labelsOf(const std::vector<Namesake> &all) {
  std::vector<std::string> labels(all.size());
  if (all.size() < 2)
    return labels;
  const std::set<std::string> common = commonMacros(all);
  const auto macros = [&](const Namesake &one) { return CompiledFunction(one.function).without(common); };
  const std::function<std::string(const Namesake &)> ways[] = {
      fileName,
      [](const Namesake &one) { return one.file; },
      [](const Namesake &one) { return one.line > 0 ? fileName(one) + ":" + std::to_string(one.line) : ""; },
      macros,
      [&](const Namesake &one) { return fileName(one) + (macros(one).empty() ? "" : ", " + macros(one)); },
  };
  for (const auto &way : ways) {
    std::ranges::transform(all, labels.begin(), way);
    const std::set<std::string> distinct(labels.begin(), labels.end());
    if (distinct.size() < all.size() || distinct.contains(""))
      continue;
    for (std::string &label : labels)
      label = " (" + label + ")";
    return labels;
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    labels[i] = " #" + std::to_string(i + 1);
  return labels;
}

LabelledName splitLabel(std::string_view labelled) {
  std::size_t begin = labelled.rfind(" #");
  if (begin == std::string_view::npos || labelled.find_first_not_of("0123456789,", begin + 2) != std::string_view::npos) {
    begin = labelled.size();
    std::size_t depth = 0;
    do {
      if (begin == 0 || !labelled.ends_with(')'))
        return {labelled, ""};
      --begin;
      depth += labelled[begin] == ')';
      depth -= labelled[begin] == '(';
    } while (depth > 0);
    if (begin == 0 || labelled[--begin] != ' ') // arguments
      return {labelled, ""};
  }
  return {labelled.substr(0, begin), labelled.substr(begin)};
}

} // namespace kperf::decoder
