// Reads a file of budgets, in YAML.
#include "tool/commands/BudgetFile.h"
#include "decoder/io/TextFile.h"

#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

namespace kperf::tool {
namespace {

using decoder::Budget;
using decoder::Error;
using decoder::Expected;

constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;

Error at(const YAML::Mark &mark, const std::string &path, Error error) {
  error.file = path;
  if (mark.line >= 0) {
    error.line = static_cast<std::uint32_t>(mark.line + 1);
    error.column = static_cast<std::uint32_t>(mark.column + 1);
  }
  return error;
}

Expected<Budget> readBudget(const YAML::Node &node, const std::string &path) {
  const auto wrong = [&](const YAML::Node &where, std::string found, const char *expected) {
    return decoder::failure(at(where.Mark(), path, {.message = "not a budget", .found = std::move(found), .expected = expected}));
  };
  std::string text, kernel, because;
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
    }
  } else {
    return wrong(node, "something else", "a text, or a map with budget, kernel and because");
  }
  auto budget = decoder::parseBudget(text);
  if (!budget)
    return decoder::failure(at(node.Mark(), path, budget.error()));
  budget->kernel = kernel;
  budget->because = because;
  const YAML::Mark mark = node.Mark();
  budget->place = {.file = path, .line = static_cast<std::uint32_t>(mark.line + 1), .column = static_cast<std::uint32_t>(mark.column + 1)};
  return budget;
}

Expected<std::vector<Budget>> readAll(const YAML::Node &root, const std::string &path) {
  const auto wrong = [&](const YAML::Node &where, std::string found) {
    return decoder::failure(at(where.Mark(), path,
                               {.message = "not a file of budgets",
                                .found = std::move(found),
                                .expected = "`budgets:` and a list, such as `- regions.\"softmax\".p95_ns < 1200`"}));
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
  if (!list || !list.IsSequence() || list.size() == 0)
    return wrong(list ? list : root, "no list");
  std::vector<Budget> out;
  for (const YAML::Node &node : list) {
    auto budget = readBudget(node, path);
    if (!budget)
      return decoder::failure(budget.error());
    out.push_back(std::move(*budget));
  }
  return out;
}

/// Keeps where a document starts, and nothing of it.
struct DocumentStart : YAML::EventHandler {
  void OnDocumentStart(const YAML::Mark &mark) override { start = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark &, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark &, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark &, const std::string &, YAML::anchor_t, const std::string &) override {}
  void OnSequenceStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark &, const std::string &, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  YAML::Mark start;
};

/// Where the second document of \p text starts; nullopt when there is none. YAML::LoadAll would tell too, but it never ends
/// where a document starts with a comma: yaml-cpp 0.7 takes that for an empty document, and stays before the comma.
std::optional<YAML::Mark> secondDocument(const std::string &text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStart document;
  if (parser.HandleNextDocument(document) && parser.HandleNextDocument(document))
    return document.start;
  return std::nullopt;
}

} // namespace

Expected<std::vector<Budget>> parseBudgets(const std::string &text, const std::string &path) {
  // yaml-cpp reports through exceptions; they end here.
  try {
    auto budgets = readAll(YAML::Load(text), path);
    if (const auto second = budgets ? secondDocument(text) : std::nullopt)
      return decoder::failure(at(*second, path, {.message = "not a file of budgets", .found = "a second document", .expected = "one"}));
    return budgets;
  } catch (const YAML::Exception &error) {
    return decoder::failure(at(error.mark, path, {.message = fmt::format("not YAML: {}", error.msg)}));
  }
}

Expected<std::vector<Budget>> readBudgets(const std::string &path) {
  const auto text = decoder::readTextFile(path, kMaxBytes);
  if (!text)
    return decoder::failure(text.error());
  return parseBudgets(*text, path);
}

} // namespace kperf::tool
