// Runs cuobjdump and nvdisasm.
#include "tool/placement/Disassembly.h"

#include "decoder/io/Output.h"
#include "decoder/io/TextFile.h"
#include "tool/placement/LineTable.h"
#include "tool/process/Spawn.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace kperf::placement {
namespace {

namespace fs = std::filesystem;

using decoder::Expected;
using process::SpawnOptions;

/// As kperf run finds nvcc.
Expected<std::string> findTool(const std::string &name) {
  for (const char *home : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *value = std::getenv(home); value && *value)
      if (std::string path = fmt::format("{}/bin/{}", value, name); access(path.c_str(), X_OK) == 0)
        return path;
  std::string path = process::findProgram(name, {"/usr/local/cuda/bin"});
  if (path.empty())
    return decoder::failure(
        {.message = fmt::format("there is no {}: CUDA_HOME, PATH and /usr/local/cuda have none", name),
         .remedy = fmt::format("it comes with the CUDA toolkit, in the package cuda-{}; put its folder on PATH", name)});
  return path;
}

Expected<std::string> outputOf(const std::vector<std::string> &command, const std::string &path) {
  const auto end = process::spawn(
      command.front(), command, {.input = SpawnOptions::Stream::Nowhere, .output = SpawnOptions::Stream::Captured, .passesSignals = true});
  if (!end)
    return decoder::failure({.message = fmt::format("{} does not start", command.front()), .found = std::strerror(end.error())});
  if (!end->ok())
    return decoder::failure({.message = fmt::format("{} failed", fs::path(command.front()).filename().string()),
                             .found = end->signal ? fmt::format("signal {}", end->signal) : fmt::format("exit code {}", end->exitCode),
                             .expected = "one that knows the architecture that the program was built for",
                             .remedy = "put that of the toolkit which built it first on PATH",
                             .file = path});
  return end->output;
}

decoder::Status write(const std::string &path, const std::string &bytes) {
  auto out = decoder::OutputFile::open(path);
  if (!out)
    return decoder::failure(out.error());
  out->writeBytes(bytes);
  return out->finish();
}

/// "sm_90" of "kernel.1.sm_90.cubin", as cuobjdump names what it unpacks.
std::string architectureIn(const fs::path &cubin) {
  const std::string name = cubin.filename().string();
  const std::size_t begin = name.rfind("sm_"), end = name.find('.', begin);
  return begin == std::string::npos ? "" : name.substr(begin, end - begin);
}

class Disassembler {
public:
  Disassembler(const std::string &path, const std::string &folder) : path(path), folder(folder) {}

  Expected<std::vector<Disassembly>> run(const Program &program) {
    auto tool = findTool("nvdisasm");
    if (!tool)
      return decoder::failure(tool.error());
    nvdisasm = std::move(*tool);
    for (const std::string &binary : program.binaries)
      if (auto status = program.isCubin ? addCubin(binary) : addFatBinary(binary); !status)
        return decoder::failure(status.error());
    return std::move(found);
  }

private:
  decoder::Status addCubin(std::string bytes) { return add(folder + "/given.cubin", std::move(bytes), ""); }

  /// Each for itself: cuobjdump gives cubins of one architecture one name.
  decoder::Status addFatBinary(const std::string &bytes) {
    const auto cuobjdump = findTool("cuobjdump");
    if (!cuobjdump)
      return decoder::failure(cuobjdump.error());
    const fs::path own = fmt::format("{}/{}", folder, count++);
    std::error_code error;
    fs::create_directory(own, error);
    if (auto status = write(own / "program.fatbin", bytes); !status)
      return status;
    const auto said = outputOf({process::findProgram("env"), "-C", own.string(), *cuobjdump, "-xelf", "all", "program.fatbin"}, path);
    if (!said)
      return decoder::failure(said.error());
    std::vector<fs::path> cubins;
    for (fs::directory_iterator entry(own, error), end; !error && entry != end; entry.increment(error))
      if (entry->path().extension() == ".cubin")
        cubins.push_back(entry->path());
    std::ranges::sort(cubins);
    for (const fs::path &cubin : cubins) {
      auto bytes = decoder::readTextFile(cubin, kMaxBytes);
      if (!bytes)
        return decoder::failure(bytes.error());
      if (auto status = add(cubin, std::move(*bytes), architectureIn(cubin)); !status)
        return status;
    }
    return {};
  }

  /// `cubin`: a file for the bytes, which may be there.
  decoder::Status add(const std::string &cubin, std::string bytes, std::string architecture) {
    mendCallers(bytes);
    if (auto status = write(cubin, bytes); !status)
      return status;
    auto text = outputOf({nvdisasm, "-gi", "-c", cubin}, path);
    if (!text)
      return decoder::failure(text.error());
    found.push_back({std::move(architecture), std::move(*text)});
    return {};
  }

  const std::string &path;
  const std::string &folder;
  std::string nvdisasm;
  unsigned count = 0;
  std::vector<Disassembly> found;
};

} // namespace

Expected<std::vector<Disassembly>> disassemble(const Program &program, const std::string &path, const std::string &folder) {
  return Disassembler(path, folder).run(program);
}

} // namespace kperf::placement
