// Runs kperf-cc on a program's source.
#include "runtime/preload/Rewriting.h"

#include "posix/AtomicFile.h"
#include "posix/Child.h"
#include "runtime/settings/Log.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kperf::preload {
namespace {

using runtime::log;
namespace fs = std::filesystem;

/// Where the headers lie that a program has in memory. kperf-cc drops it from what NVRTC is told (tool/cc/NvrtcSource.cpp).
constexpr const char *kHeadersBeside = "--include-path=./";

/// The words of a variable of kperf run's, which stand behind each other with the ASCII unit separator between.
std::vector<std::string> wordsOf(const char *variable) {
  std::vector<std::string> words;
  const char *text = std::getenv(variable);
  for (std::string rest = text ? text : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\x1f'), rest.size());
    words.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return words;
}

bool writeFile(const fs::path &path, const std::string &text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  return posix::writeFile(path.string(), text).has_value();
}

std::string readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A name below a folder: no program says where files of kperf's go.
fs::path below(const fs::path &folder, const std::string &name) {
  const fs::path given = fs::path(name).lexically_normal();
  const bool leadsOut = given.empty() || given.is_absolute() || *given.begin() == "..";
  return folder / (leadsOut ? given.filename() : given);
}

/// Runs a program in a folder, without what kperf run preloads; its standard output is nobody's. The exit code, or -1.
int runIn(const std::string &folder, const std::vector<std::string> &words) {
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0)
      variables.emplace_back(*variable);
  const auto child = posix::startChild(
      words.front(), words, {.input = posix::kNoStream, .output = posix::kNoStream, .folder = folder.c_str(), .environment = &variables});
  if (!child) {
    log("sources are compiled as they are: '%s' does not start: %s", words.front().c_str(), std::strerror(child.error()));
    return -1;
  }
  const int status = posix::waitForChild(*child); // success where the program waits for all of its children: the result tells then
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Whatever the result depends on.
std::string keyOf(const Program &program, const std::vector<std::string> &options) {
  std::string key = program.name;
  for (const auto &texts : {std::vector{program.source}, program.headers, program.includeNames, options})
    for (const std::string &text : texts)
      key.append(1, '\0').append(text);
  return key;
}

} // namespace

std::unique_ptr<RewrittenProgram> RewrittenProgram::make(const Program &program, const std::vector<std::string> &options) {
  auto folder = posix::TemporaryFolder::make(keyOf(program, options), "kperf-nvrtc");
  if (!folder) {
    log("'%s' is compiled as it is: no folder can be made in '%s': %s", program.name.c_str(), posix::TemporaryFolder::root().c_str(),
        std::strerror(folder.error()));
    return nullptr;
  }
  if (std::getenv("KPERF_RUN_KEEP"))
    folder->keep();
  std::unique_ptr<RewrittenProgram> made(new RewrittenProgram(std::move(*folder)));
  return made->rewrite(program, options) ? std::move(made) : nullptr;
}

bool RewrittenProgram::rewrite(const Program &program, const std::vector<std::string> &given) {
  std::vector<std::string> words = wordsOf("KPERF_RUN_COMPILER");
  if (words.empty())
    return false; // preloaded by hand: modules that have tables are recorded all the same
  const fs::path home(folder.path());
  fs::path source = below(home / "source", program.name);
  if (source.extension() != ".cu")
    source += ".cu"; // which names the language
  bool isWritten = writeFile(source, program.source);
  for (std::size_t index = 0; index < program.headers.size(); ++index)
    isWritten &= writeFile(below(home / "source", program.includeNames[index]), program.headers[index]);
  const fs::path result = home / "rewritten.cu", further = home / "options";
  words.insert(words.end(), {"nvrtc", "-o", result.string()});
  words.insert(words.end(), given.begin(), given.end());
  if (!program.headers.empty())
    words.emplace_back(kHeadersBeside);
  words.push_back(source.lexically_relative(home / "source").string());
  if (!isWritten) {
    log("'%s' is compiled as it is: its copy in '%s' can't be written", program.name.c_str(), home.c_str());
    return false;
  }
  // Exit codes but 0 were explained by kperf-cc itself.
  if (runIn((home / "source").string(), words) != 0 || !fs::exists(result))
    return false;
  this->source = readFile(result);
  std::ifstream in(further);
  for (std::string line; std::getline(in, line);)
    options.push_back(line);
  return true;
}

} // namespace kperf::preload
