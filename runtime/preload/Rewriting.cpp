// Runs kperf-cc on a program's source.
#include "runtime/preload/Rewriting.h"

#include "runtime/settings/Log.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
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
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
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
/// Not by tool/process/Spawn.h: this runs within the user's program, of which it may change neither handlers nor mask of signals, and which
/// links nothing of kperf's programs.
int runIn(const std::string &folder, std::vector<std::string> words) {
  std::vector<std::string> variables;
  for (char **variable = environ; *variable; ++variable)
    if (std::strncmp(*variable, "LD_PRELOAD=", 11) != 0)
      variables.emplace_back(*variable);
  const auto pointers = [](std::vector<std::string> &texts) {
    std::vector<char *> all;
    for (std::string &text : texts)
      all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failure = posix_spawn(&child, words.front().c_str(), &actions, nullptr, pointers(words).data(), pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0) {
    log("sources are compiled as they are: '%s' does not start: %s", words.front().c_str(), std::strerror(failure));
    return -1;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) // the program waits for all of its children
      return 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

std::unique_ptr<RewrittenProgram> RewrittenProgram::make(const Program &program, const std::vector<std::string> &options) {
  const char *given = std::getenv("TMPDIR");
  std::string folder = std::string(given && *given ? given : "/tmp") + "/kperf-nvrtc-XXXXXX";
  if (!mkdtemp(folder.data())) {
    log("'%s' is compiled as it is: no folder '%s' can be made: %s", program.name.c_str(), folder.c_str(), std::strerror(errno));
    return nullptr;
  }
  std::unique_ptr<RewrittenProgram> made(new RewrittenProgram(folder));
  return made->rewrite(program, options) ? std::move(made) : nullptr;
}

RewrittenProgram::~RewrittenProgram() {
  std::error_code error;
  if (!std::getenv("KPERF_RUN_KEEP"))
    fs::remove_all(folder, error);
}

bool RewrittenProgram::rewrite(const Program &program, const std::vector<std::string> &given) {
  std::vector<std::string> words = wordsOf("KPERF_RUN_COMPILER");
  if (words.empty())
    return false; // preloaded by hand: modules that have tables are recorded all the same
  const fs::path home(folder);
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
    log("'%s' is compiled as it is: its copy in '%s' can't be written", program.name.c_str(), folder.c_str());
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
