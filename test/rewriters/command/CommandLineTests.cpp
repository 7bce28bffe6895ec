// What a command line is as a whole: inputs, roles, option files, environment, dependencies, dialects, failures.
#include "Translate.h"
#include "rewriters/command/OptionFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

namespace kperf {
namespace {

std::string inputsOf(const CompileCommand &command) {
  static constexpr llvm::StringRef names[] = {"c", "c++", "cuda", "hip", "object"};
  Words words;
  for (const Input &input : command.inputs)
    words.push_back(input.path + ":" + names[static_cast<int>(input.language)].str());
  return llvm::join(words, " ");
}

TEST(Inputs, AreKnownByTheirNames) {
  EXPECT_EQ(inputsOf(translate(Dialect::Nvcc, {"a.cu", "b.cpp", "c.c", "d.o", "e.a", "f.ptx", "g"})),
            "a.cu:cuda b.cpp:c++ c.c:c d.o:object e.a:object f.ptx:object g:object");
  EXPECT_EQ(inputsOf(translate(Dialect::Clang, {"a.cu", "b.hip", "c.cc"})), "a.cu:cuda b.hip:hip c.cc:c++");
  EXPECT_EQ(inputsOf(translate(Dialect::Hipcc, {"a.cpp", "b.cu", "c.c", "d.o"})), "a.cpp:hip b.cu:hip c.c:c d.o:object");
  EXPECT_EQ(inputsOf(translate(Dialect::Host, {"a.cu", "b.cpp", "c.o"})), "a.cu:cuda b.cpp:c++ c.o:object");
}

TEST(Inputs, FollowTheLanguageOption) {
  EXPECT_EQ(inputsOf(translate(Dialect::Nvcc, {"a.cpp", "-x", "cu", "b.cc", "c.o"})), "a.cpp:cuda b.cc:cuda c.o:object");
  EXPECT_EQ(inputsOf(translate(Dialect::Nvcc, {"-x=c++", "a.cu"})), "a.cu:c++");
  EXPECT_EQ(inputsOf(translate(Dialect::Clang, {"a.cpp", "-x", "cuda", "b.cpp", "-x", "none", "c.cpp", "d.o"})),
            "a.cpp:c++ b.cpp:cuda c.cpp:c++ d.o:object");
  EXPECT_EQ(inputsOf(translate(Dialect::Clang, {"-xhip", "a.cpp"})), "a.cpp:hip");
  EXPECT_EQ(inputsOf(translate(Dialect::Host, {"-x", "cu", "a.txt"})), "a.txt:cuda");
}

TEST(Inputs, FromStandardInputAreWhatTheCommandSays) {
  for (const auto &[dialect, language] : {std::pair(Dialect::Clang, "cuda"), std::pair(Dialect::Clang, "hip"),
                                          std::pair(Dialect::Host, "cu"), std::pair(Dialect::Nvcc, "cu")}) {
    const CompileCommand command = translate(dialect, {"-x", language, "-"});
    ASSERT_TRUE(command.hasDeviceSource()) << language;
    EXPECT_TRUE(command.inputs.front().isStandardInput());
    EXPECT_TRUE(command.warnings.empty());
  }
  const CompileCommand untold = translate(Dialect::Clang, {"-"});
  EXPECT_FALSE(untold.hasSource());
  EXPECT_EQ(untold.warnings.size(), 1u);
}

TEST(Arguments, KeepOrderAndKnowTheirRoles) {
  const CompileCommand command = translate(Dialect::Nvcc, {"-Ia", "-I", "b", "-isystem=c", "-o", "x", "-Xcompiler", "-Wall", "a.cu"});
  const std::vector<std::pair<std::string, ArgumentRole>> expected = {
      {"-Ia", ArgumentRole::IncludePath},          {"-I", ArgumentRole::Option},   {"b", ArgumentRole::IncludePath},
      {"-isystem=c", ArgumentRole::SystemInclude}, {"-o", ArgumentRole::Option},   {"x", ArgumentRole::Output},
      {"-Xcompiler", ArgumentRole::Option},        {"-Wall", ArgumentRole::Value}, {"a.cu", ArgumentRole::Input}};
  ASSERT_EQ(command.arguments.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(command.arguments[i].text, expected[i].first);
    EXPECT_EQ(command.arguments[i].role, expected[i].second) << expected[i].first;
    const bool isSeparateValue = i == 2 || i == 5 || i == 7;
    EXPECT_EQ(command.arguments[i].isSeparateValue, isSeparateValue) << expected[i].first;
  }
}

TEST(Arguments, OfClangKeepTheirRoles) {
  const CompileCommand command = translate(Dialect::Clang, {"-iquote", "q", "-isystem", "s", "-Ii", "-o", "x.o", "-MF", "d", "a.cu"});
  EXPECT_EQ(command.arguments[1].role, ArgumentRole::QuoteInclude);
  EXPECT_EQ(command.arguments[3].role, ArgumentRole::SystemInclude);
  EXPECT_EQ(command.arguments[4].role, ArgumentRole::IncludePath);
  EXPECT_EQ(command.arguments[6].role, ArgumentRole::Output);
  EXPECT_EQ(command.arguments[8].role, ArgumentRole::Value);
  EXPECT_EQ(command.arguments[9].role, ArgumentRole::Input);
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    EXPECT_EQ(command.arguments[i].isSeparateValue, i == 1 || i == 3 || i == 6 || i == 8) << i;
}

TEST(Arguments, UnknownOnesArePassedOnWithOneWarning) {
  const CompileCommand command = translate(Dialect::Nvcc, {"--frobnicate", "--frobnicate", "-c", "a.cu"});
  EXPECT_EQ(command.arguments.size(), 4u);
  ASSERT_EQ(command.warnings.size(), 1u);
  EXPECT_EQ(command.warnings[0], "option '--frobnicate' is not known; it is passed on to the compiler as it is");
}

TEST(Dependencies, AreUnderstood) {
  const CompileCommand nvcc = translate(Dialect::Nvcc, {"-MMD", "-MF", "a.d", "-MT", "t", "-MP", "-c", "a.cu"});
  EXPECT_TRUE(nvcc.dependencies.wanted && nvcc.dependencies.phonyTargets);
  EXPECT_FALSE(nvcc.dependencies.systemHeaders);
  EXPECT_EQ(nvcc.dependencies.file, "a.d");
  EXPECT_EQ(nvcc.dependencies.targets, Words{"t"});
  const CompileCommand clang = translate(Dialect::Clang, {"-MD", "-MFa.d", "-MT", "t", "-MQ", "u", "-c", "a.cu"});
  EXPECT_TRUE(clang.dependencies.wanted && clang.dependencies.systemHeaders);
  EXPECT_EQ(clang.dependencies.file, "a.d");
  EXPECT_EQ(clang.dependencies.targets, (Words{"t", "u"}));
  EXPECT_EQ(clang.mode, CompileMode::Compile);
}

class Folder : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("kperf-options", path)); }
  void TearDown() override { llvm::sys::fs::remove_directories(path); }
  void write(llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream((path + "/" + name).str(), error) << text;
    ASSERT_FALSE(error);
  }
  TranslateContext here() const {
    TranslateContext context;
    context.directory = path.str().str();
    return context;
  }
  llvm::SmallString<128> path;
};

