// Translates architecture names.
#include "rewriters/command/GpuArchitecture.h"

#include "rewriters/command/CommandLine.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <set>

namespace kperf {

llvm::ArrayRef<llvm::StringRef> allNvidiaArchitectures() {
  static constexpr llvm::StringRef names[] = {"sm_75", "sm_80",  "sm_86",  "sm_87",  "sm_88",  "sm_89",
                                              "sm_90", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121"};
  return names;
}

llvm::ArrayRef<llvm::StringRef> majorNvidiaArchitectures() {
  static constexpr llvm::StringRef names[] = {"sm_75", "sm_80", "sm_90", "sm_100", "sm_110", "sm_120"};
  return names;
}

std::string clangArchitecture(llvm::StringRef name) {
  llvm::StringRef number = name;
  if (!number.consume_front("compute_") && !number.consume_front("lto_") && !number.consume_front("sm_"))
    return name.str();
  if (number.ends_with("f"))
    return ("sm_" + number.drop_back() + "a").str();
  return ("sm_" + number).str();
}

std::string architectureList(llvm::ArrayRef<std::string> architectures) {
  std::set<unsigned> numbers;
  for (llvm::StringRef name : architectures) {
    unsigned number = 0;
    if (name.consume_front("sm_") && !name.take_while(llvm::isDigit).getAsInteger(10, number))
      numbers.insert(number * 10);
  }
  std::string list;
  for (unsigned number : numbers)
    list += (list.empty() ? "" : ",") + std::to_string(number);
  return list;
}

std::string primaryArchitecture(llvm::ArrayRef<std::string> architectures) {
  auto rank = [](llvm::StringRef name) {
    unsigned number = 0;
    if (name.consume_front("sm_"))
      name.take_while(llvm::isDigit).getAsInteger(10, number);
    return std::pair(number, name.ends_with("a"));
  };
  auto newest = std::max_element(architectures.begin(), architectures.end(),
                                 [&](const auto &left, const auto &right) { return rank(left) < rank(right); });
  return newest == architectures.end() ? std::string() : *newest;
}

} // namespace kperf
