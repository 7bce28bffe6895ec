// Parses rows of C++ initialisers.
#include "runtime/driver/TableText.h"

#include <charconv>

namespace kperf::driver {
namespace {

/// What is left of a text that is read from its beginning.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) {}

  bool isAtEnd() {
    skipBlanks();
    return rest.empty();
  }

  bool take(char letter) {
    skipBlanks();
    const bool isThere = rest.starts_with(letter);
    if (isThere)
      rest.remove_prefix(1);
    return isThere;
  }

  /// "…", and what the rewriter's stringLiteral writes in it.
  std::optional<std::string> string() {
    if (!take('"'))
      return std::nullopt;
    std::string value;
    while (!rest.empty() && rest.front() != '"') {
      const char letter = next();
      value += letter == '\\' ? escaped() : letter;
    }
    return take('"') ? std::optional(value) : std::nullopt;
  }

  /// 12u, 0x1fu, KPERF_IN_STREAM, or several of them with | between.
  std::optional<std::uint32_t> number() {
    std::uint32_t value = 0;
    do {
      const auto part = term();
      if (!part)
        return std::nullopt;
      value |= *part;
    } while (take('|'));
    return value;
  }

private:
  void skipBlanks() {
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '\n' || rest.front() == '\r' || rest.front() == '\t'))
      rest.remove_prefix(1);
  }

  char next() {
    const char letter = rest.front();
    rest.remove_prefix(1);
    return letter;
  }

  char escaped() {
    if (rest.empty())
      return '\\';
    if (rest.front() < '0' || rest.front() > '7') {
      const char letter = next();
      return letter == 't' ? '\t' : letter;
    }
    unsigned value = 0;
    for (int digits = 0; digits < 3 && !rest.empty() && rest.front() >= '0' && rest.front() <= '7'; ++digits)
      value = value * 8 + static_cast<unsigned>(next() - '0');
    return static_cast<char>(value);
  }

  std::optional<std::uint32_t> term() {
    skipBlanks();
    static constexpr std::pair<std::string_view, std::uint32_t> names[] = {{"KPERF_IN_STREAM", KPERF_IN_STREAM},
                                                                           {"KPERF_IN_FRAME", KPERF_IN_FRAME}};
    for (const auto &[name, value] : names)
      if (rest.starts_with(name)) {
        rest.remove_prefix(name.size());
        return value;
      }
    const int base = rest.starts_with("0x") ? 16 : 10;
    if (base == 16)
      rest.remove_prefix(2);
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, base);
    if (error != std::errc())
      return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    static_cast<void>(take('u'));
    return value;
  }

  std::string_view rest;
};

} // namespace

/// `kinds`: a letter for each initialiser of a row, t: text, n: number; behind '-' those that may be left out.
std::optional<std::vector<TableText::Row>> TableText::rows(std::string_view text, std::string_view kinds) {
  std::vector<Row> found;
  const std::size_t needed = kinds.find('-');
  std::string all(kinds);
  all.erase(needed, 1);
  Reader reader(text);
  while (!reader.isAtEnd()) {
    if ((!found.empty() && !reader.take(',')) || !reader.take('{'))
      return std::nullopt;
    Row row;
    do {
      if (row.size() == all.size())
        return std::nullopt;
      Value value;
      if (all[row.size()] == 't') {
        auto string = reader.string();
        if (!string)
          return std::nullopt;
        value.text = texts.emplace_back(std::move(*string)).c_str();
      } else if (const auto number = reader.number())
        value.number = *number;
      else
        return std::nullopt;
      row.push_back(value);
    } while (reader.take(','));
    if (row.size() < needed || !reader.take('}'))
      return std::nullopt;
    row.resize(all.size());
    found.push_back(std::move(row));
  }
  return found;
}

bool TableText::readRegions(std::string_view text) {
  const auto found = rows(text, "nnttttnnnn-nn"); // kperf_region
  if (!found)
    return false;
  for (const Row &row : *found)
    regionRows.push_back({row[0].number, row[1].number, row[2].text, row[3].text, row[4].text, row[5].text, row[6].number, row[7].number,
                          row[8].number, row[9].number, row[10].number, row[11].number});
  return true;
}

bool TableText::readSites(std::string_view text) {
  const auto found = rows(text, "nnnntttttnnn-nn"); // kperf_site
  if (!found)
    return false;
  for (const Row &row : *found)
    siteRows.push_back({row[0].number, row[1].number, row[2].number, row[3].number, row[4].text, row[5].text, row[6].text, row[7].text,
                        row[8].text, row[9].number, row[10].number, row[11].number, row[12].number, row[13].number});
  return true;
}

} // namespace kperf::driver