TEST_F(Folder, OptionFilesAreExpandedInPlace) {
  write("f.opt", "-DA=1 -DB=\"x y\"\n-I inc -optf g.opt\n");
  write("g.opt", "-DNESTED b.cu");
  const CompileCommand command = translate(Dialect::Nvcc, {"a.cu", "--options-file", "f.opt", "-DZ"}, here());
  EXPECT_EQ(inputsOf(command), "a.cu:cuda b.cu:cuda");
  EXPECT_EQ(llvm::join(llvm::ArrayRef(command.clangArguments).take_front(5), "|"), "-DA=1|-DB=x y|-Iinc|-DNESTED|-DZ");
  EXPECT_EQ(command.arguments[command.inputs[1].argument].text, "b.cu");
}

TEST_F(Folder, ResponseFilesAreExpandedForClang) {
  write("r", "-DA='x y' \\\n -Ii");
  EXPECT_EQ(translate(Dialect::Clang, {"@r", "-c", "a.cu", "@none"}, here()).clangArguments, (Words{"-DA=x y", "-Ii", "-std=gnu++17"}));
}

TEST_F(Folder, OptionFilesThatNameEachOtherTwiceFail) {
  for (int i = 0; i < 15; ++i) // without a limit, 32768 of the last are read
    write("f" + std::to_string(i), "@f" + std::to_string(i + 1) + " @f" + std::to_string(i + 1));
  write("f15", "-c");
  auto command = translateCommand(Dialect::Clang, {"@f0"}, here());
  ASSERT_FALSE(command);
  EXPECT_EQ(llvm::toString(command.takeError()), "more than 2000 option files are read; do they include each other?");
}

