// `kperf selftest`: asks a GPU whether what kperf takes for granted about it is so.
#include "Command.h"
#include "TableOutput.h"
#include "decoder/View.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <optional>
#include <regex>
#include <sys/wait.h>

namespace kperf::tool {
namespace {

namespace fs = std::filesystem;

constexpr double kMostTimeDifference = 0.2; ///< of a kernel's duration: clocks of another rate differ by more

/// A folder that goes with the object.
class WorkFolder {
public:
  WorkFolder() : path(fs::temp_directory_path() / "kperf-selftest-XXXXXX") {
    std::string name = path.string();
    isMade = mkdtemp(name.data()) != nullptr;
    path = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (isMade)
      fs::remove_all(path, ignored);
  }
  WorkFolder(const WorkFolder &) = delete;
  WorkFolder &operator=(const WorkFolder &) = delete;

  fs::path path;
  bool isMade;
};

std::string quoted(const std::string &word) {
  std::string out = "'";
  for (const char c : word)
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// What a command of the shell prints, and its exit code; its standard error is ours.
std::pair<std::string, int> outputOf(const std::string &command) {
  std::string text;
  FILE *pipe = popen(command.c_str(), "r");
  if (!pipe)
    return {text, -1};
  char part[4096];
  while (const std::size_t bytes = std::fread(part, 1, sizeof(part), pipe))
    text.append(part, bytes);
  const int status = pclose(pipe);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

bool isOnPath(const char *program) { return std::system(fmt::format("command -v {} >/dev/null 2>&1", program).c_str()) == 0; }

/// The program's source: beside an installed kperf, else where it was built from.
std::optional<fs::path> findSource(const fs::path &bin) {
  for (const fs::path &folder : {bin / KPERF_RELATIVE_INCLUDE_DIR, fs::path(KPERF_BUILD_INCLUDE_DIR)})
    if (fs::exists(folder / "kperf/selftest.hip"))
      return folder / "kperf/selftest.hip";
  return std::nullopt;
}

/// The questions that the trace answers, row by row of its report.
class Answers {
public:
  Answers(const decoder::Table &report, double spinNs) : report(report), spinNs(spinNs) {}

  /// Prints each answer; gives how many are wrong.
  int ask() {
    for (const std::vector<decoder::Cell> &row : report.rows)
      askRow(row);
    expect(regions >= kRegions, fmt::format("the trace has the program's regions: {} of {}", regions, kRegions));
    return failed;
  }

private:
  static constexpr int kRegions = 5; ///< of the program

  void expect(bool isSo, const std::string &what) {
    fmt::print("{} {}\n", isSo ? "ok  " : "FAIL", what);
    failed += !isSo;
  }

  const decoder::Cell *find(const std::vector<decoder::Cell> &row, std::string_view name,
                            decoder::Unit unit = decoder::Unit::None) const {
    for (std::size_t i = 0; i < report.columns.size(); ++i)
      if (report.columns[i].name == name && report.columns[i].unit == unit)
        return &row[i];
    return nullptr;
  }
  double number(const std::vector<decoder::Cell> &row, std::string_view name,
                decoder::Unit unit = decoder::Unit::None) const {
    const decoder::Cell *cell = find(row, name, unit);
    if (const auto *whole = cell ? std::get_if<std::uint64_t>(cell) : nullptr)
      return static_cast<double>(*whole);
    const auto *real = cell ? std::get_if<double>(cell) : nullptr;
    return real ? *real : NAN;
  }
  std::string text(const std::vector<decoder::Cell> &row, std::string_view name) const {
    const decoder::Cell *cell = find(row, name);
    const auto *found = cell ? std::get_if<std::string>(cell) : nullptr;
    return found ? *found : std::string();
  }

  /// A region's name ends in how often each warp enters it: "loop, 5 a warp".
  void askRow(const std::vector<decoder::Cell> &row) {
    static const std::regex pattern("(.*), (\\d+) a warp");
    const std::string name = text(row, "region");
    std::smatch match;
    if (!std::regex_match(name, match, pattern))
      return;
    ++regions;
    const double warps = number(row, "warps"), count = number(row, "count"), expected = warps * std::stod(match[2]);
    expect(count == expected, fmt::format("'{}' was entered {} times by {} warps", name, count, warps));
    expect(number(row, "records-kept", decoder::Unit::Percent) == 100, fmt::format("'{}': every record was kept", name));
    if (match[1] != "spinning")
      return;
    const double longest = number(row, "max", decoder::Unit::Nanoseconds);
    expect(std::abs(longest - spinNs) <= kMostTimeDifference * spinNs,
           fmt::format("a kernel took {:.0f} ns by the trace, {:.0f} ns by events", longest, spinNs));
  }

  const decoder::Table &report;
  double spinNs;
  int failed = 0, regions = 0;
};

decoder::Expected<int> askTrace(const std::string &trace, double spinNs) {
  const auto traces = openTraces(std::span(&trace, 1));
  if (!traces)
    return decoder::failure(traces.error());
  const auto report = decoder::reportView(*traces, {});
  if (!report)
    return decoder::failure(report.error());
  return Answers(report->front(), spinNs).ask();
}

decoder::Expected<int> run(std::vector<std::string> compiler) {
  std::error_code ignored;
  const fs::path bin = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  const auto source = findSource(bin);
  if (!source)
    return decoder::failure({.message = "kperf/selftest.hip is not found beside kperf: reinstall kperf"});
  if (compiler.empty())
    compiler = isOnPath("hipcc") ? std::vector<std::string>{"hipcc"} : std::vector<std::string>{"nvcc", "-arch=native"};
  const WorkFolder work;
  if (!work.isMade)
    return decoder::failure({.message = fmt::format("no folder can be made in '{}'", fs::temp_directory_path().string())});
  const std::string program = quoted((work.path / "selftest").string()), trace = (work.path / "trace.kperf").string();
  std::string build = quoted((bin / "kperf-cc").string());
  for (const std::string &word : compiler)
    build += " " + quoted(word);
  build += fmt::format(" -std=c++17 {} -o {}", quoted(source->string()), program);
  fmt::print("     {}\n", fmt::join(compiler, " "));
  if (outputOf(build).second != 0)
    return decoder::failure({.message = "the selftest cannot be built: name a compiler and its options, for example kperf "
                                        "selftest hipcc --offload-arch=gfx90a"});
  const auto [said, code] = outputOf(fmt::format("KPERF_QUIET=1 KPERF_OUTPUT={} {}", quoted(trace), program));
  fmt::print("{}", said);
  static const std::regex pattern("spinning took (\\d+) ns");
  std::smatch match;
  if (!std::regex_search(said, match, pattern)) {
    fmt::print("FAIL the program ended early, with code {}\n", code);
    return 1;
  }
  const auto wrong = askTrace(trace, std::stod(match[1]));
  if (!wrong)
    return decoder::failure(wrong.error());
  const bool isFine = code == 0 && *wrong == 0;
  fmt::print("{}\n", isFine ? "kperf can be trusted here" : "kperf cannot be trusted here: please report the lines above");
  return isFine ? 0 : 1;
}

} // namespace

Run selftestCommand(CLI::App &app) {
  const auto compiler = std::make_shared<std::vector<std::string>>();
  app.add_option("COMPILER", *compiler, "and its options (default: hipcc, else nvcc -arch=native)");
  app.prefix_command();
  app.footer("Builds a small program with probes, runs it, and compares it and its trace with\n"
             "what is known on paper. Exit 1 when something is otherwise. For example:\n"
             "  kperf selftest hipcc --offload-arch=gfx90a\n"
             "  kperf selftest host");
  return [compiler, &app] {
    std::vector<std::string> words = *compiler;
    for (const std::string &rest : app.remaining())
      words.push_back(rest);
    return run(words);
  };
}

} // namespace kperf::tool
