// Reads a file of budgets, in YAML, and writes a first one.
#include "tool/commands/BudgetFile.h"
#include "decoder/io/TextFile.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <string_view>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace kperf::tool {
namespace {

using decoder::Budget;
using decoder::Error;
using decoder::Expected;

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

std::unexpected<std::vector<Error>> failures(Error error) { return std::unexpected(std::vector{std::move(error)}); }

Error at(const YAML::Mark &mark, const std::string &path, Error error) {
  error.file = path;
  if (mark.line >= 0) {
    error.line = static_cast<std::uint32_t>(mark.line + 1);
    error.column = static_cast<std::uint32_t>(mark.column + 1);
  }
  return error;
}

/// An error in a text that `node` holds, of which it has the column; where the file does not spell the text so, that of the node is left.
Error within(const YAML::Node &node, std::string_view file, const std::string &path, const Error &error) {
  const YAML::Mark mark = node.Mark();
  const bool isSpelled = mark.pos >= 0 && file.substr(std::min<std::size_t>(mark.pos, file.size())).starts_with(node.Scalar());
  Error out = at(mark, path, error);
  if (isSpelled && error.column > 0)
    out.column += error.column - 1;
  return out;
}

Expected<Budget> readBudget(const YAML::Node &node, std::string_view file, const std::string &path) {
  const auto wrong = [&](const YAML::Node &where, std::string found, const char *expected) {
    return decoder::failure(at(where.Mark(), path, {.message = "not a budget", .found = std::move(found), .expected = expected}));
  };
  std::string text, kernel, because;
  YAML::Node limit = node;
  if (node.IsScalar()) {
    text = node.Scalar();
  } else if (node.IsMap()) {
    for (const auto &entry : node) {
      if (!entry.first.IsScalar() || !entry.second.IsScalar())
        return wrong(entry.first, "a value that is no text", "budget, kernel and because, each with a text");
      const std::string key = entry.first.Scalar();
      std::string *const place = key == "budget" ? &text : key == "kernel" ? &kernel : key == "because" ? &because : nullptr;
      if (!place)
        return wrong(entry.first, fmt::format("'{}'", key), "budget, kernel or because");
      if (!place->empty())
        return wrong(entry.first, fmt::format("a second '{}'", key), "one of each");
      *place = entry.second.Scalar();
      if (place == &text)
        limit.reset(entry.second);
    }
  } else {
    return wrong(node, "something else", "a text, or a map with budget, kernel and because");
  }
  auto budget = decoder::parseBudget(text);
  if (!budget)
    return decoder::failure(limit.IsScalar() ? within(limit, file, path, budget.error()) : at(node.Mark(), path, budget.error()));
  budget->kernel = kernel;
  budget->because = because;
  const YAML::Mark mark = node.Mark();
  budget->place = {.file = path, .line = static_cast<std::uint32_t>(mark.line + 1), .column = static_cast<std::uint32_t>(mark.column + 1)};
  return budget;
}

Budgets readAll(const YAML::Node &root, std::string_view file, const std::string &path) {
  const auto wrong = [&](const YAML::Node &where, std::string found) {
    return failures(at(where.Mark(), path,
                       {.message = "not a file of budgets",
                        .found = std::move(found),
                        .expected = "`budgets:` and a list of one or more, such as `- regions.\"softmax\".p95_ns < 1200`",
                        .remedy = root.IsMap() && root["rules"] ? "a selection file is for kperf-cc --select" : ""}));
  };
  if (!root.IsMap())
    return wrong(root, "no `budgets:`");
  std::size_t lists = 0;
  for (const auto &entry : root) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "something else";
    if (key != "budgets" || ++lists > 1)
      return wrong(entry.first, key == "budgets" ? "a second 'budgets'" : fmt::format("'{}'", key));
  }
  const YAML::Node list = root["budgets"];
  if (!list || !list.IsSequence())
    return wrong(list ? list : root, "no list");
  if (list.size() == 0)
    return wrong(list, "an empty list");
  std::vector<Budget> out;
  std::vector<Error> errors;
  for (const YAML::Node &node : list) {
    if (auto budget = readBudget(node, file, path))
      out.push_back(std::move(*budget));
    else
      errors.push_back(budget.error());
  }
  return errors.empty() ? Budgets(std::move(out)) : std::unexpected(std::move(errors));
}

/// Whether the quote at the begin of `text` is closed there. yaml-cpp takes the rest of the file for what is quoted.
bool isClosed(std::string_view text) {
  const char quote = text.front();
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\')
      ++at;
    else if (text[at] == quote && quote == '\'' && text.substr(at + 1).starts_with(quote))
      ++at; // '' is a quote inside
    else if (text[at] == quote)
      return true;
  }
  return false;
}

/// Keeps where a document starts, and a quote that nothing closes.
struct DocumentMarks : YAML::EventHandler {
  explicit DocumentMarks(std::string_view text) : text(text) {}
  void OnDocumentStart(const YAML::Mark &mark) override { start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &mark, const std::string &, YAML::anchor_t, const std::string &) override {
    const std::string_view rest = text.substr(std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text.size()));
    if (!unclosed && (rest.starts_with('"') || rest.starts_with('\'')) && !isClosed(rest))
      unclosed = mark;
  }
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  std::string_view text;
  YAML::Mark start;
  std::optional<YAML::Mark> unclosed;
};

/// YAML::LoadAll would tell of a second document too, but it never ends where a document starts with a comma: yaml-cpp 0.7 takes that for
/// an empty document, and stays before the comma.
Budgets readDocument(const std::string &text, const std::string &path) {
  const YAML::Node root = YAML::Load(text);
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentMarks document(text);
  const bool hasFirst = parser.HandleNextDocument(document);
  if (document.unclosed)
    return failures(at(*document.unclosed, path, {.message = "not YAML: nothing closes the quote that begins here"}));
  auto budgets = readAll(root, text, path);
  if (budgets && hasFirst && parser.HandleNextDocument(document))
    return failures(at(document.start, path, {.message = "not a file of budgets", .found = "a second document", .expected = "one"}));
  return budgets;
}

bool isIndentedByTabs(const std::string &text) { return text.starts_with('\t') || text.contains("\n\t"); }

} // namespace

Budgets parseBudgets(const std::string &text, const std::string &path) {
  // yaml-cpp reports through exceptions; they end here.
  try {
    return readDocument(text, path);
  } catch (const YAML::Exception &error) {
    return failures(at(error.mark, path,
                       {.message = fmt::format("not YAML: {}", error.msg),
                        .remedy = isIndentedByTabs(text) ? "indent by blanks: YAML takes no tabs" : ""}));
  }
}

/// As YAML has it without quotes, where that is the same.
static std::string scalarOf(const std::string &text) {
  if (!text.contains(": ") && !text.contains(" #") && !text.ends_with(':'))
    return text;
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

void writeBudgets(const decoder::BudgetDraft &draft, const std::string &origin, decoder::Output &out) {
  out.write(fmt::format("# What {} shows, with {:.0f} % of room. kperf check reads kperf.yaml by itself; keep the limits that matter.\n",
                        origin, 100 * decoder::kDraftRoom));
  for (const std::string &note : draft.notes)
    out.write(fmt::format("# {}\n", note));
  out.write("budgets:\n");
  for (const std::string &budget : draft.budgets)
    out.write(fmt::format("  - {}\n", scalarOf(budget)));
}

Budgets readBudgets(const std::string &path) {
  const auto text = decoder::readTextFile(path, kMaxBytes);
  if (!text)
    return failures(text.error());
  return parseBudgets(*text, path);
}

} // namespace kperf::tool
