// Parses the text of a budget.
#include "decoder/compare/Budget.h"
#include "decoder/view/Views.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace kperf::decoder {
namespace {

class BudgetParser {
public:
  explicit BudgetParser(const std::string &text) : text(text) { budget.text = text; }

  Expected<Budget> parse() {
    std::vector<Name> names;
    do {
      const auto name = takeName();
      if (!name)
        return failure(name.error());
      names.push_back(*name);
    } while (take("."));
    if (Status status = assign(names); !status)
      return failure(status.error());
    if (!takeRelation())
      return failure(error("<, <=, >, >=, == or !="));
    if (!takeNumber())
      return failure(error("a number"));
    skipBlanks();
    if (at < text.size())
      return failure(error("nothing behind the number, which is in its column's unit"));
    return std::move(budget);
  }

private:
  struct Name {
    std::string text;
    bool isQuoted;
  };

  void skipBlanks() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }
  bool take(std::string_view word) {
    skipBlanks();
    if (!std::string_view(text).substr(at).starts_with(word))
      return false;
    at += word.size();
    return true;
  }
  Error error(const char *expected) const {
    return {.message = "not a budget",
            .found = at < text.size() ? fmt::format("'{}'", text.substr(at)) : "its end",
            .expected = expected,
            .column = static_cast<std::uint32_t>(at + 1)};
  }
  Expected<Name> takeName() {
    skipBlanks();
    const bool isQuoted = at < text.size() && text[at] == '"';
    const std::size_t begin = at + isQuoted;
    const std::size_t end = isQuoted ? text.find('"', begin) : text.find_first_of(".<>=! \t\"", begin);
    if (isQuoted && end == std::string::npos)
      return failure(error("a closing quote"));
    const std::string name = text.substr(begin, end == std::string::npos ? end : end - begin);
    if (name.empty())
      return failure(error("a name: table.\"row\".column"));
    at = begin + name.size() + isQuoted;
    return Name{name, isQuoted};
  }
  Status assign(const std::vector<Name> &names) {
    std::size_t next = 0;
    const auto isView = [](const Name &name) {
      for (const View &view : views())
        if (!name.isQuoted && view.name == name.text)
          return true;
      return false;
    };
    if (names.size() > 2 && isView(names[0]) && !names[1].isQuoted)
      budget.view = names[next++].text;
    const std::size_t left = names.size() - next;
    if (left != 2 && left != 3)
      return failure(error("table.\"row\".column or table.column before the relation"));
    budget.table = names[next].text;
    if (left == 3)
      budget.row = names[next + 1].text;
    budget.column = names.back().text;
    return {};
  }
  bool takeRelation() {
    using Relation = Budget::Relation;
    constexpr std::pair<std::string_view, Relation> kRelations[] = {{"<=", Relation::AtMost}, {">=", Relation::AtLeast},
                                                                    {"==", Relation::Equal},  {"!=", Relation::Different},
                                                                    {"<", Relation::Less},    {">", Relation::More}};
    for (const auto &[word, relation] : kRelations)
      if (take(word)) {
        budget.relation = relation;
        return true;
      }
    return false;
  }
  bool takeNumber() {
    skipBlanks();
    const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), budget.limit);
    if (code != std::errc() || !std::isfinite(budget.limit))
      return false;
    at = static_cast<std::size_t>(end - text.data());
    return true;
  }

  const std::string &text;
  std::size_t at = 0;
  Budget budget;
};

} // namespace

Expected<Budget> parseBudget(const std::string &text) { return BudgetParser(text).parse(); }

bool Budget::holds(double value) const {
  switch (relation) {
  case Relation::Less:
    return value < limit;
  case Relation::AtMost:
    return value <= limit;
  case Relation::More:
    return value > limit;
  case Relation::AtLeast:
    return value >= limit;
  case Relation::Equal:
    return value == limit;
  case Relation::Different:
    return value != limit;
  }
  return false;
}

bool Budget::isDecidedWithin(double least, double most) const {
  if (relation == Relation::Equal || relation == Relation::Different)
    return limit < least || limit > most;
  return holds(least) == holds(most);
}

} // namespace kperf::decoder
