// Builds and runs a program by commands of the user's.
#include "tool/builds/BuildRuns.h"
#include "decoder/io/Output.h"
#include "decoder/transform/Merge.h"
#include "tool/process/ChildProcess.h"
#include "tool/process/CommandWords.h"
#include "tool/process/Message.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

extern char **environ;

namespace kperf::tool {
namespace {

using decoder::Expected;
using decoder::failure;
using Words = BuildRuns::Words;

constexpr std::string_view kPlaceholder = "{probes}";

/// What is set for each run; for any other, the user may have reasons.
constexpr std::string_view kOwnVariables[] = {"KPERF_OUTPUT=", "KPERF_LAUNCH_TIMES=", "KPERF_SAMPLE=", "KPERF_QUIET="};

/// This process's without those.
Words environment() {
  Words out;
  for (char **entry = environ; *entry; ++entry)
    if (std::ranges::none_of(kOwnVariables, [&](std::string_view own) { return std::string_view(*entry).starts_with(own); }))
      out.emplace_back(*entry);
  return out;
}

} // namespace

Expected<BuildRuns> BuildRuns::make(const std::string &build, const std::string &run) {
  BuildRuns out;
  auto words = commandWords(build, "--build");
  if (!words)
    return failure(words.error());
  out.buildWords = std::move(*words);
  if (std::ranges::none_of(out.buildWords, [](const std::string &word) { return word.contains(kPlaceholder); }))
    return failure({.message = "--build: the command has no place for the probes",
                    .found = fmt::format("'{}'", build),
                    .expected = "{probes} where kperf-cc's options belong",
                    .remedy = "--build='kperf-cc {probes} nvcc -O3 kernel.cu -o program'"});
  if (words = commandWords(run, "--run"); !words)
    return failure(words.error());
  out.runWords = std::move(*words);
  return out;
}

decoder::Status BuildRuns::build(const Words &options) {
  if (built == options)
    return {};
  const Words words = withOptions(buildWords, kPlaceholder, options);
  say(fmt::format("{}", fmt::join(words, " ")));
  const auto end = runChild(words, environment(), true);
  if (!end)
    return failure(end.error());
  std::fwrite(end->output.data(), 1, end->output.size(), stderr); // standard output is the result's
  if (end->exitCode != 0)
    return failure({.message = fmt::format("--build: the command ended with exit code {}", end->exitCode),
                    .found = fmt::format("{}", fmt::join(words, " ")),
                    .expected = "0"});
  built = options;
  return {};
}

Expected<std::string> BuildRuns::run(const std::string &name, const std::string &trace, unsigned blocks) const {
  Words variables = environment();
  variables.insert(variables.end(), {"KPERF_OUTPUT=" + trace, "KPERF_LAUNCH_TIMES=1", "KPERF_QUIET=1"});
  if (blocks > 0)
    variables.push_back(fmt::format("KPERF_SAMPLE={}", blocks));
  auto end = runChild(runWords, variables, true);
  if (!end)
    return failure(end.error());
  if (end->exitCode != 0)
    return failure({.message = fmt::format("--run: the program ended with exit code {}", end->exitCode),
                    .found = fmt::format("the build '{}'", name),
                    .expected = "0"});
  if (!std::filesystem::exists(trace))
    return failure({.message = "--run: the program left no trace",
                    .found = fmt::format("the build '{}'", name),
                    .remedy = "it has to launch a kernel, and to be what --build builds with kperf-cc"});
  return std::move(end->output);
}

Expected<decoder::Trace> mergedRuns(std::span<const decoder::Trace> runs, const std::string &path) {
  auto out = decoder::OutputFile::open(path, decoder::Replaces::AnyFile);
  if (!out)
    return failure(out.error());
  if (const auto merged = decoder::mergeTraces(runs, *out); !merged)
    return failure(merged.error());
  if (auto status = out->finish(); !status)
    return failure(status.error());
  return decoder::Trace::open(path);
}

} // namespace kperf::tool
