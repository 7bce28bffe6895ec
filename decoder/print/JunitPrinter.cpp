// Prints findings as JUnit's XML, for continuous integration: a test case for each, a failure in each broken one, an error in each that
// could not be checked.
#include "decoder/io/Utf8.h"
#include "decoder/print/Printer.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace kperf::decoder {
namespace {

/// Text for an attribute; XML has no way to write most control characters.
std::string attribute(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text))
    switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  return out + '"';
}

/// Tools take cases of one class and name for one: the row is part of the name where the rule does not name it, and further ones of a
/// name are numbered.
std::string caseName(const Finding &finding, std::map<std::string, std::size_t> &known) {
  const bool isNamed = finding.row.empty() || finding.rule.contains('"' + finding.row + '"');
  const std::string name = isNamed ? finding.rule : fmt::format("{}: {}", finding.rule, finding.row);
  const std::size_t nth = ++known[fmt::format("{}\n{}", finding.subject, name)];
  return nth == 1 ? name : fmt::format("{} ({})", name, nth);
}

} // namespace

void junitPrinter(std::span<const Table> tables, const PrintOptions &options, Output &out) {
  const std::vector<Finding> findings = findingsOf(tables);
  out.write(fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite name={} tests=\"{}\" "
                        "failures=\"{}\" errors=\"{}\">\n",
                        attribute(options.title), findings.size(),
                        std::ranges::count_if(findings, [](const Finding &each) { return each.isViolation && !each.isUnchecked; }),
                        std::ranges::count(findings, true, &Finding::isUnchecked)));
  std::map<std::string, std::size_t> known;
  for (const Finding &finding : findings) {
    out.write(fmt::format("<testcase classname={} name={}", attribute(finding.subject), attribute(caseName(finding, known))));
    if (!finding.file.empty())
      out.write(fmt::format(" file={}", attribute(finding.file)));
    if (!finding.file.empty() && finding.line > 0)
      out.write(fmt::format(" line=\"{}\"", finding.line));
    out.write(finding.isViolation
                  ? fmt::format(">\n<{} message={}/>\n</testcase>\n", finding.isUnchecked ? "error" : "failure", attribute(finding.message))
                  : std::string("/>\n"));
  }
  out.write("</testsuite>\n</testsuites>\n");
}

} // namespace kperf::decoder
