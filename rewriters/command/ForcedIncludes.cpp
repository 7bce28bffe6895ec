// Finds -include and -include-pch in their spellings, those behind -Xclang too.
#include "rewriters/command/ForcedIncludes.h"

#include "rewriters/command/OptionFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <set>

using namespace llvm;

namespace kperf {

namespace {

class Replacement {
public:
  Replacement(std::vector<std::string> &words, Dialect dialect, const HeaderCopies &copies)
      : words(words), copies(copies), isNvcc(dialect == Dialect::Nvcc) {}

  std::vector<std::string> run() {
    for (at = 0; at < words.size(); ++at)
      if (!replaceJoined())
        replaceSeparate();
    std::vector<std::string> warnings;
    for (const auto &[name, copy] : copies)
      if (!placed.contains(copy))
        warnings.push_back("annotated header '" + name +
                           "' is included from the command line in a way that can't be redirected to "
                           "its copy, and is compiled without probes: include it in the source, or give it to the compiler as "
                           "'-include " +
                           name + "'");
    return warnings;
  }

private:
  std::optional<std::string> copyOf(StringRef name) {
    const auto found = copies.find(name.str());
    if (found == copies.end())
      return std::nullopt;
    placed.insert(found->second);
    return found->second;
  }

  /// The same for a value of -include, which is a list of names to nvcc; nothing where none of them has a copy.
  std::optional<std::string> copiesOf(StringRef value) {
    if (!isNvcc)
      return copyOf(value);
    auto names = splitNvccList(value);
    if (!names) {
      consumeError(names.takeError()); // the reading of the command says so
      return std::nullopt;
    }
    std::string list;
    bool isChanged = false;
    for (const std::string &name : *names) {
      const auto copy = copyOf(name);
      isChanged |= copy.has_value();
      list += list.empty() ? "" : ",";
      list += !copy ? name : StringRef(*copy).contains(',') ? '"' + *copy + '"' : *copy; // measured on nvcc 13.0: quotes keep a comma
    }
    return isChanged ? std::optional(list) : std::nullopt;
  }

  /// -include=VALUE, --include=NAME and, not by nvcc itself but by those that it hands it on to, -includeNAME; false
  /// for another word.
  bool replaceJoined() {
    const StringRef word = words[at];
    const auto [option, value] = word.split('=');
    if (is_contained({"-include", "--include", "--pre-include"}, option) && !value.empty()) {
      if (const auto copy = option == "--include" ? copyOf(value) : copiesOf(value))
        words[at] = option.str() + "=" + *copy;
      return true;
    }
    StringRef name = word;
    if (!name.consume_front("-include") || name.empty())
      return false;
    const auto copy = copyOf(name);
    if (copy)
      words[at] = "-include" + *copy;
    return copy.has_value();
  }

  void replaceSeparate() {
    const bool isPrecompiled = words[at] == "-include-pch";
    if (!isPrecompiled && !is_contained({"-include", "--include", "--pre-include"}, words[at]))
      return;
    const bool isForFrontEnd = at > 0 && words[at - 1] == "-Xclang";
    const std::size_t next = at + (isForFrontEnd ? 2 : 1);
    if (next >= words.size())
      return;
    StringRef value = words[next];
    if (isPrecompiled && !value.consume_back(".pch"))
      value.consume_back(".gch");
    const auto copy = isPrecompiled ? copyOf(value) : copiesOf(value);
    if (!copy)
      return;
    words[next] = *copy;
    if (isPrecompiled)
      words[at] = "-include";
    if (isPrecompiled && isForFrontEnd) { // -include follows
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(at) - 1, words.begin() + static_cast<std::ptrdiff_t>(next) + 1);
      at -= 2;
    }
  }

  std::vector<std::string> &words;
  const HeaderCopies &copies;
  const bool isNvcc;
  std::size_t at = 0;
  std::set<std::string> placed; ///< copies
};

} // namespace

std::vector<std::string> replaceForcedIncludes(std::vector<std::string> &words, Dialect dialect, const HeaderCopies &copies) {
  return Replacement(words, dialect, copies).run();
}

} // namespace kperf
