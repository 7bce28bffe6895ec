// The translation of nvcc's options, a row an option.
#include "Translate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <ostream>

namespace kperf {
namespace {

/// The words without those that every command has.
std::string own(Words words, const Words &common) {
  for (const std::string &word : common)
    if (auto at = llvm::find(words, word); at != words.end())
      words.erase(at);
  return llvm::join(words, " ");
}

/// The first words of a command, as many as there are: a table of such is data, where one of strings is as much code to compile.
struct FewWords {
  const char *text[5];

  operator Words() const { return Words(std::begin(text), std::find(std::begin(text), std::end(text), nullptr)); }
  friend std::ostream &operator<<(std::ostream &out, const FewWords &words) { return out << llvm::join(Words(words), " "); }
};

/// One option, and what Clang, the plain compiler and the plain linker are given for it.
struct Row {
  FewWords words;
  const char *clang, *compile, *link;
  friend std::ostream &operator<<(std::ostream &out, const Row &row) { return out << row.words; }
};

class NvccOptions : public testing::TestWithParam<Row> {};

TEST_P(NvccOptions, AreTranslated) {
  const Row &row = GetParam();
  Words words = row.words;
  words.push_back("a.cu");
  CompileCommand command = translate(Dialect::Nvcc, words);
  EXPECT_EQ(own(command.clangArguments, {"-std=gnu++17", "-D__CUDA_ARCH_LIST__=750"}), row.clang);
  EXPECT_EQ(own(command.hostCompileArguments, {}), row.compile);
  EXPECT_EQ(own(command.hostLinkArguments, {"a.cu"}), row.link);
  EXPECT_TRUE(command.warnings.empty()) << command.warnings.front();
  ASSERT_EQ(command.inputs.size(), 1u);
  EXPECT_EQ(command.inputs[0].path, "a.cu");
  EXPECT_EQ(command.arguments[command.inputs[0].argument].text, "a.cu");
}

INSTANTIATE_TEST_SUITE_P(Preprocessor, NvccOptions,
                         testing::ValuesIn(std::initializer_list<Row>{
                             {{"-DX"}, "-DX", "-DX", ""},
                             {{"-D", "X=1"}, "-DX=1", "-DX=1", ""},
                             {{"-D=X"}, "-DX", "-DX", ""},
                             {{"-DA=1,B"}, "-DA=1 -DB", "-DA=1 -DB", ""},
                             {{"-DF(a\\,b)=a"}, "-DF(a,b)=a", "-DF(a,b)=a", ""},
                             {{"-DS=\"a,b\""}, "-DS=\"a,b\"", "-DS=\"a,b\"", ""},
                             {{"--define-macro", "X"}, "-DX", "-DX", ""},
                             {{"--define-macro=X"}, "-DX", "-DX", ""},
                             {{"-UX,Y"}, "-UX -UY", "-UX -UY", ""},
                             {{"--undefine-macro", "X"}, "-UX", "-UX", ""},
                             {{"-Iinc"}, "-Iinc", "-Iinc", ""},
                             {{"-I", "a,b"}, "-Ia -Ib", "-Ia -Ib", ""},
                             {{"-I=inc"}, "-Iinc", "-Iinc", ""},
                             {{"--include-path=inc"}, "-Iinc", "-Iinc", ""},
                             {{"-isystem", "d"}, "-isystem d", "-isystem d", ""},
                             {{"-isystem=d,e"}, "-isystem d -isystem e", "-isystem d -isystem e", ""},
                             {{"--system-include", "d"}, "-isystem d", "-isystem d", ""},
                             {{"-include", "x.h"}, "-include x.h", "-include x.h", ""},
                             {{"-include=x.h,y.h"}, "-include x.h -include y.h", "-include x.h -include y.h", ""},
                             {{"--pre-include=x.h"}, "-include x.h", "-include x.h", ""}}));

INSTANTIATE_TEST_SUITE_P(
    Macros, NvccOptions,
    testing::ValuesIn(std::initializer_list<Row>{
        {{"--expt-relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        {{"-expt-relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        {{"--relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        {{"--extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        {{"-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        {{"--expt-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        {{"-expt-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        {{"-G"}, "-D__CUDACC_DEBUG__", "", ""},
        {{"--device-debug"}, "-D__CUDACC_DEBUG__", "", ""},
        {{"-ewp"}, "-D__CUDACC_EWP__", "", ""},
        {{"-default-stream", "per-thread"}, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", ""},
        {{"--default-stream=legacy"}, "", "", ""},
        {{"-rdc=true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"-rdc", "true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"--relocatable-device-code=true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"-rdc=false"}, "", "", ""},
        {{"-dc"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"--device-c"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"-dw"}, "", "", ""},
        {{"-dlto"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"-lto"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        {{"-r"}, "-fgpu-rdc -D__CUDACC_RDC__", "", "-r"}}));

INSTANTIATE_TEST_SUITE_P(Code, NvccOptions,
                         testing::ValuesIn(std::initializer_list<Row>{
                             {{"-O2"}, "-O2", "-O2", "-O2"},
                             {{"-O", "2"}, "-O2", "-O2", "-O2"},
                             {{"-O=2"}, "-O2", "-O2", "-O2"},
                             {{"--optimize", "3"}, "-O3", "-O3", "-O3"},
                             {{"-g"}, "", "-g", "-g"},
                             {{"-pg"}, "", "-pg", "-pg"},
                             {{"-noeh"}, "-fno-exceptions", "-fno-exceptions", ""},
                             {{"-ftemplate-depth", "9"}, "-ftemplate-depth=9", "-ftemplate-depth=9", ""},
                             {{"-frandom-seed=1"}, "", "-frandom-seed=1", ""},
                             {{"-w"}, "", "-w", ""},
                             {{"-m64"}, "", "", ""},
                             {{"-m", "64"}, "", "", ""},
                             {{"-shared"}, "", "", "-shared"},
                             {{"-lm"}, "", "", "-lm"},
                             {{"-l=m"}, "", "", "-lm"},
                             {{"--library=m,dl"}, "", "", "-lm -ldl"},
                             {{"-Ldir"}, "", "", "-Ldir"},
                             {{"-L", "a,b"}, "", "", "-La -Lb"},
                             {{"-Xlinker", "-rpath,x"}, "", "", "-Xlinker -rpath -Xlinker x"},
                             {{"--linker-options=-z"}, "", "", "-Xlinker -z"}}));

INSTANTIATE_TEST_SUITE_P(HostCompiler, NvccOptions,
                         testing::ValuesIn(std::initializer_list<Row>{
                             {{"-Xcompiler", "-DX,-Wall"}, "-DX", "-DX -Wall", "-Wall"},
                             {{"-Xcompiler=-fPIC"}, "-fPIC", "-fPIC", "-fPIC"},
                             {{"--compiler-options", "-fopenmp"}, "-fopenmp", "-fopenmp", "-fopenmp"},
                             {{"-Xcompiler", "-DS=\\\"x\\\""}, "-DS=x", "-DS=x", ""},
                             {{"-Xcompiler", "\"-DX=a b\""}, "-DX=a b", "-DX=a b", ""},
                             {{"-Xcompiler", "-fa -fb"}, "", "-fa -fb", "-fa -fb"},
                             {{"-Xcompiler", "-isystem", "-Xcompiler", "d"}, "-isystem d", "-isystem d", ""},
                             {{"-Xcompiler", "-fsanitize=address"}, "", "-fsanitize=address", "-fsanitize=address"},
                             {{"-Xcompiler", "-pthread"}, "-pthread", "-pthread", "-pthread"},
                             {{"-forward-unknown-to-host-compiler", "-fPIC"}, "-fPIC", "-fPIC", "-fPIC"}}));

/// Options that concern neither the preprocessor nor a plain C++ compiler.
class NvccOptionsForNvcc : public testing::TestWithParam<FewWords> {};

TEST_P(NvccOptionsForNvcc, AreDropped) {
  Words words = GetParam();
  words.push_back("a.cu");
  const CompileCommand command = translate(Dialect::Nvcc, words);
  EXPECT_EQ(own(command.clangArguments, {"-std=gnu++17", "-D__CUDA_ARCH_LIST__=750"}), "");
  EXPECT_TRUE(command.hostCompileArguments.empty());
  EXPECT_EQ(command.hostLinkArguments, Words{"a.cu"});
  EXPECT_TRUE(command.warnings.empty());
  ASSERT_EQ(command.inputs.size(), 1u) << "the option took the wrong number of values";
  EXPECT_EQ(command.mode, CompileMode::Link);
}

INSTANTIATE_TEST_SUITE_P(Flags, NvccOptionsForNvcc,
                         testing::ValuesIn(std::initializer_list<FewWords>{{"-lineinfo"},
                                                                           {"--generate-line-info"},
                                                                           {"-use_fast_math"},
                                                                           {"--use_fast_math"},
                                                                           {"-keep"},
                                                                           {"-save-temps"},
                                                                           {"-res-usage"},
                                                                           {"--restrict"},
                                                                           {"-extra-device-vectorization"},
                                                                           {"-src-in-ptx"},
                                                                           {"-v"},
                                                                           {"-noprof"},
                                                                           {"-objtemp"},
                                                                           {"-allow-unsupported-compiler"},
                                                                           {"-nohdinitlist"},
                                                                           {"-nohdmoveforward"},
                                                                           {"-Wreorder"},
                                                                           {"-Wdefault-stream-launch"},
                                                                           {"-Wmissing-launch-bounds"},
                                                                           {"-Wno-deprecated-gpu-targets"},
                                                                           {"-Wno-deprecated-declarations"},
                                                                           {"-Wext-lambda-captures-this"},
                                                                           {"-err-no"},
                                                                           {"-no-err-no"},
                                                                           {"-nodlink"},
                                                                           {"-no-compress"},
                                                                           {"--no-align-double"},
                                                                           {"-gen-opt-lto"},
                                                                           {"-jobserver"},
                                                                           {"-fdevice-syntax-only"},
                                                                           {"-reloc-ptx"}}));

INSTANTIATE_TEST_SUITE_P(Values, NvccOptionsForNvcc,
                         testing::ValuesIn(std::initializer_list<FewWords>{{"-Xptxas", "-v,-O3"},
                                                                           {"-Xptxas=-v"},
                                                                           {"--ptxas-options=-v"},
                                                                           {"-Xnvlink", "-v"},
                                                                           {"-Xcudafe", "--diag_suppress=1"},
                                                                           {"-Xcicc", "-x"},
                                                                           {"-Xfatbin", "-compress-all"},
                                                                           {"-Xarchive", "-v"},
                                                                           {"-maxrregcount=32"},
                                                                           {"-maxrregcount", "32"},
                                                                           {"-ftz=true"},
                                                                           {"-ftz", "true"},
                                                                           {"-prec-div=false"},
                                                                           {"-prec-sqrt", "false"},
                                                                           {"-fmad=false"},
                                                                           {"-t4"},
                                                                           {"-t", "0"},
                                                                           {"-t=2"},
                                                                           {"--threads", "2"},
                                                                           {"--split-compile=0"},
                                                                           {"-split-compile-extended", "2"},
                                                                           {"-cudart", "shared"},
                                                                           {"-cudart=static"},
                                                                           {"-cudadevrt", "none"},
                                                                           {"-keep-dir", "d"},
                                                                           {"-diag-suppress", "177,20012"},
                                                                           {"-diag-error=1"},
                                                                           {"-diag-warn", "1"},
                                                                           {"-Werror", "all-warnings"},
                                                                           {"-Werror=reorder"},
                                                                           {"-dopt", "on"},
                                                                           {"-Ofc", "max"},
                                                                           {"-opt-info", "inline"},
                                                                           {"-e", "k"},
                                                                           {"-run-args", "x"},
                                                                           {"-odir", "d"},
                                                                           {"-ldir", "d"},
                                                                           {"-target-dir", "d"},
                                                                           {"-arbin", "ar"},
                                                                           {"-ccbin", "g++-12"},
                                                                           {"-ccbin=g++-12"},
                                                                           {"--compiler-bindir=g++"},
                                                                           {"-time", "f"},
                                                                           {"-fdevice-time-trace", "f"},
                                                                           {"-brief-diag", "true"},
                                                                           {"-jtd", "3"},
                                                                           {"-compress-mode=size"},
                                                                           {"-device-stack-protector", "true"},
                                                                           {"-static-global-template-stub=false"},
                                                                           {"-device-entity-has-hidden-visibility", "true"},
                                                                           {"-sanitize", "memcheck"},
                                                                           {"-qpp-config", "x"},
                                                                           {"-hls=use-lcs"},
                                                                           {"-ftemplate-backtrace-limit", "1"}}));

INSTANTIATE_TEST_SUITE_P(NotInTheHelp, NvccOptionsForNvcc,
                         testing::ValuesIn(std::initializer_list<FewWords>{{"--uumn"},
                                                                           {"--version-ident", "true"},
                                                                           {"--version-ident=true"},
                                                                           {"--no-libdevice", "true"},
                                                                           {"--extern-mode", "external"},
                                                                           {"--nvvm-version", "nvvm70"},
                                                                           {"--no-device-inline"},
                                                                           {"--nvasm-options", "a,b"},
                                                                           {"--tool-name", "x"},
                                                                           {"-Xcicc", "-opt-byval=1"},
                                                                           {"-Xcudafe", "--diag_suppress=20012,--display_error_number"},
                                                                           {"-Xfatbin", "-compress-all"}}));

/// How far a command goes.
struct ModeRow {
  FewWords words;
  CompileMode mode;
  friend std::ostream &operator<<(std::ostream &out, const ModeRow &row) { return out << row.words; }
};

class NvccModes : public testing::TestWithParam<ModeRow> {};

TEST_P(NvccModes, AreRecognised) {
  Words words = GetParam().words;
  words.push_back("a.cu");
  EXPECT_EQ(translate(Dialect::Nvcc, words).mode, GetParam().mode);
}

INSTANTIATE_TEST_SUITE_P(Modes, NvccModes,
                         testing::ValuesIn(std::initializer_list<ModeRow>{{{"-link"}, CompileMode::Link},
                                                                          {{"-c"}, CompileMode::Compile},
                                                                          {{"--compile"}, CompileMode::Compile},
                                                                          {{"-dc"}, CompileMode::Compile},
                                                                          {{"-dw"}, CompileMode::Compile},
                                                                          {{"--device-w"}, CompileMode::Compile},
                                                                          {{"-ptx"}, CompileMode::Ptx},
                                                                          {{"--ptx"}, CompileMode::Ptx},
                                                                          {{"-cubin"}, CompileMode::Cubin},
                                                                          {{"-fatbin"}, CompileMode::Fatbin},
                                                                          {{"-optix-ir"}, CompileMode::OptixIr},
                                                                          {{"-ltoir"}, CompileMode::LtoIr},
                                                                          {{"-cuda"}, CompileMode::Assemble},
                                                                          {{"-E"}, CompileMode::Preprocess},
                                                                          {{"-M"}, CompileMode::Dependencies},
                                                                          {{"-MM"}, CompileMode::Dependencies},
                                                                          {{"-dlink"}, CompileMode::DeviceLink},
                                                                          {{"-lib"}, CompileMode::Library},
                                                                          {{"-run"}, CompileMode::Run},
                                                                          {{"--version"}, CompileMode::Query},
                                                                          {{"-h"}, CompileMode::Query},
                                                                          {{"-code-ls"}, CompileMode::Query},
                                                                          {{"--dryrun", "-c"}, CompileMode::Query},
                                                                          {{"-c", "-dryrun"}, CompileMode::Query},
                                                                          {{"-clean"}, CompileMode::Query}}));

/// Architectures as Clang names them, and the list macro.
struct ArchitectureRow {
  FewWords words;
  const char *architectures, *list;
  friend std::ostream &operator<<(std::ostream &out, const ArchitectureRow &row) { return out << row.words; }
};

class NvccArchitectures : public testing::TestWithParam<ArchitectureRow> {};

TEST_P(NvccArchitectures, AreCollected) {
  Words words = GetParam().words;
  words.push_back("a.cu");
  const CompileCommand command = translate(Dialect::Nvcc, words);
  EXPECT_EQ(llvm::join(command.architectures, " "), GetParam().architectures);
  EXPECT_EQ(own(command.clangArguments, {"-std=gnu++17"}), std::string("-D__CUDA_ARCH_LIST__=") + GetParam().list);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, NvccArchitectures,
    testing::ValuesIn(std::initializer_list<ArchitectureRow>{
        {{"-arch=sm_90a"}, "sm_90a", "900"},
        {{"-arch", "sm_80"}, "sm_80", "800"},
        {{"--gpu-architecture=compute_90"}, "sm_90", "900"},
        {{"-arch=compute_80", "-code=sm_86,compute_80"}, "sm_80", "800"},
        {{"-arch=sm_100f"}, "sm_100a", "1000"},
        {{"-arch=lto_90"}, "sm_90", "900"},
        {{"-gencode", "arch=compute_90a,code=sm_90a"}, "sm_90a", "900"},
        {{"-gencode=arch=compute_90,code=[sm_90,compute_90]"}, "sm_90", "900"},
        {{"--generate-code", "arch=compute_80,code=\"sm_80,compute_80\""}, "sm_80", "800"},
        {{"-gencode", "code=sm_86,arch=compute_80"}, "sm_80", "800"},
        {{"-gencode", "arch=compute_90a,code=sm_90a", "-gencode", "arch=compute_80,code=sm_80"}, "sm_90a sm_80", "800,900"},
        {{"-arch=sm_90", "-gencode", "arch=compute_80,code=sm_80"}, "sm_90 sm_80", "800,900"},
        {{"-arch=sm_90", "-arch=sm_80"}, "sm_80", "800"},
        {{"-arch=all-major"}, "sm_75 sm_80 sm_90 sm_100 sm_110 sm_120", "750,800,900,1000,1100,1200"},
        {{"-arch=all"},
         "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_100 sm_103 sm_110 sm_120 sm_121",
         "750,800,860,870,880,890,900,1000,1030,1100,1200,1210"},
        {{}, "sm_75", "750"}}));

TEST(NvccArchitecture, NativeWaitsForTheMachine) {
  EXPECT_EQ(translate(Dialect::Nvcc, {"-arch=native", "a.cu"}).architectures, Words{"native"});
}

TEST(NvccArchitecture, PrimaryIsTheNewest) {
  EXPECT_EQ(primaryArchitecture({"sm_80", "sm_100", "sm_90a"}), "sm_100");
  EXPECT_EQ(primaryArchitecture({"sm_90", "sm_90a"}), "sm_90a");
  EXPECT_EQ(primaryArchitecture({}), "");
}

} // namespace
} // namespace kperf