TEST_F(Folder, AnOptionFileThatIncludesItselfFails) {
  write("loop", "-optf loop");
  auto command = translateCommand(Dialect::Nvcc, {"-optf=loop"}, here());
  ASSERT_FALSE(command);
  EXPECT_EQ(llvm::toString(command.takeError()), "option files are nested deeper than 16; does one include itself?");
}

TEST(OptionFiles, AreSplitAsNvccSplitsThem) {
  EXPECT_EQ(llvm::cantFail(splitNvccOptions("-DE=\\\"q\\\" a\\ b \"c d\"\n'e f'")), (Words{"-DE=q", "a b", "c d", "'e", "f'"}));
  EXPECT_EQ(llvm::cantFail(splitNvccOptions("-DE=\\\\\\\"q\\\\\\\"")), (Words{"-DE=\\\"q\\\""}));
}

TEST(Environment, SurroundsTheCommandButIsNotPartOfIt) {
  TranslateContext context;
  context.prependFlags = "-DP -arch=sm_80";
  context.appendFlags = "-DZ=\"1 2\"";
  const CompileCommand command = translate(Dialect::Nvcc, {"-DM", "a.cu"}, context);
  EXPECT_EQ(llvm::join(llvm::ArrayRef(command.clangArguments).take_front(3), "|"), "-DP|-DM|-DZ=1 2");
  EXPECT_EQ(command.architectures, Words{"sm_80"});
  ASSERT_EQ(command.arguments.size(), 2u);
  EXPECT_EQ(command.arguments[command.inputs[0].argument].text, "a.cu");
  EXPECT_EQ(translate(Dialect::Clang, {"-DM", "a.cu"}, context).clangArguments[0], "-DM");
}

TEST(Environment, SourcesThatItAddsAreNotReplaced) {
  TranslateContext context;
  context.appendFlags = "b.cu";
  const CompileCommand command = translate(Dialect::Nvcc, {"a.cu"}, context);
  EXPECT_EQ(inputsOf(command), "a.cu:cuda b.cu:object");
  EXPECT_EQ(command.inputs[1].argument, Input::kNotAnArgument);
  EXPECT_EQ(command.warnings, Words{"'b.cu', which an environment variable adds, is compiled as it is; give it on the "
                                    "command line to have it instrumented"});
}

TEST(ClangDialect, PassesWhatTheFrontEndNeeds) {
  const CompileCommand command = translate(Dialect::Clang, {"--cuda-path=/c", "--offload-arch=sm_80,sm_90a", "--cuda-gpu-arch=sm_70",
                                                            "-fgpu-rdc", "-O3", "-Wall", "-Werror", "-fopenmp", "-flto", "-march=native",
                                                            "-std=c++20", "-iquote", "q", "-lm", "-Wl,-z,now", "-c", "a.cu"});
  EXPECT_EQ(llvm::join(command.clangArguments, " "), "-fgpu-rdc -O3 -fopenmp -march=native -std=c++20 -iquote q");
  EXPECT_EQ(llvm::join(command.architectures, " "), "sm_80 sm_90a sm_70");
  EXPECT_EQ(command.toolkit, "/c");
  EXPECT_TRUE(command.relocatable);
  EXPECT_TRUE(command.warnings.empty());
}

