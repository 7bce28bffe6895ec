// Prints findings as SARIF 2.1.0 (OASIS), for code review tools: a rule for each, a result for each broken one.
#include "decoder/io/Utf8.h"
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

std::string locationOf(const Finding &finding) {
  if (finding.file.empty())
    return "";
  return fmt::format(", \"locations\": [{{\"physicalLocation\": {{\"artifactLocation\": {{\"uri\": {}}}, \"region\": "
                     "{{\"startLine\": {}{}}}}}}}]",
                     jsonQuoted(uriOf(finding.file)), std::max(finding.line, 1u),
                     finding.column ? fmt::format(", \"startColumn\": {}", finding.column) : "");
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
  out.write("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
            "  \"runs\": [{\n");
  out.write(fmt::format("    \"tool\": {{\"driver\": {{\"name\": \"kperf\", \"version\": {}, \"rules\": [", jsonQuoted(options.version)));
  for (const std::string &rule : rules)
    out.write(fmt::format("{}\n      {{\"id\": {}}}", &rule == rules.data() ? "" : ",", jsonQuoted(rule)));
  out.write(rules.empty() ? "]}},\n" : "\n    ]}},\n");
  out.write("    \"columnKind\": \"utf16CodeUnits\",\n    \"results\": [");
  bool isFirst = true;
  for (const Finding &finding : findings) {
    if (!finding.isViolation)
      continue;
    out.write(fmt::format("{}\n      {{\"ruleId\": {}, \"ruleIndex\": {}, \"level\": \"{}\", \"message\": {{\"text\": "
                          "{}}}{}}}",
                          isFirst ? "" : ",", jsonQuoted(finding.rule), std::ranges::find(rules, finding.rule) - rules.begin(),
                          levelName(finding.level), jsonQuoted(finding.message), locationOf(finding)));
    isFirst = false;
  }
  out.write(isFirst ? "]\n  }]\n}\n" : "\n    ]\n  }]\n}\n");
}

} // namespace kperf::decoder
