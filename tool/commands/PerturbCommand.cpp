// `kperf perturb`: what the probes change in the program that they measure.
#include "Command.h"
#include "Percent.h"
#include "TableOutput.h"
#include "decoder/Perturb.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <regex>

namespace kperf::tool {
namespace {

struct Options {
  std::string clean;
  std::vector<std::string> builds, printed;
  std::string same = "checksum|result", budget;
  TableOutput output;
  decoder::PerturbOptions perturb;
};

/// The lines of a file that have to be the same whatever was measured.
decoder::Expected<std::vector<std::string>> linesToCompare(const std::string &path, const std::regex &pattern) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, pattern))
      lines.push_back(line);
  if (!in.eof() || lines.empty())
    return decoder::failure({.message = in.eof() ? "no line to compare is found" : "the file can't be read",
                             .remedy = "--same=REGEX says which lines of the output have to be equal",
                             .file = path});
  return lines;
}

/// Whether the programs printed the same; says on stderr where they did not.
decoder::Expected<bool> compareOutputs(const Options &options) {
  std::regex pattern;
  try {
    pattern.assign(options.same, std::regex::icase);
  } catch (const std::regex_error &) {
    return decoder::failure({.message = "--same: not a regular expression", .found = fmt::format("'{}'", options.same)});
  }
  const auto clean = linesToCompare(options.printed.front(), pattern);
  if (!clean)
    return decoder::failure(clean.error());
  for (std::size_t i = 1; i < options.printed.size(); ++i) {
    const auto other = linesToCompare(options.printed[i], pattern);
    if (!other)
      return decoder::failure(other.error());
    if (*other == *clean)
      continue;
    const auto differ = std::ranges::mismatch(*clean, *other);
    fmt::print(stderr, "kperf: with probes the program printed something else: '{}' in {}, '{}' in {}\n",
               differ.in1 == clean->end() ? "" : *differ.in1, options.printed.front(),
               differ.in2 == other->end() ? "" : *differ.in2, options.printed[i]);
    return false;
  }
  fmt::print(stderr, "kperf: {} lines of output are equal\n", clean->size());
  return true;
}

decoder::Expected<int> run(Options &options) {
  auto out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  if (!options.budget.empty()) {
    const auto budget = parsePercent(options.budget, "--overhead-budget");
    if (!budget)
      return decoder::failure(budget.error());
    options.perturb.budgetPercent = *budget;
  }
  if (!options.printed.empty() && options.printed.size() < 2)
    return decoder::failure({.message = "--outputs compares what programs printed",
                             .found = "1 file",
                             .expected = "the clean program's first, then one or more"});
  const auto clean = openTraces(std::span(&options.clean, 1));
  if (!clean)
    return decoder::failure(clean.error());
  const auto builds = openTraces(options.builds);
  if (!builds)
    return decoder::failure(builds.error());
  const auto found = decoder::perturbation(clean->front(), *builds, options.perturb);
  if (!found)
    return decoder::failure(found.error());
  if (auto status = options.output.print(std::span(&found->table, 1), *out); !status)
    return decoder::failure(status.error());
  bool isFine = !found->isOver;
  if (!options.printed.empty()) {
    const auto same = compareOutputs(options);
    if (!same)
      return decoder::failure(same.error());
    isFine &= *same;
  }
  return isFine ? 0 : 1;
}

} // namespace

Run perturbCommand(CLI::App &app) {
  const auto options = std::make_shared<Options>();
  app.add_option("CLEAN", options->clean, "trace of the program built with --probes=launches")->required();
  app.add_option("BUILD", options->builds, "traces of it with probes; what tells most first")->required();
  options->output.declare(app);
  app.add_option("--kernel", options->perturb.kernel, "only kernels whose name matches GLOB")->type_name("GLOB");
  app.add_option("--overhead-budget", options->budget, "exit 1 when no build costs at most this")->type_name("P");
  app.add_option("--outputs", options->printed, "what the programs printed, the clean one's first")->type_name("FILE...");
  app.add_option("--same", options->same, "lines that must be equal (checksum|result)")->type_name("REGEX");
  app.footer("Run each program with KPERF_LAUNCH_TIMES=1, which times launches. Registers,\n"
             "local memory and resident blocks are those of the compiled kernels.");
  return [options] { return run(*options); };
}

} // namespace kperf::tool
