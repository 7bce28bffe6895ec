// kperf-cc's own options, and the line between them and the compiler's.
#include "tool/cc/Options.h"
#include "tool/process/Process.h"

#include <gtest/gtest.h>

namespace kperf::cc {
namespace {

using Words = std::vector<std::string>;

std::string failure(const Words &words) {
  auto options = parseOptions(words);
  return options ? "no failure" : llvm::toString(options.takeError());
}

TEST(Options, EndAtTheCompiler) {
  Options options = llvm::cantFail(
      parseOptions({"--probes=region,memory", "--save-rewritten", "copies", "--strict", "--verbose", "/opt/bin/nvcc", "--keep", "-c"}));
  EXPECT_EQ(options.probes, (Words{"region", "memory"}));
  EXPECT_EQ(options.saveRewritten, "copies");
  EXPECT_TRUE(options.strict && options.verbose && options.instrument);
  EXPECT_EQ(options.compiler, "/opt/bin/nvcc");
  EXPECT_EQ(options.arguments, (Words{"--keep", "-c"}));
}

TEST(Options, StandBeforeTheCompiler) {
  EXPECT_EQ(failure({"host", "-O1", "a.cu", "--probes=memory"}),
            "'--probes=memory' is an option of kperf-cc: it stands before the compiler, as in kperf-cc --probes=memory host …");
  EXPECT_EQ(failure({"nvcc", "--strict", "a.cu"}),
            "'--strict' is an option of kperf-cc: it stands before the compiler, as in kperf-cc --strict nvcc …");
  for (const char *compilers : {"--keep", "--profile", "--verbose", "--version", "-Xlinker"})
    EXPECT_EQ(failure({"nvcc", compilers, "a.cu"}), "no failure");
  EXPECT_EQ(failure({"nvcc", "-Xptxas", "--strict", "a.cu"}), "no failure");
}

TEST(Options, TakeASelection) {
  Options options =
      llvm::cantFail(parseOptions({"--auto=loops,kernels", "--auto=async", "--auto-guard", "0", "--select=a b.yaml", "nvcc"}));
  EXPECT_EQ(options.selection.automatic, (Words{"loops", "kernels", "async"}));
  EXPECT_EQ(options.selection.guard, "0");
  EXPECT_EQ(options.selection.file, "a b.yaml");
  EXPECT_FALSE(options.selection.extremes);
  options = llvm::cantFail(parseOptions({"--aggregate=step,inner", "--extremes", "nvcc"}));
  EXPECT_EQ(options.selection.aggregate, (Words{"step", "inner"}));
  EXPECT_TRUE(options.selection.extremes);
  EXPECT_FALSE(options.selection.histogram);
  EXPECT_TRUE(llvm::cantFail(parseOptions({"--aggregate=step", "--histogram", "nvcc"})).selection.histogram);
  EXPECT_EQ(failure({"--extremes=yes", "nvcc"}), "option '--extremes' takes no value, found 'yes'");
}

TEST(Options, UnderstandACompilerCacheInBetween) {
  Options options = llvm::cantFail(parseOptions({"--keep", "/usr/bin/ccache", "nvcc", "a.cu"}));
  EXPECT_EQ(options.launcher, Words{"/usr/bin/ccache"});
  EXPECT_EQ(options.compiler, "nvcc");
}

TEST(Options, TakeACompilerThatTheHostTargetReplaces) {
  const Options options = llvm::cantFail(parseOptions({"--strict", "host", "/usr/local/cuda/bin/nvcc", "-c", "a.cu"}));
  EXPECT_EQ(options.compiler, "host");
  EXPECT_EQ(options.replaced, "/usr/local/cuda/bin/nvcc");
  EXPECT_EQ(options.arguments, (Words{"-c", "a.cu"}));
  EXPECT_EQ(llvm::cantFail(parseOptions({"host", "a.cu", "nvcc"})).replaced, "");
  EXPECT_EQ(llvm::cantFail(parseOptions({"nvcc", "g++", "a.cu"})).arguments, (Words{"g++", "a.cu"}));
}

TEST(Options, SayHowManyAccessesAreCounted) {
  EXPECT_EQ(accessesSampled(llvm::cantFail(parseOptions({"--probes=memory", "--sample=accesses:64", "nvcc"}))), 64u);
  EXPECT_EQ(accessesSampled(llvm::cantFail(parseOptions({"--probes=region,memory", "nvcc"}))), 64u); // the default
  EXPECT_EQ(accessesSampled(llvm::cantFail(parseOptions({"--probes=memory", "nvrtc"}))), 64u);
  EXPECT_EQ(accessesSampled(llvm::cantFail(parseOptions({"--probes=memory", "--sample=16", "nvcc"}))), 64u); // in these blocks
  for (const Words &each : {Words{"--probes=memory", "host"}, Words{"--probes=memory", "hipcc"}, Words{"--probes=region", "nvcc"},
                            Words{"--probes=memory", "--exact", "nvcc"}, Words{"--probes=memory", "--exact", "--sample=16", "nvcc"}})
    EXPECT_EQ(accessesSampled(llvm::cantFail(parseOptions(each))), 0u);
  EXPECT_EQ(failure({"--exact", "nvcc"}), "--exact counts every execution of memory accesses; --probes=memory counts them");
  EXPECT_EQ(failure({"--probes=memory", "--exact", "--sample=accesses:64", "nvcc"}),
            "--exact counts every execution of memory accesses, --sample=accesses:64 one in that many; give one of the two");
  for (const char *value : {"accesses:", "accesses:1", "accesses:48", "accesses:131072", "accesses:x"})
    EXPECT_EQ(failure({"--probes=memory", std::string("--sample=") + value, "nvcc"}),
              std::string("--sample=") + value + ": expected accesses: and a power of two from 2 to 65536");
  EXPECT_EQ(failure({"--sample=accesses:64", "nvcc"}),
            "--sample=accesses:N says how many memory accesses are counted; --probes=memory counts them");
  EXPECT_EQ(failure({"--probes=memory", "--sample=accesses:64", "hipcc"}),
            "--sample=accesses:N takes nvcc or host; found 'hipcc', with which every access is counted");
}

TEST(Options, FailWithAWayOut) {
  EXPECT_EQ(failure({"--probe=x", "nvcc"}), "unknown option '--probe'; did you mean '--probes'?");
  EXPECT_EQ(failure({"--frobnicate", "nvcc"}),
            "unknown option '--frobnicate'; 'kperf-cc --help' lists the options; the compiler's own follow its name");
  EXPECT_EQ(failure({"--strict=yes", "nvcc"}), "option '--strict' takes no value, found 'yes'");
  EXPECT_EQ(failure({"--compiler"}), "option '--compiler' needs a value");
  EXPECT_EQ(failure({"--auto", "host", "a.cu"}),
            "option '--auto' needs a value, and 'host' behind it is a compiler: write --auto=KIND,... host");
  EXPECT_EQ(failure({"--probes", "nvcc", "a.cu"}),
            "option '--probes' needs a value, and 'nvcc' behind it is a compiler: write --probes=NAME,... nvcc");
  EXPECT_TRUE(llvm::StringRef(failure({})).starts_with("no compiler is named; give nvcc, hipcc, clang++ or host"));
  EXPECT_TRUE(llvm::StringRef(failure({"--keep"})).starts_with("no compiler is named"));
  EXPECT_TRUE(llvm::StringRef(failure({"a.cu"})).starts_with("'a.cu' is not a compiler that kperf-cc knows"));
  const std::string sampled = "--sample takes a number of blocks, launches:N or accesses:N, found ";
  EXPECT_EQ(failure({"--sample=lanches:3", "nvcc"}), sampled + "'lanches:3'; did you mean launches:3?");
  EXPECT_EQ(failure({"--sample=acesses", "nvcc"}), sampled + "'acesses'; did you mean accesses:N?");
  EXPECT_EQ(failure({"--sample=often:3", "nvcc"}), sampled + "'often:3'");
  EXPECT_EQ(failure({"--sample", "4", "nvcc"}),
            "'4' stands where the compiler is expected; a number belongs to its option, as in --sample=4");
}

TEST(Options, HelpAndVersionNeedNoCompiler) {
  EXPECT_TRUE(llvm::cantFail(parseOptions({"--help"})).help);
  EXPECT_TRUE(llvm::cantFail(parseOptions({"--version"})).version);
}

TEST(ShellText, CanBeReadBack) { EXPECT_EQ(shellText({"nvcc", "-DX=\"a b\"", "it's", ""}), "nvcc '-DX=\"a b\"' 'it'\\''s' ''"); }

} // namespace
} // namespace kperf::cc
