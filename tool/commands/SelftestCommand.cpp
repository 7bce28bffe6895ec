// `kperf selftest`: whether what probes take for granted holds on this machine's device.
#include "decoder/compare/SelfTest.h"
#include "posix/AtomicFile.h"
#include "tool/commands/Command.h"
#include "tool/commands/TableOutput.h"
#include "tool/process/ChildProcess.h"
#include "tool/process/TemporaryFolder.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <unistd.h>

namespace kperf::tool {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> compiler;
  std::string build, program, trace;
  TableOutput output;
};

fs::path ownFolder() {
  std::error_code code;
  return fs::read_symlink("/proc/self/exe", code).parent_path();
}

/// The program's source: installed, or in the tree that this was built from.
decoder::Expected<std::string> source() {
  for (const char *relative : {KPERF_RELATIVE_DATA_DIR "/selftest.hip", KPERF_SELFTEST_FROM_BUILD})
    if (const fs::path path = (ownFolder() / relative).lexically_normal(); fs::exists(path))
      return path.string();
  return decoder::failure({.message = "the source of the self-test is not where kperf was installed",
                           .expected = (ownFolder() / KPERF_RELATIVE_DATA_DIR "/selftest.hip").lexically_normal().string(),
                           .remedy = "install kperf again"});
}

std::string kperfCc() {
  const fs::path beside = ownFolder() / "kperf-cc";
  return fs::exists(beside) ? beside.string() : "kperf-cc";
}

/// For the GPU that this machine has, if it has its compiler too; else for the CPU.
std::vector<std::string> compilerHere() {
  if (access("/dev/kfd", F_OK) == 0 && isOnPath("hipcc"))
    return {"hipcc", "-O3"};
  if (access("/dev/nvidiactl", F_OK) == 0 && isOnPath("nvcc"))
    return {"nvcc", "-O3", "-std=c++17", "-arch=native"};
  say("no GPU here whose compiler is on PATH: the self-test runs on the CPU, by the host target");
  return {"host", "-O2"};
}

decoder::Status build(const Options &options, const std::string &program) {
  const auto from = source();
  if (!from)
    return decoder::failure(from.error());
  const std::vector<std::string> compiler = options.compiler.empty() ? compilerHere() : options.compiler;
  std::vector<std::string> command{kperfCc(), "--probes=region,memory,sync", "--exact"};
  command.insert(command.end(), compiler.begin(), compiler.end());
  command.insert(command.end(), {"-o", program, *from});
  say(fmt::format("{}", fmt::join(command, " ")));
  std::vector<std::string> environment = environmentWithoutKperf();
  if (const char *host = std::getenv("KPERF_HOST_CXX"))
    environment.push_back(fmt::format("KPERF_HOST_CXX={}", host));
  const auto end = runChild(command, environment, false);
  if (!end)
    return decoder::failure(end.error());
  if (end->exitCode != 0)
    return decoder::failure({.message = fmt::format("the self-test was not built: exit code {}", end->exitCode),
                             .remedy = "name the compiler and the GPU: kperf selftest hipcc --offload-arch=gfx90a"});
  return {};
}

/// What the program said, and its trace in `trace`.
decoder::Expected<decoder::SelfTestFacts> run(const std::string &program, const std::string &trace) {
  std::vector<std::string> environment = environmentWithoutKperf();
  environment.push_back("KPERF_OUTPUT=" + trace);
  environment.emplace_back("KPERF_QUIET=1");
  const auto end = runChild({program}, environment, true);
  if (!end)
    return decoder::failure(end.error());
  if (end->exitCode != 0)
    return decoder::failure({.message = fmt::format("the self-test's program ended with exit code {}", end->exitCode),
                             .expected = "0",
                             .remedy = "what it said on stderr names the call that failed"});
  return decoder::SelfTestFacts::parse(end->output);
}

decoder::Expected<int> test(const Options &options) {
  if (!options.compiler.empty() && options.compiler.front().starts_with("-"))
    return decoder::failure(
        {.message = fmt::format("unknown option '{}'", options.compiler.front()), .remedy = "see kperf selftest --help"});
  if (!options.build.empty()) {
    if (auto status = build(options, options.build); !status)
      return decoder::failure(status.error());
    return 0;
  }
  auto out = decoder::OutputFile::open(options.output.path);
  if (!out)
    return decoder::failure(out.error());
  const auto folder = process::makeTemporaryFolder("selftest");
  if (!folder)
    return decoder::failure(folder.error());
  std::string program = options.program.empty() ? folder->path() + "/selftest" : fs::absolute(options.program).string();
  if (options.program.empty())
    if (auto status = build(options, program); !status)
      return decoder::failure(status.error());
  const std::string file = folder->path() + "/selftest.kperf";
  const auto facts = run(program, file);
  if (!facts)
    return decoder::failure(facts.error());
  if (!options.trace.empty())
    if (const auto copied = posix::copyFile(file, options.trace); !copied)
      return decoder::failure({.message = "the trace can't be kept", .found = std::strerror(copied.error()), .file = options.trace});
  const auto trace = decoder::Trace::open(file);
  if (!trace)
    return decoder::failure(trace.error());
  const auto result = decoder::selfTest(*trace, *facts);
  if (!result)
    return decoder::failure(result.error());
  if (auto status = options.output.print(std::span(&result->table, 1), *out); !status)
    return decoder::failure(status.error());
  if (result->failed > 0)
    say(fmt::format("{} of {} assumptions do not hold here; --trace=FILE keeps the trace for a report of the fault", result->failed,
                    result->table.rows.size()));
  return result->failed > 0 ? 1 : 0;
}

} // namespace

Run selftestCommand(const Arguments &arguments) {
  const auto options = std::make_shared<Options>();
  arguments.add("--build", options->build, "only build the program, to run elsewhere").typeName("FILE");
  arguments.add("--program", options->program, "run a program that --build made").typeName("FILE");
  arguments.add("--trace", options->trace, "keep the trace").typeName("FILE");
  options->output.declare(arguments);
  arguments.leaveRest();
  arguments.footer("Builds a small program with kperf-cc, runs it, and compares its trace with known\n"
                   "answers: clocks, units, lanes, records, waits, memory counts. The rest\n"
                   "of the line is a compiler for kperf-cc with its arguments; default: the compiler\n"
                   "of the GPU here, or 'host':\n"
                   "  kperf selftest hipcc --offload-arch=gfx90a\n"
                   "Exit 1 when an assumption of the probes does not hold.");
  return [options, arguments] {
    options->compiler = arguments.rest();
    return test(*options);
  };
}

} // namespace kperf::tool
