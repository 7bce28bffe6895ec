// An explanation for people, within a screen.
#include "decoder/explain/Explanation.h"
#include "decoder/io/Utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kperf::decoder {
namespace {

/// How much is said.
struct Extent {
  std::size_t kernels, findings; ///< findings: of each kernel
  bool isBrief;                  ///< without why and what would confirm it
  std::size_t unknowns;
  std::size_t names; ///< of each kernel's findings that are only named
};

/// Everything.
constexpr Extent kWholeText{.kernels = Explanation::kAll,
                            .findings = Explanation::kAll,
                            .isBrief = false,
                            .unknowns = Explanation::kAll,
                            .names = Explanation::kAll};

/// Lines of at most `columns` columns; those after the first are indented.
class Lines {
public:
  explicit Lines(std::size_t columns) : columns(columns) {}

  /// `head` stays as it is; what follows it is wrapped.
  void add(std::string_view head, std::string_view text, std::size_t indent) {
    std::string line(head);
    bool isFull = !line.empty() && !line.ends_with(' ');
    const std::string clean = printable(text);
    for (std::string_view left = clean; !left.empty();) {
      const std::string_view word = left.substr(0, left.find(' '));
      left.remove_prefix(std::min(word.size() + 1, left.size()));
      const std::string cut = shortened(word, columns - indent);
      if (columnsOf(line) + isFull + columnsOf(cut) > columns && columnsOf(line) > indent) {
        lines.push_back(std::move(line));
        line = std::string(indent, ' ');
        isFull = false;
      }
      line += (isFull ? " " : "") + cut;
      isFull = true;
    }
    lines.push_back(std::move(line));
  }
  void blank() { lines.emplace_back(); }
  std::vector<std::string> lines;

private:
  std::size_t columns;
};

std::string traceNames(const ProgramFacts &facts) {
  return facts.traces.empty() ? "TRACE" : facts.traces.front() + (facts.traces.size() > 1 ? " …" : "");
}

void addFinding(Lines &out, const Explained &found, std::size_t number, bool isBrief) {
  out.add(fmt::format("{}. ", number),
          fmt::format("{}: {}{}", found.rule, found.what, found.place.empty() ? "" : " (" + withoutFolders(found.place) + ")"), 3);
  const auto say = [&](std::string_view head, const std::string &text) { out.add(fmt::format("   {:<9} ", head), text, 13); };
  say("evidence", fmt::format("{} (kperf {})", found.evidence, found.command));
  if (!isBrief)
    say("why", found.why);
  say("try", found.remedy);
  say("gain", gainText(found.gain));
  if (!isBrief)
    say("confirm", found.confirm);
}

/// Of what is not there nobody knows what stands out.
std::string nothingText(const KernelExplanation &kernel) {
  if (!kernel.neverEnds.empty())
    return "how long it takes is not known, so nothing is said of its times";
  if (kernel.isReduced)
    return "nothing stands out in what reduced traces keep";
  if (kernel.recordsKept >= 99.5)
    return "nothing stands out";
  return fmt::format("nothing stands out in the {:.2g} % of its records that were kept", kernel.recordsKept);
}

/// Names the findings that are not said in full: those after the first `shown`, `most` of them.
void addMore(Lines &out, const KernelExplanation &kernel, std::size_t shown, std::size_t most) {
  std::vector<std::string> names;
  const std::size_t left = kernel.findings.size() - shown + kernel.more.size();
  for (std::size_t i = shown; i < shown + std::min(left, most); ++i) {
    const Explained &found = i < kernel.findings.size() ? kernel.findings[i] : kernel.more[i - kernel.findings.size()];
    names.push_back(found.place.empty() ? found.rule : fmt::format("{} ({})", found.rule, withoutFolders(found.place)));
  }
  if (names.size() < left && !names.empty())
    names.emplace_back("…");
  const std::string list =
      left == 0 ? "" : fmt::format("{}{}; kperf explain --all shows them", names.empty() ? "" : ": ", fmt::join(names, ", "));
  if (!kernel.findings.empty() && left > 0)
    out.add("  ", fmt::format("{} more finding{}, with less to gain{}", left, left == 1 ? "" : "s", list), 4);
  else if (left > 0 && !kernel.neverEnds.empty())
    out.add("  ", fmt::format("{}; {} more finding{}{}", nothingText(kernel), left, left == 1 ? "" : "s", list), 4);
  else if (kernel.findings.empty() && left > 0)
    out.add("  ",
            fmt::format("{}: {} likely to gain less than {:g} % of the kernel{}", nothingText(kernel),
                        left == 1 ? "1 finding is" : fmt::format("{} findings are each", left), Explanation::kMinGain, list),
            4);
  else if (kernel.findings.empty())
    out.add("  ", nothingText(kernel), 2);
}

void addKernel(Lines &out, const KernelExplanation &kernel, const Extent &extent, bool isCut) {
  out.blank();
  out.add("", fmt::format("kernel {}", shortened(printable(kernel.name), 73)), 2);
  const std::string_view ofWhat = isCut ? "recorded time" : "time";
  out.add("  ", kernel.share > 0 ? fmt::format("{}, {:.0f} % of the {}", kernel.shape, kernel.share, ofWhat) : kernel.shape, 2);
  if (kernel.roofline)
    out.add("  ", "memory: " + rooflineText(*kernel.roofline, extent.isBrief) + " (kperf memory)", 4);
  if (kernel.tensorUse)
    out.add("  ", "tensor cores: " + useText(*kernel.tensorUse), 4);
  if (kernel.floatUse)
    out.add("  ", "floating-point units: " + useText(*kernel.floatUse), 4);
  for (const std::string &clause : kernel.neverEnds)
    out.add("  ", clause, 4);
  const std::size_t shown = std::min(extent.findings, kernel.findings.size());
  for (std::size_t i = 0; i < shown; ++i)
    addFinding(out, kernel.findings[i], i + 1, extent.isBrief);
  addMore(out, kernel, shown, extent.names);
  for (const std::string &text : kernel.withheld)
    if (&text == kernel.withheld.data() || !extent.isBrief)
      out.add("  ", fmt::format("withheld: {}", text), 4);
}

std::vector<std::string> linesOf(const Explanation &all, std::size_t columns, const Extent &extent) {
  Lines out(columns);
  out.add("",
          fmt::format("{}: {}; recorded: {}; {}", all.facts.program.empty() ? "program" : all.facts.program, clockText(all.facts),
                      recordedText(all.facts), costText(all)),
          2);
  const std::size_t shown = std::min(extent.kernels, all.kernels.size());
  for (std::size_t i = 0; i < shown; ++i)
    addKernel(out, all.kernels[i], extent, all.facts.isCut());
  if (const std::size_t left = all.kernels.size() - shown + all.moreKernels; left > 0)
    out.add("", fmt::format("{} more kernel{}: --kernel=GLOB", left, left == 1 ? "" : "s"), 2);
  if (all.kernels.empty())
    out.add("", "no warp was recorded: was a kernel of an instrumented file launched?", 2);
  if (!all.unknowns.empty())
    out.blank();
  const std::size_t unknowns = std::min(extent.unknowns, all.unknowns.size());
  for (std::size_t i = 0; i < unknowns; ++i)
    out.add("", fmt::format("not known: {}; to know: {}", all.unknowns[i].what, all.unknowns[i].command), 2);
  if (const std::size_t left = all.unknowns.size() - unknowns; left > 0)
    out.add("", fmt::format("{} more thing{} not known: kperf explain --all {}", left, left == 1 ? "" : "s", traceNames(all.facts)), 2);
  return std::move(out.lines);
}

} // namespace

std::string explanationText(const Explanation &explanation, std::size_t columns, std::size_t most) {
  std::vector<std::string> lines;
  if (explanation.isWhole) {
    lines = linesOf(explanation, columns, kWholeText);
    most = lines.size();
  } else {
    for (const Extent &extent : {Extent{4, 3, false, 8, 16},
                                 {4, 3, false, 8, 4},
                                 {3, 3, false, 3, 4},
                                 {2, 3, true, 3, 4},
                                 {1, 3, false, 3, 4},
                                 {1, 3, true, 3, 4},
                                 {1, 2, true, 2, 2},
                                 {1, 1, true, 1, 0}}) {
      lines = linesOf(explanation, columns, extent);
      if (lines.size() <= most)
        break;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i)
    out += lines[i] + "\n";
  return out;
}

} // namespace kperf::decoder