TEST(ClangDialect, ReadsHeadersInsteadOfTheirPrecompiledForm) {
  EXPECT_EQ(llvm::join(translate(Dialect::Clang, {"-Xclang", "-include-pch", "-Xclang", "d/cmake_pch.hxx.pch", "-Xclang", "-include",
                                                  "-Xclang", "d/cmake_pch.hxx", "-std=c++17", "-c", "a.cu"})
                           .clangArguments,
                       " "),
            "-Xclang -include -Xclang d/cmake_pch.hxx -std=c++17");
  EXPECT_EQ(llvm::join(translate(Dialect::Clang, {"-include-pch", "all.h.pch", "-std=c++17", "a.cu"}).clangArguments, " "),
            "-include all.h -std=c++17");
}

TEST(HipccDialect, TakesWhatHipccTakes) {
  const CompileCommand command = translate(Dialect::Hipcc, {"--offload-arch=gfx90a",
                                                            "--amdgpu-target=gfx908",
                                                            "-fgpu-rdc",
                                                            "--genco",
                                                            "-munsafe-fp-atomics",
                                                            "-parallel-jobs=4",
                                                            "--rocm-path=/opt/rocm",
                                                            "--hip-link",
                                                            "-mllvm",
                                                            "-amdgpu-early-inline-all=true",
                                                            "-fno-gpu-rdc",
                                                            "-Xarch_device",
                                                            "-O3",
                                                            "--offload-compress",
                                                            "-fgpu-default-stream=per-thread",
                                                            "-mcode-object-version=5",
                                                            "--gcc-toolchain=/usr",
                                                            "-ggdb",
                                                            "-save-temps",
                                                            "-D__HIP_PLATFORM_AMD__=1",
                                                            "-isystem",
                                                            "/opt/rocm/include",
                                                            "-std=c++17",
                                                            "-x",
                                                            "hip",
                                                            "-c",
                                                            "a.cu",
                                                            "-o",
                                                            "a.o"});
  EXPECT_EQ(llvm::join(command.warnings, "\n"), "");
  EXPECT_EQ(inputsOf(command), "a.cu:hip");
  EXPECT_EQ(command.output, "a.o");
  EXPECT_EQ(command.mode, CompileMode::Compile);
  EXPECT_EQ(command.architectures, (Words{"gfx90a", "gfx908"}));
}

TEST(HipccDialect, ReadsTheOptionsOfTheScript) {
  TranslateContext context;
  context.hipccFlags = "-DLATE";
  const CompileCommand command =
      translate(Dialect::Hipcc, {"--amdgpu-target=gfx900,gfx906", "-use_fast_math", "-use-staticlib", "a.cpp"}, context);
  EXPECT_EQ(command.architectures, (Words{"gfx900", "gfx906"}));
  EXPECT_EQ(llvm::join(command.clangArguments, " "), "-DHIP_FAST_MATH -DLATE -std=gnu++17");
  EXPECT_EQ(command.arguments.size(), 4u); // hipcc reads its environment itself
  EXPECT_TRUE(command.links());
  EXPECT_EQ(translate(Dialect::Hipcc, {"--genco", "a.cpp"}).mode, CompileMode::Fatbin);
  EXPECT_EQ(translate(Dialect::Hipcc, {"--cxxflags"}).mode, CompileMode::Query);
}

TEST(HostDialect, LeavesOutWhatIsAboutGpus) {
  const CompileCommand command = translate(Dialect::Host, {"-x", "hip", "--offload-arch=gfx90a", "-fgpu-rdc", "-munsafe-fp-atomics",
                                                           "-mllvm", "-x=y", "-mcode-object-version=5", "--rocm-path=/r", "-O1", "a.cpp"});
  EXPECT_EQ(inputsOf(command), "a.cpp:hip");
  EXPECT_EQ(llvm::join(command.hostCompileArguments, " "), "-O1");
  EXPECT_EQ(llvm::join(command.hostLinkArguments, " "), "-O1 a.cpp");
  EXPECT_TRUE(command.warnings.empty());
}

