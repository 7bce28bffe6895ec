// Splits a command into words.
#include "tool/process/CommandWords.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::tool {

decoder::Expected<std::vector<std::string>> commandWords(std::string_view text, const char *option) {
  std::vector<std::string> words;
  bool isInWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char at = text[i];
    if (quote == 0 && (at == ' ' || at == '\t' || at == '\n')) {
      isInWord = false;
      continue;
    }
    if (!isInWord)
      words.emplace_back();
    isInWord = true;
    if (at == quote)
      quote = 0;
    else if (quote == 0 && (at == '\'' || at == '"'))
      quote = at;
    else if (at == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += at;
  }
  if (quote != 0 || words.empty())
    return decoder::failure({.message = fmt::format("{}: {}", option, quote ? "a quote has no end" : "there is no command"),
                             .found = fmt::format("'{}'", text),
                             .expected = "a program and its arguments as a shell would take them"});
  return words;
}

std::vector<std::string> withOptions(const std::vector<std::string> &words, std::string_view placeholder,
                                     const std::vector<std::string> &options) {
  const std::string all = fmt::format("{}", fmt::join(options, " "));
  std::vector<std::string> out;
  for (const std::string &word : words) {
    if (word == placeholder) {
      out.insert(out.end(), options.begin(), options.end());
      continue;
    }
    out.push_back(word);
    for (std::size_t at = 0; (at = out.back().find(placeholder, at)) != std::string::npos; at += all.size())
      out.back().replace(at, placeholder.size(), all);
  }
  return out;
}

} // namespace kperf::tool
