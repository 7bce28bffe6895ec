// Names of kernels that people can read.
#include "decoder/span/ShortName.h"

#include <algorithm>

namespace kperf::decoder {
namespace {

constexpr int kMaxDepth = 2;         ///< of template arguments
constexpr std::size_t kMaxWord = 64; ///< characters of one name; a mangled or hostile one is longer
constexpr std::string_view kAnonymous = "(anonymous namespace)::";

bool isWord(char letter) { return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_' || letter == '$'; }

/// Where the name ends and the parameters begin, outside of template arguments.
std::size_t endOfName(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kAnonymous))
      at += kAnonymous.size() - 1;
    else if (text[at] == '<')
      ++depth;
    else if (text[at] == '>')
      --depth;
    else if (text[at] == '(' && depth == 0)
      return at;
  }
  return text.size();
}

/// Behind the last blank outside of template arguments: the type is in front of it.
std::size_t beginOfName(std::string_view text) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kAnonymous)) {
      at += kAnonymous.size() - 1;
      continue;
    }
    depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
    if (text[at] == ' ' && depth == 0)
      begin = at + 1;
  }
  return begin;
}

/// Names without their namespaces; arguments below the second level become one ellipsis.
std::string withoutNamespaces(std::string_view text) {
  std::string out, word;
  int depth = 0;
  bool isCut = false;
  const auto flush = [&] {
    if (!isCut)
      out += word.substr(0, kMaxWord);
    word.clear();
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    if (isWord(letter)) {
      word += letter;
      continue;
    }
    if (text.substr(at).starts_with("::")) {
      word.clear();
      ++at;
      continue;
    }
    flush();
    if (letter == '<' && ++depth > kMaxDepth && !isCut) {
      out += "<…>";
      isCut = true;
    } else if (!isCut) {
      out += letter;
    }
    if (letter == '>' && --depth == kMaxDepth)
      isCut = false;
  }
  flush();
  return out;
}

} // namespace

std::string shortKernelName(std::string_view name) {
  const std::size_t with = name.find(" [with ");
  const std::string_view declared = name.substr(0, with);
  std::string_view core = declared.substr(0, endOfName(declared));
  core.remove_prefix(beginOfName(core));
  std::string out;
  for (std::string_view left = core; !left.empty();) {
    const std::size_t at = left.find(kAnonymous);
    out += left.substr(0, at);
    left.remove_prefix(at == std::string_view::npos ? left.size() : at + kAnonymous.size());
  }
  out = withoutNamespaces(out);
  if (with != std::string_view::npos)
    out += " [" + std::string(name.substr(with + 7));
  return out.empty() || core.empty() ? std::string(name) : out;
}

std::vector<std::string> shortKernelNames(const std::vector<std::string> &names) {
  std::vector<std::string> out;
  for (const std::string &name : names)
    out.push_back(shortKernelName(name));
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t other = i + 1; other < out.size(); ++other)
      if (names[i] != names[other] && shortKernelName(names[i]) == shortKernelName(names[other])) {
        out[i] = names[i];
        out[other] = names[other];
      }
  return out;
}

} // namespace kperf::decoder
