// Finds -include and -include-pch in their spellings, those behind -Xclang too.
#include "ForcedIncludes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <optional>

using namespace llvm;

namespace kperf {

namespace {

/// By its path, or by the name under which an include path has it.
std::optional<std::string> copyOf(StringRef header, const HeaderCopies &copies, const std::string &folder) {
  SmallString<256> absolute(header);
  sys::path::make_absolute(folder, absolute);
  sys::fs::make_absolute(absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  if (const auto exact = copies.find(absolute.str().str()); exact != copies.end())
    return exact->second;
  for (const auto &[original, copy] : copies)
    if (StringRef(original).ends_with(("/" + header).str()))
      return copy;
  return std::nullopt;
}

/// The same for a list of headers, which nvcc takes; nothing where none of them has a copy.
std::optional<std::string> copiesOf(StringRef headers, const HeaderCopies &copies, const std::string &folder) {
  std::string list;
  bool isChanged = false;
  for (StringRef header : split(headers, ',')) {
    const auto copy = copyOf(header, copies, folder);
    isChanged |= copy.has_value();
    list += (list.empty() ? "" : ",") + (copy ? *copy : header.str());
  }
  return isChanged ? std::optional(list) : std::nullopt;
}

} // namespace

void replaceForcedIncludes(std::vector<std::string> &words, const HeaderCopies &copies, const std::string &folder) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const StringRef word = words[i];
    const bool isPrecompiled = word == "-include-pch";
    if (const auto [option, value] = word.split('='); is_contained({"-include", "--include", "--pre-include"}, option) && !value.empty()) {
      if (const auto copy = copiesOf(value, copies, folder))
        words[i] = option.str() + "=" + *copy;
      continue;
    }
    if (!isPrecompiled && !is_contained({"-include", "--include", "--pre-include"}, word))
      continue;
    const bool isForFrontEnd = i > 0 && words[i - 1] == "-Xclang";
    const std::size_t at = i + (isForFrontEnd ? 2 : 1);
    if (at >= words.size())
      return;
    StringRef header = words[at];
    if (isPrecompiled && !header.consume_back(".pch"))
      header.consume_back(".gch");
    const auto copy = isPrecompiled ? copyOf(header, copies, folder) : copiesOf(header, copies, folder);
    if (!copy)
      continue;
    words[at] = *copy;
    if (isPrecompiled)
      words[i] = "-include";
    if (isPrecompiled && isForFrontEnd) { // -include follows
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) - 1, words.begin() + static_cast<std::ptrdiff_t>(at) + 1);
      i -= 2;
    }
  }
}

} // namespace kperf
