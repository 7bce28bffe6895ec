// Guesses which known word an unknown one was meant to be.
#ifndef KPERF_TOOL_SPELLING_H
#define KPERF_TOOL_SPELLING_H

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace kperf::tool {

/// Letters to insert, delete, replace or swap with their neighbour to get from one word to the other (optimal string alignment).
inline std::size_t editDistance(std::string_view from, std::string_view to) {
  std::vector<std::vector<std::size_t>> cost(from.size() + 1, std::vector<std::size_t>(to.size() + 1));
  for (std::size_t i = 0; i <= from.size(); ++i)
    for (std::size_t j = 0; j <= to.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (from[i - 1] != to[j - 1])});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[from.size()][to.size()];
}

/// The nearest of the words; "" when more than a third of the letters differ.
inline std::string nearestWord(std::string_view word, const std::vector<std::string> &words) {
  const auto nearest = std::ranges::min_element(words, {}, [&](const std::string &each) { return editDistance(word, each); });
  return nearest != words.end() && 3 * editDistance(word, *nearest) <= std::max(word.size(), nearest->size()) ? *nearest : "";
}

} // namespace kperf::tool

#endif