TEST(HipccDialect, KnowsAmdArchitectures) {
  const CompileCommand command = translate(Dialect::Hipcc, {"--offload-arch=gfx90a:xnack-", "--offload-arch=gfx942", "a.cpp"});
  EXPECT_EQ(llvm::join(command.architectures, " "), "gfx90a:xnack- gfx942");
  EXPECT_EQ(command.inputs[0].language, Language::Hip);
}

TEST(HostDialect, ReadsNvccAndGnuOptionsAlike) {
  const CompileCommand command = translate(Dialect::Host, {"-arch=sm_90a",
                                                           "--extended-lambda",
                                                           "-lineinfo",
                                                           "-use_fast_math",
                                                           "-Xptxas",
                                                           "-v",
                                                           "-Xcompiler",
                                                           "-fPIC,-Wall",
                                                           "-DF(a,b)=a",
                                                           "-D",
                                                           "X",
                                                           "-isystem=s",
                                                           "-isystem",
                                                           "t",
                                                           "-std",
                                                           "c++17",
                                                           "-Ofast",
                                                           "-g3",
                                                           "-Wextra",
                                                           "-Wl,--as-needed",
                                                           "-pthread",
                                                           "-march=native",
                                                           "-lm",
                                                           "-t4",
                                                           "-G",
                                                           "a.cu",
                                                           "b.o"});
  EXPECT_EQ(llvm::join(command.hostCompileArguments, " "),
            "-fPIC -Wall -DF(a,b)=a -D X -isystem s -isystem t -std=c++17 -Ofast -g3 -Wextra -pthread -march=native");
  EXPECT_EQ(llvm::join(command.hostLinkArguments, " "),
            "-Ofast -g3 -Wextra -Wl,--as-needed -pthread -march=native -lm a.cu b.o -fPIC -Wall");
  EXPECT_EQ(command.inputs[0].hostLinkArgument, 7u);
  EXPECT_TRUE(command.warnings.empty()) << command.warnings.front();
}

TEST(HostDialect, TakesListsOfHeaders) {
  EXPECT_EQ(llvm::join(translate(Dialect::Host, {"-include", "x.h,y.h", "-include", "z.h", "a.cu"}).hostCompileArguments, " "),
            "-include x.h -include y.h -include z.h");
}

TEST(HostDialect, KeepsGnuMeaningsOfSharedSpellings) {
  const CompileCommand command = translate(Dialect::Host, {"-Werror", "-O", "-MT", "x", "-MQ", "y", "-MD", "-c", "a.cu"});
  EXPECT_EQ(llvm::join(command.hostCompileArguments, " "), "-Werror -O");
  EXPECT_EQ(command.dependencies.targets, (Words{"x", "y"}));
  EXPECT_EQ(translate(Dialect::Host, {"-O", "2", "a.cu"}).hostCompileArguments, Words{"-O2"});
  EXPECT_EQ(translate(Dialect::Host, {"-Werror", "all-warnings", "a.cu"}).inputs.size(), 1u);
}

TEST(HostDialect, TakesAnEscapedCommaForNvccs) {
  const CompileCommand command = translate(Dialect::Host, {"-DN=1\\,2", "-D", "M=f(1\\,2),K", "-DL=1,2", "-c", "a.cu"});
  EXPECT_EQ(command.hostCompileArguments, (Words{"-DN=1,2", "-DM=f(1,2)", "-DK", "-DL=1,2"}));
  EXPECT_EQ(command.clangArguments, (Words{"-DN=1,2", "-DM=f(1,2)", "-DK", "-DL=1,2", "-std=c++20"}));
}

