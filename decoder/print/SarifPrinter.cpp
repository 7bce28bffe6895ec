// Prints findings as SARIF 2.1.0 (OASIS), for code review tools: a rule for each, a result for each broken one.
#include "decoder/io/Json.h"
#include "decoder/print/Printer.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace kperf::decoder {
namespace {

/// A path as a URI reference (RFC 3986): what is not unreserved or a slash is escaped.
std::string uriOf(std::string_view path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool isPlain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                         std::string_view("-._~/").contains(c);
    out += isPlain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Json locationOf(const Finding &finding) {
  Json region = {{"startLine", std::max(finding.line, 1u)}};
  if (finding.column)
    region["startColumn"] = finding.column;
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uriOf(finding.file)}}}, {"region", std::move(region)}}}};
}

const char *levelName(Finding::Level level) {
  switch (level) {
  case Finding::Level::Warning:
    return "warning";
  case Finding::Level::Note:
    return "note";
  case Finding::Level::Error:
    break;
  }
  return "error";
}

} // namespace

void sarifPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  const std::vector<Finding> findings = findingsOf(tables);
  std::vector<std::string> rules;
  for (const Finding &finding : findings)
    if (std::ranges::find(rules, finding.rule) == rules.end())
      rules.push_back(finding.rule);
  Json ruleList = Json::array(), results = Json::array();
  for (const std::string &rule : rules)
    ruleList.push_back({{"id", rule}});
  for (const Finding &finding : findings) {
    if (!finding.isViolation)
      continue;
    Json result = {{"ruleId", finding.rule},
                   {"ruleIndex", std::ranges::find(rules, finding.rule) - rules.begin()},
                   {"level", levelName(finding.level)},
                   {"message", {{"text", finding.message}}}};
    if (!finding.file.empty())
      result["locations"] = Json::array({locationOf(finding)});
    results.push_back(std::move(result));
  }
  const Json driver = {{"name", "kperf"}, {"version", options.version}, {"rules", std::move(ruleList)}};
  const Json run = {{"tool", {{"driver", driver}}}, {"columnKind", "utf16CodeUnits"}, {"results", std::move(results)}};
  const Json root = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  out.write(jsonText(root, /*levels=*/4) + "\n");
}

} // namespace kperf::decoder
