// Reads the indices of an access.
#include "decoder/memory/LaneRows.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <string>
#include <vector>

namespace kperf::decoder {
namespace {

constexpr std::string_view kLane = "threadIdx.x";
constexpr std::uint64_t kMaxRows = 1 << 20; ///< more than a block's shared memory has bytes

bool mentionsLane(std::string_view text) { return text.contains("threadIdx"); }

int depthStep(char letter) { return letter == '(' || letter == '[' ? 1 : letter == ')' || letter == ']' ? -1 : 0; }

std::string withoutBlanks(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out), [](unsigned char letter) { return !std::isspace(letter); });
  return out;
}

/// What stands in brackets, each index, without blanks; after one that no other bracket follows at once, as in "s[i].row[k]", it begins
/// anew.
std::vector<std::string> indicesOf(std::string_view expression) {
  const std::string text = withoutBlanks(expression);
  std::vector<std::string> out;
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ']' && depth > 0)
      --depth;
    if (depth > 0)
      out.back() += text[at];
    if (text[at] != '[')
      continue;
    if (depth++ > 0)
      continue;
    if (at > 0 && text[at - 1] != ']')
      out.clear();
    out.emplace_back();
  }
  return out;
}

/// Parts of a text between such letters as stand in no parentheses.
std::vector<std::string_view> partsOf(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += depthStep(text[at]);
    if (depth != 0 || text[at] != separator)
      continue;
    out.push_back(text.substr(begin, at - begin));
    begin = at + 1;
  }
  out.push_back(text.substr(begin));
  return out;
}

std::optional<std::uint64_t> numberOf(std::string_view text) {
  std::uint64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view suffix(rest, text.data() + text.size());
  if (error != std::errc() || value > kMaxRows || suffix.find_first_not_of("uUlL") != std::string_view::npos)
    return {};
  return value;
}

bool isName(std::string_view text) {
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char letter) { return std::isalnum(letter) || letter == '_' || letter == '.'; });
}

/// A product with the lane in it: "2 * threadIdx.x * pitch".
struct LaneProduct {
  std::uint64_t number = 1;  ///< the product of what are numbers
  std::size_t numbers = 0;   ///< how many those are
  std::string_view name, by; ///< the one name beside the lane; the last number, as it stands there
};

/// Nothing: it has something else, too.
std::optional<LaneProduct> laneProductOf(std::string_view term) {
  LaneProduct out;
  std::size_t lanes = 0;
  for (const std::string_view factor : partsOf(term, '*')) {
    if (factor == kLane) {
      ++lanes;
    } else if (const std::optional<std::uint64_t> number = numberOf(factor)) {
      if ((out.number *= *number) > kMaxRows)
        return {};
      ++out.numbers;
      out.by = factor;
    } else if (isName(factor) && !mentionsLane(factor) && out.name.empty()) {
      out.name = factor;
    } else {
      return {};
    }
  }
  return lanes == 1 ? std::optional(out) : std::nullopt;
}

bool hasFactor(std::string_view term, std::string_view factor) { return std::ranges::count(partsOf(term, '*'), factor) > 0; }

/// A number, or the same in all of a block.
bool isSameForAll(std::string_view term) { return numberOf(term) || term == "blockIdx.x" || term == "blockIdx.y" || term == "blockIdx.z"; }

/// The terms of a sum; nothing where it is something else than a sum, or the lane is taken away from something.
std::optional<std::vector<std::string_view>> summandsOf(std::string_view index) {
  int depth = 0;
  for (const char letter : index) {
    depth += depthStep(letter);
    if (depth == 0 && std::string_view("&|^?<>=!~,").contains(letter))
      return {};
  }
  std::vector<std::string_view> out;
  for (const std::string_view sum : partsOf(index, '+')) {
    const std::vector<std::string_view> parts = partsOf(sum, '-');
    if (std::ranges::any_of(parts.begin() + 1, parts.end(), mentionsLane))
      return {};
    out.insert(out.end(), parts.begin(), parts.end());
  }
  return out;
}

/// Of an index that counts rows.
std::optional<LaneRows> rowsOfIndex(std::string_view index) {
  if (!mentionsLane(index))
    return LaneRows{1, false};
  const auto terms = summandsOf(index);
  if (!terms)
    return {};
  std::optional<LaneProduct> lane;
  bool isCertain = true;
  for (const std::string_view term : *terms) {
    if (!mentionsLane(term)) {
      isCertain &= isSameForAll(term);
      continue;
    }
    if (lane || !(lane = laneProductOf(term)) || !lane->name.empty())
      return {};
  }
  return LaneRows{lane->number, isCertain};
}

/// Of the one index of an array.
std::optional<LaneRows> rowsOfProduct(std::string_view index) {
  if (!mentionsLane(index))
    return LaneRows{1, false};
  const auto terms = summandsOf(index);
  if (!terms)
    return {};
  std::optional<LaneProduct> row;
  std::vector<std::string_view> others;
  for (const std::string_view term : *terms) {
    if (!mentionsLane(term) || term == kLane) { // a column
      others.push_back(term);
      continue;
    }
    if (row || !(row = laneProductOf(term)))
      return {};
  }
  if (!row || (row->name.empty() && row->numbers != 1)) // which of the numbers is a row's is not said
    return LaneRows{1, false};
  const std::string_view pitch = row->name.empty() ? row->by : row->name;
  const bool isAlone = std::ranges::none_of(others, [&](std::string_view term) { return hasFactor(term, pitch); });
  return LaneRows{row->name.empty() ? 1 : row->number, isAlone};
}

} // namespace

std::optional<LaneRows> laneRows(std::string_view expression) {
  const std::vector<std::string> indices = indicesOf(expression);
  if (indices.empty())
    return LaneRows{1, false};
  if (indices.size() == 1)
    return rowsOfProduct(indices.front());
  if (std::ranges::any_of(indices.begin(), indices.end() - 2, mentionsLane)) // planes, of how many rows is not known
    return {};
  return rowsOfIndex(indices[indices.size() - 2]);
}

} // namespace kperf::decoder