TEST(HostDialect, ReadsAnotherCompilersCommandAsThatOneDoes) {
  const auto translated = [](Dialect written, const Words &words) {
    return llvm::cantFail(translateForHost(written, words, TranslateContext()));
  };
  const CompileCommand nvcc = translated(Dialect::Nvcc, {"-forward-unknown-to-host-compiler", "-arch=sm_90", "-DA=1,B=2\\,3", "-rdc=true",
                                                         "-march=native", "-O3", "-c", "main.cpp", "-x", "cu", "-o", "main.o"});
  EXPECT_EQ(nvcc.dialect, Dialect::Host);
  EXPECT_EQ(inputsOf(nvcc), "main.cpp:cuda");
  EXPECT_EQ(llvm::join(nvcc.hostCompileArguments, " "), "-march=native -DA=1 -DB=2,3 -O3");
  EXPECT_EQ(llvm::join(nvcc.clangArguments, " "), "-march=native -DA=1 -DB=2,3 -O3 -std=c++20"); // none of nvcc's macros
  EXPECT_TRUE(nvcc.architectures.empty() && nvcc.warnings.empty());
  const CompileCommand hipcc = translated(Dialect::Hipcc, {"--offload-arch=gfx90a", "-munsafe-fp-atomics", "-O1", "a.cpp"});
  EXPECT_EQ(inputsOf(hipcc), "a.cpp:hip");
  EXPECT_EQ(llvm::join(hipcc.hostCompileArguments, " "), "-O1");
  EXPECT_EQ(inputsOf(translated(Dialect::Host, {"a.cpp", "b.o"})), "a.cpp:c++ b.o:object");
}

TEST(HostDialect, SearchesToolkitsLast) {
  TranslateContext context;
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files->addFile("/cuda/include/crt/host_config.h", 0, llvm::MemoryBuffer::getMemBuffer(""));
  context.files = files;
  const Words words = {"-I/cuda/include", "-isystem", "/cuda/include", "-I", "/own", "-I/other", "a.cu"};
  const Words expected = {"-idirafter/cuda/include", "-idirafter", "/cuda/include", "-I", "/own", "-I/other"};
  EXPECT_EQ(translate(Dialect::Host, words, context).hostCompileArguments, expected);
  EXPECT_EQ(translate(Dialect::Nvcc, words, context).clangArguments.front(), "-I/cuda/include");
}

TEST(Failures, NameTheOption) {
  EXPECT_EQ(failure(Dialect::Nvcc, {"a.cu", "-o"}), "option '-o' needs a value");
  EXPECT_EQ(failure(Dialect::Clang, {"a.cu", "-o"}), "option '-o' needs a value");
  EXPECT_EQ(failure(Dialect::Nvcc, {"-rdc=maybe"}), "option '--relocatable-device-code' expects true or false, found 'maybe'");
  EXPECT_EQ(failure(Dialect::Nvcc, {"-gencode", "code=sm_90"}), "'-gencode code=sm_90' names no arch");
  EXPECT_EQ(failure(Dialect::Nvcc, {"-DX=\"a"}), "unterminated double quote in 'X=\"a'");
  EXPECT_TRUE(
      llvm::StringRef(failure(Dialect::Nvcc, {"-optf", "/nonexistent/f"})).starts_with("cannot read option file '/nonexistent/f': "));
}

TEST(Compilers, AreKnownByTheirNames) {
  EXPECT_EQ(dialectOfCompiler("/usr/local/cuda/bin/nvcc"), Dialect::Nvcc);
  EXPECT_EQ(dialectOfCompiler("hipcc"), Dialect::Hipcc);
  EXPECT_EQ(dialectOfCompiler("clang++-22"), Dialect::Clang);
  EXPECT_EQ(dialectOfCompiler("x86_64-linux-gnu-g++-12"), Dialect::Host);
  EXPECT_EQ(dialectOfCompiler("/usr/bin/c++"), Dialect::Host);
  EXPECT_EQ(dialectOfCompiler("python3"), std::nullopt);
  EXPECT_EQ(dialectOfCompiler("clang-format"), std::nullopt);
}

} // namespace
} // namespace kperf
