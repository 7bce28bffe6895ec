// `kperf run`: a program whose kernels are compiled while it runs, with probes in them.
#include "tool/commands/Command.h"
#include "tool/jit/Frameworks.h"
#include "tool/jit/ShimToolkit.h"
#include "tool/process/Spawn.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace kperf::tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What a variable is set to; empty where it is not set.
std::string variable(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

void set(const std::string &name, const std::string &value) { setenv(name.c_str(), value.c_str(), /*overwrite=*/1); }

/// kperf's own files, seen from this executable.
struct Files {
  std::string compiler, library;

  static decoder::Expected<Files> find() {
    std::error_code error;
    const fs::path bin = fs::read_symlink("/proc/self/exe", error).parent_path();
    Files files{(bin / "kperf-cc").string(), (bin / KPERF_RELATIVE_LIBRARY_DIR / "libkperf_run.so").lexically_normal().string()};
    if (!fs::exists(files.library, error))
      files.library = (bin / "../lib/libkperf_run.so").lexically_normal().string();
    for (const std::string &file : {files.compiler, files.library})
      if (!fs::exists(file, error))
        return decoder::failure({.message = "kperf run needs '" + file + "'", .found = "no such file", .remedy = "reinstall kperf"});
    return files;
  }
};

/// The options of kperf-cc and the command, which "--" separates where it is there.
std::pair<Words, Words> split(const Words &rest) {
  auto command = std::ranges::find(rest, "--");
  if (command != rest.end())
    return {Words(rest.begin(), command), Words(command + 1, rest.end())};
  command = std::ranges::find_if(rest, [](const std::string &word) { return !word.starts_with("-"); });
  return {Words(rest.begin(), command), Words(command, rest.end())};
}

/// Ends as kperf-cc does where it does not take the options, having said why.
decoder::Status checkOptions(const Words &compiler) {
  Words words = compiler;
  words.push_back("--version");
  const auto end = process::spawn(words.front(), words, {.output = process::SpawnOptions::Stream::Nowhere});
  if (!end)
    return decoder::failure({.message = "kperf-cc does not start", .found = std::strerror(end.error()), .remedy = "reinstall kperf"});
  if (!end->ok())
    return decoder::failure(
        {.message = "options before the command are kperf-cc's", .found = "one that it does not take", .remedy = "see kperf-cc --help"});
  return {};
}

/// Nothing of what is no file: kperf-cc refuses that.
std::string contentsOf(const std::string &path) {
  if (std::error_code error; !fs::is_regular_file(path, error))
    return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The folder of what is compiled with these options by this nvcc and this kperf: others' kernels are never found there.
std::string cacheFolder(const Words &compiler, const std::string &nvcc) {
  std::error_code error;
  std::string key = fmt::format("{}\n{}\n{}", KPERF_VERSION, nvcc, fs::last_write_time(compiler.front(), error).time_since_epoch().count());
  for (std::size_t index = 1; index < compiler.size(); ++index) {
    key += '\n' + compiler[index];
    if (compiler[index].starts_with("--select=")) // whose rules may change
      key += '\n' + contentsOf(compiler[index].substr(std::strlen("--select=")));
    else if (compiler[index - 1] == "--select")
      key += '\n' + contentsOf(compiler[index]);
  }
  std::string base = variable("KPERF_CACHE");
  if (base.empty() && !variable("XDG_CACHE_HOME").empty())
    base = variable("XDG_CACHE_HOME") + "/kperf";
  if (base.empty())
    base = (variable("HOME").empty() ? "/tmp" : variable("HOME") + "/.cache") + "/kperf";
  fs::create_directories(fs::path(base).parent_path(), error);
  mkdir(base.c_str(), 0700); // kperf-rewrite trusts it only while it is the user's alone
  return fmt::format("{}/run/{:016x}", fs::absolute(base, error).string(), XXH3_64bits(key.data(), key.size()));
}

/// The nvcc that programs would have found.
std::string usualNvcc() {
  for (const char *home : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string path = variable(home) + "/bin/nvcc"; !variable(home).empty() && access(path.c_str(), X_OK) == 0)
      return path;
  return process::findProgram("nvcc", {"/usr/local/cuda/bin"});
}

/// Has everything that looks for nvcc find kperf-cc.
decoder::Status setCompilers(const std::string &folder, const Words &compiler, const std::string &nvcc) {
  const std::string toolkit = toolkitAround(nvcc), shims = folder + "/toolkit";
  if (auto status = toolkit.empty() ? writeNvccShim(shims + "/bin/nvcc", compiler, nvcc) : writeShimToolkit(shims, toolkit, compiler);
      !status)
    return status;
  set("PATH", shims + "/bin:" + variable("PATH"));
  for (const char *home : {"CUDA_HOME", "CUDA_PATH"})
    if (!toolkit.empty())
      set(home, shims);
  for (const CompilerVariable &each : kCompilerVariables) {
    const std::string given = variable(each.name);
    std::string value = shims + "/bin/nvcc";
    if (!given.empty() && each.isCommand)
      value = fmt::format("{} {}", fmt::join(compiler, " "), given);
    else if (!given.empty()) {
      value = fmt::format("{}/{}/nvcc", folder, each.name);
      if (auto status = writeNvccShim(value, compiler, given); !status)
        return status;
    }
    set(each.name, value);
  }
  return {};
}

void setCaches(const std::string &folder) {
  if (variable("FLASHINFER_CUBIN_DIR").empty()) { // what it downloads is the same with and without probes
    const std::string base = variable("FLASHINFER_WORKSPACE_BASE");
    set("FLASHINFER_CUBIN_DIR", (base.empty() ? variable("HOME") : base) + "/.cache/flashinfer/cubins");
  }
  for (const CacheVariable &each : kCacheVariables)
    set(each.name, folder + "/" + each.folder);
}

void setInterposer(const Files &files, const Words &compiler) {
  const std::string before = variable("LD_PRELOAD");
  set("LD_PRELOAD", files.library + (before.empty() ? "" : ":" + before));
  if (variable("NVTX_INJECTION64_PATH").empty()) // else another tool has them
    set("NVTX_INJECTION64_PATH", files.library);
  set("KPERF_RUN_COMPILER", fmt::format("{}", fmt::join(compiler, "\x1f")));
}

decoder::Expected<int> run(const Words &rest) {
  const auto [options, command] = split(rest);
  if (command.empty())
    return decoder::failure({.message = "there is no command to run",
                             .found = options.empty() ? "nothing" : "options alone",
                             .expected = "kperf run [options of kperf-cc] -- COMMAND"});
  const auto files = Files::find();
  if (!files)
    return decoder::failure(files.error());
  Words compiler{files->compiler};
  compiler.insert(compiler.end(), options.begin(), options.end());
  if (auto status = checkOptions(compiler); !status)
    return decoder::failure(status.error());
  const std::string nvcc = usualNvcc(), folder = cacheFolder(compiler, nvcc);
  if (nvcc.empty())
    warn("there is no nvcc: CUDA_HOME, PATH and /usr/local/cuda have none; kernels of NVRTC, and modules that were built by kperf-cc, are "
         "recorded");
  else if (auto status = setCompilers(folder, compiler, nvcc); !status)
    return decoder::failure(status.error());
  setCaches(folder);
  setInterposer(*files, compiler);
  // On the PATH that the command gets: it may be nvcc itself.
  const std::string program = process::findProgram(command.front());
  if (program.empty() || access(program.c_str(), X_OK) != 0)
    return decoder::failure(
        {.message = "'" + command.front() + "' can't be run", .found = "no such program", .expected = "a program on PATH, or its path"});
  return decoder::failure({.message = "'" + program + "' does not start", .found = std::strerror(process::become(program, command))});
}

} // namespace

Run runCommand(const Arguments &arguments) {
  arguments.leaveRest();
  arguments.footer("Usage: kperf run [options of kperf-cc] -- COMMAND\n"
                   "What COMMAND compiles by nvcc or NVRTC gets probes (PyTorch, FlashInfer,\n"
                   "DeepGEMM, TileLang, CuPy, …); modules with kperf's tables are recorded,\n"
                   "however they were loaded. Such programs' compile caches are replaced by\n"
                   "kperf's, one for each set of options, in $KPERF_CACHE (~/.cache/kperf).\n"
                   "  kperf run --auto=kernels,loops -- python train.py");
  return [arguments] {
    Words rest = arguments.rest();
    if (!rest.empty())
      rest.erase(rest.begin()); // what main() has put there
    return run(rest);
  };
}

} // namespace kperf::tool
