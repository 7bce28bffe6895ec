// Writes the seeds of the fuzzers of the rewriters' text: selection files, assembly, annotations, sources and command lines of the tests,
// and a command line for each of nvcc's options.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace fs = std::filesystem;

namespace {

class Seeds {
public:
  explicit Seeds(fs::path out) : out(std::move(out)) {}

  void write(const char *fuzzer, const std::string &text) {
    fs::create_directories(out / fuzzer);
    std::ofstream(out / fuzzer / ("test-" + std::to_string(++count)), std::ios::binary) << text;
  }

private:
  fs::path out;
  unsigned count = 0;
};

std::string textOf(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void writeMatches(Seeds &seeds, const char *fuzzer, const std::string &text, const char *pattern,
                  std::string (*made)(const std::smatch &)) {
  const std::regex regex(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    seeds.write(fuzzer, made(*match));
}

std::string assemblyOf(const std::smatch &match) { return std::regex_replace(match.str(1), std::regex(R"(\\[nt])"), "\n"); }

/// "kperf-cc nvcc -c a.cu" as the fuzzer has it: letters give nvcc, hipcc, clang++ and host as it takes them.
std::string commandOf(const std::smatch &match) {
  const std::string compiler = match.str(1);
  const char letter = compiler == "nvcc" ? 'd' : compiler == "hipcc" ? 'a' : compiler == "host" ? 'c' : 'b';
  return letter + std::regex_replace(match.str(2), std::regex(" +"), "\n").substr(1);
}

/// "KPERF_MARK("tile", k)" as the macro leaves it, and as the words of a name template.
std::string markerOf(const std::smatch &match) {
  std::string word = match.str(1);
  std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return word + ":" + match.str(2);
}

void writeTest(Seeds &seeds, const std::string &text) {
  constexpr std::size_t kMaxBytes = 4096; // more makes a fuzzer slow
  writeMatches(seeds, "SelectionFuzzer", text, R"(--- [^\n]*\.yaml\n((?:(?!//---|#---)[^\n]*\n)*))",
               [](const std::smatch &match) { return match.str(1); });
  writeMatches(seeds, "AssemblyFuzzer", text, R"re(asm volatile\("((?:[^"\\]|\\.)*)")re", assemblyOf);
  writeMatches(seeds, "CommandFuzzer", text, R"(kperf-cc (nvcc|hipcc|clang\+\+|host)((?: [^ \n&|]+)+))", commandOf);
  writeMatches(seeds, "AnnotationFuzzer", text, R"re(KPERF_(SCOPE|BEGIN|END|MARK)\(([^\n]*)\))re", markerOf);
  writeMatches(seeds, "AnnotationFuzzer", text, R"re(name: "?([^"\n]*\{[^"\n]*))re", [](const std::smatch &match) { return match.str(1); });
  if (text.size() <= kMaxBytes && text.find("__global__") != std::string::npos)
    seeds.write("SourceFuzzer", text);
}

void writeOptions(Seeds &seeds) {
  const auto option = [&](const std::string &longName, const std::string &shortName) {
    seeds.write("CommandFuzzer", "d--" + longName + "\na,b=c\n-" + shortName + "\nx.cu\n=== x.cu\n-DA=\"1 2\" -Xcompiler -O");
  };
#define NVCC_MODE(Long, Short, Mode) option(Long, Short);
#define NVCC_OPTION(Long, Short, Shape, Meaning, Clang, Compile, Link) option(Long, Short);
#include "rewriters/command/NvccOptions.def"
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: makeRewriterSeeds FOLDER-OF-TESTS FOLDER\n");
    return 2;
  }
  Seeds seeds(argv[2]);
  for (const char *folder : {"rewriters", "tool", "memory"})
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(fs::path(argv[1]) / folder)) {
      if (!entry.is_regular_file())
        continue;
      writeTest(seeds, textOf(entry.path()));
    }
  writeOptions(seeds);
  return 0;
}
