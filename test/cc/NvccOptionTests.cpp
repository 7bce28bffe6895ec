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

/// One option, and what Clang, the plain compiler and the plain linker are given for it.
struct Row {
  Words words;
  std::string clang, compile, link;
  friend std::ostream &operator<<(std::ostream &out, const Row &row) { return out << llvm::join(row.words, " "); }
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
                         testing::Values(Row{{"-DX"}, "-DX", "-DX", ""}, Row{{"-D", "X=1"}, "-DX=1", "-DX=1", ""},
                                         Row{{"-D=X"}, "-DX", "-DX", ""}, Row{{"-DA=1,B"}, "-DA=1 -DB", "-DA=1 -DB", ""},
                                         Row{{"-DF(a\\,b)=a"}, "-DF(a,b)=a", "-DF(a,b)=a", ""},
                                         Row{{"-DS=\"a,b\""}, "-DS=\"a,b\"", "-DS=\"a,b\"", ""},
                                         Row{{"--define-macro", "X"}, "-DX", "-DX", ""}, Row{{"--define-macro=X"}, "-DX", "-DX", ""},
                                         Row{{"-UX,Y"}, "-UX -UY", "-UX -UY", ""}, Row{{"--undefine-macro", "X"}, "-UX", "-UX", ""},
                                         Row{{"-Iinc"}, "-Iinc", "-Iinc", ""}, Row{{"-I", "a,b"}, "-Ia -Ib", "-Ia -Ib", ""},
                                         Row{{"-I=inc"}, "-Iinc", "-Iinc", ""}, Row{{"--include-path=inc"}, "-Iinc", "-Iinc", ""},
                                         Row{{"-isystem", "d"}, "-isystem d", "-isystem d", ""},
                                         Row{{"-isystem=d,e"}, "-isystem d -isystem e", "-isystem d -isystem e", ""},
                                         Row{{"--system-include", "d"}, "-isystem d", "-isystem d", ""},
                                         Row{{"-include", "x.h"}, "-include x.h", "-include x.h", ""},
                                         Row{{"-include=x.h,y.h"}, "-include x.h -include y.h", "-include x.h -include y.h", ""},
                                         Row{{"--pre-include=x.h"}, "-include x.h", "-include x.h", ""}));

INSTANTIATE_TEST_SUITE_P(
    Macros, NvccOptions,
    testing::Values(
        Row{{"--expt-relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        Row{{"-expt-relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        Row{{"--relaxed-constexpr"}, "-D__CUDACC_RELAXED_CONSTEXPR__", "", ""},
        Row{{"--extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        Row{{"-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        Row{{"--expt-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""},
        Row{{"-expt-extended-lambda"}, "-D__CUDACC_EXTENDED_LAMBDA__", "", ""}, Row{{"-G"}, "-D__CUDACC_DEBUG__", "", ""},
        Row{{"--device-debug"}, "-D__CUDACC_DEBUG__", "", ""}, Row{{"-ewp"}, "-D__CUDACC_EWP__", "", ""},
        Row{{"-default-stream", "per-thread"}, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", ""},
        Row{{"--default-stream=legacy"}, "", "", ""}, Row{{"-rdc=true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        Row{{"-rdc", "true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        Row{{"--relocatable-device-code=true"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""}, Row{{"-rdc=false"}, "", "", ""},
        Row{{"-dc"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""}, Row{{"--device-c"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        Row{{"-dw"}, "", "", ""}, Row{{"-dlto"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""}, Row{{"-lto"}, "-fgpu-rdc -D__CUDACC_RDC__", "", ""},
        Row{{"-r"}, "-fgpu-rdc -D__CUDACC_RDC__", "", "-r"}));

INSTANTIATE_TEST_SUITE_P(
    Code, NvccOptions,
    testing::Values(Row{{"-O2"}, "-O2", "-O2", "-O2"}, Row{{"-O", "2"}, "-O2", "-O2", "-O2"}, Row{{"-O=2"}, "-O2", "-O2", "-O2"},
                    Row{{"--optimize", "3"}, "-O3", "-O3", "-O3"}, Row{{"-g"}, "", "-g", "-g"}, Row{{"-pg"}, "", "-pg", "-pg"},
                    Row{{"-noeh"}, "-fno-exceptions", "-fno-exceptions", ""},
                    Row{{"-ftemplate-depth", "9"}, "-ftemplate-depth=9", "-ftemplate-depth=9", ""},
                    Row{{"-frandom-seed=1"}, "", "-frandom-seed=1", ""}, Row{{"-w"}, "", "-w", ""}, Row{{"-m64"}, "", "", ""},
                    Row{{"-m", "64"}, "", "", ""}, Row{{"-shared"}, "", "", "-shared"}, Row{{"-lm"}, "", "", "-lm"},
                    Row{{"-l=m"}, "", "", "-lm"}, Row{{"--library=m,dl"}, "", "", "-lm -ldl"}, Row{{"-Ldir"}, "", "", "-Ldir"},
                    Row{{"-L", "a,b"}, "", "", "-La -Lb"}, Row{{"-Xlinker", "-rpath,x"}, "", "", "-Xlinker -rpath -Xlinker x"},
                    Row{{"--linker-options=-z"}, "", "", "-Xlinker -z"}));

INSTANTIATE_TEST_SUITE_P(HostCompiler, NvccOptions,
                         testing::Values(Row{{"-Xcompiler", "-DX,-Wall"}, "-DX", "-DX -Wall", "-Wall"},
                                         Row{{"-Xcompiler=-fPIC"}, "-fPIC", "-fPIC", "-fPIC"},
                                         Row{{"--compiler-options", "-fopenmp"}, "-fopenmp", "-fopenmp", "-fopenmp"},
                                         Row{{"-Xcompiler", "-DS=\\\"x\\\""}, "-DS=x", "-DS=x", ""},
                                         Row{{"-Xcompiler", "\"-DX=a b\""}, "-DX=a b", "-DX=a b", ""},
                                         Row{{"-Xcompiler", "-fa -fb"}, "", "-fa -fb", "-fa -fb"},
                                         Row{{"-Xcompiler", "-isystem", "-Xcompiler", "d"}, "-isystem d", "-isystem d", ""},
                                         Row{{"-Xcompiler", "-fsanitize=address"}, "", "-fsanitize=address", "-fsanitize=address"},
                                         Row{{"-Xcompiler", "-pthread"}, "-pthread", "-pthread", "-pthread"},
                                         Row{{"-forward-unknown-to-host-compiler", "-fPIC"}, "-fPIC", "-fPIC", "-fPIC"}));

/// Options that concern neither the preprocessor nor a plain C++ compiler.
class NvccOptionsForNvcc : public testing::TestWithParam<Words> {};

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
                         testing::Values(Words{"-lineinfo"}, Words{"--generate-line-info"}, Words{"-use_fast_math"},
                                         Words{"--use_fast_math"}, Words{"-keep"}, Words{"-save-temps"}, Words{"-res-usage"},
                                         Words{"--restrict"}, Words{"-extra-device-vectorization"}, Words{"-src-in-ptx"}, Words{"-v"},
                                         Words{"-noprof"}, Words{"-objtemp"}, Words{"-allow-unsupported-compiler"}, Words{"-nohdinitlist"},
                                         Words{"-nohdmoveforward"}, Words{"-Wreorder"}, Words{"-Wdefault-stream-launch"},
                                         Words{"-Wmissing-launch-bounds"}, Words{"-Wno-deprecated-gpu-targets"},
                                         Words{"-Wno-deprecated-declarations"}, Words{"-Wext-lambda-captures-this"}, Words{"-err-no"},
                                         Words{"-no-err-no"}, Words{"-nodlink"}, Words{"-no-compress"}, Words{"--no-align-double"},
                                         Words{"-gen-opt-lto"}, Words{"-jobserver"}, Words{"-fdevice-syntax-only"}, Words{"-reloc-ptx"}));

INSTANTIATE_TEST_SUITE_P(Values, NvccOptionsForNvcc,
                         testing::Values(Words{"-Xptxas", "-v,-O3"}, Words{"-Xptxas=-v"}, Words{"--ptxas-options=-v"},
                                         Words{"-Xnvlink", "-v"}, Words{"-Xcudafe", "--diag_suppress=1"}, Words{"-Xcicc", "-x"},
                                         Words{"-Xfatbin", "-compress-all"}, Words{"-Xarchive", "-v"}, Words{"-maxrregcount=32"},
                                         Words{"-maxrregcount", "32"}, Words{"-ftz=true"}, Words{"-ftz", "true"}, Words{"-prec-div=false"},
                                         Words{"-prec-sqrt", "false"}, Words{"-fmad=false"}, Words{"-t4"}, Words{"-t", "0"}, Words{"-t=2"},
                                         Words{"--threads", "2"}, Words{"--split-compile=0"}, Words{"-split-compile-extended", "2"},
                                         Words{"-cudart", "shared"}, Words{"-cudart=static"}, Words{"-cudadevrt", "none"},
                                         Words{"-keep-dir", "d"}, Words{"-diag-suppress", "177,20012"}, Words{"-diag-error=1"},
                                         Words{"-diag-warn", "1"}, Words{"-Werror", "all-warnings"}, Words{"-Werror=reorder"},
                                         Words{"-dopt", "on"}, Words{"-Ofc", "max"}, Words{"-opt-info", "inline"}, Words{"-e", "k"},
                                         Words{"-run-args", "x"}, Words{"-odir", "d"}, Words{"-ldir", "d"}, Words{"-target-dir", "d"},
                                         Words{"-arbin", "ar"}, Words{"-ccbin", "g++-12"}, Words{"-ccbin=g++-12"},
                                         Words{"--compiler-bindir=g++"}, Words{"-time", "f"}, Words{"-fdevice-time-trace", "f"},
                                         Words{"-brief-diag", "true"}, Words{"-jtd", "3"}, Words{"-compress-mode=size"},
                                         Words{"-device-stack-protector", "true"}, Words{"-static-global-template-stub=false"},
                                         Words{"-device-entity-has-hidden-visibility", "true"}, Words{"-sanitize", "memcheck"},
                                         Words{"-qpp-config", "x"}, Words{"-hls=use-lcs"}, Words{"-ftemplate-backtrace-limit", "1"}));

INSTANTIATE_TEST_SUITE_P(NotInTheHelp, NvccOptionsForNvcc,
                         testing::Values(Words{"--uumn"}, Words{"--version-ident", "true"}, Words{"--version-ident=true"},
                                         Words{"--no-libdevice", "true"}, Words{"--extern-mode", "external"},
                                         Words{"--nvvm-version", "nvvm70"}, Words{"--no-device-inline"}, Words{"--nvasm-options", "a,b"},
                                         Words{"--tool-name", "x"}, Words{"-Xcicc", "-opt-byval=1"},
                                         Words{"-Xcudafe", "--diag_suppress=20012,--display_error_number"},
                                         Words{"-Xfatbin", "-compress-all"}));

/// How far a command goes.
struct ModeRow {
  Words words;
  CompileMode mode;
  friend std::ostream &operator<<(std::ostream &out, const ModeRow &row) { return out << row.words.front(); }
};

class NvccModes : public testing::TestWithParam<ModeRow> {};

TEST_P(NvccModes, AreRecognised) {
  Words words = GetParam().words;
  words.push_back("a.cu");
  EXPECT_EQ(translate(Dialect::Nvcc, words).mode, GetParam().mode);
}

INSTANTIATE_TEST_SUITE_P(Modes, NvccModes,
                         testing::Values(ModeRow{{"-link"}, CompileMode::Link}, ModeRow{{"-c"}, CompileMode::Compile},
                                         ModeRow{{"--compile"}, CompileMode::Compile}, ModeRow{{"-dc"}, CompileMode::Compile},
                                         ModeRow{{"-dw"}, CompileMode::Compile}, ModeRow{{"--device-w"}, CompileMode::Compile},
                                         ModeRow{{"-ptx"}, CompileMode::Ptx}, ModeRow{{"--ptx"}, CompileMode::Ptx},
                                         ModeRow{{"-cubin"}, CompileMode::Cubin}, ModeRow{{"-fatbin"}, CompileMode::Fatbin},
                                         ModeRow{{"-optix-ir"}, CompileMode::OptixIr}, ModeRow{{"-ltoir"}, CompileMode::LtoIr},
                                         ModeRow{{"-cuda"}, CompileMode::Assemble}, ModeRow{{"-E"}, CompileMode::Preprocess},
                                         ModeRow{{"-M"}, CompileMode::Dependencies}, ModeRow{{"-MM"}, CompileMode::Dependencies},
                                         ModeRow{{"-dlink"}, CompileMode::DeviceLink}, ModeRow{{"-lib"}, CompileMode::Library},
                                         ModeRow{{"-run"}, CompileMode::Run}, ModeRow{{"--version"}, CompileMode::Query},
                                         ModeRow{{"-h"}, CompileMode::Query}, ModeRow{{"-code-ls"}, CompileMode::Query},
                                         ModeRow{{"--dryrun", "-c"}, CompileMode::Query}, ModeRow{{"-c", "-dryrun"}, CompileMode::Query},
                                         ModeRow{{"-clean"}, CompileMode::Query}));

/// Architectures as Clang names them, and the list macro.
struct ArchitectureRow {
  Words words;
  std::string architectures, list;
  friend std::ostream &operator<<(std::ostream &out, const ArchitectureRow &row) { return out << llvm::join(row.words, " "); }
};

class NvccArchitectures : public testing::TestWithParam<ArchitectureRow> {};

TEST_P(NvccArchitectures, AreCollected) {
  Words words = GetParam().words;
  words.push_back("a.cu");
  const CompileCommand command = translate(Dialect::Nvcc, words);
  EXPECT_EQ(llvm::join(command.architectures, " "), GetParam().architectures);
  EXPECT_EQ(own(command.clangArguments, {"-std=gnu++17"}), "-D__CUDA_ARCH_LIST__=" + GetParam().list);
}

INSTANTIATE_TEST_SUITE_P(
    Architectures, NvccArchitectures,
    testing::Values(ArchitectureRow{{"-arch=sm_90a"}, "sm_90a", "900"}, ArchitectureRow{{"-arch", "sm_80"}, "sm_80", "800"},
                    ArchitectureRow{{"--gpu-architecture=compute_90"}, "sm_90", "900"},
                    ArchitectureRow{{"-arch=compute_80", "-code=sm_86,compute_80"}, "sm_80", "800"},
                    ArchitectureRow{{"-arch=sm_100f"}, "sm_100a", "1000"}, ArchitectureRow{{"-arch=lto_90"}, "sm_90", "900"},
                    ArchitectureRow{{"-gencode", "arch=compute_90a,code=sm_90a"}, "sm_90a", "900"},
                    ArchitectureRow{{"-gencode=arch=compute_90,code=[sm_90,compute_90]"}, "sm_90", "900"},
                    ArchitectureRow{{"--generate-code", "arch=compute_80,code=\"sm_80,compute_80\""}, "sm_80", "800"},
                    ArchitectureRow{{"-gencode", "code=sm_86,arch=compute_80"}, "sm_80", "800"},
                    ArchitectureRow{
                        {"-gencode", "arch=compute_90a,code=sm_90a", "-gencode", "arch=compute_80,code=sm_80"}, "sm_90a sm_80", "800,900"},
                    ArchitectureRow{{"-arch=sm_90", "-gencode", "arch=compute_80,code=sm_80"}, "sm_90 sm_80", "800,900"},
                    ArchitectureRow{{"-arch=sm_90", "-arch=sm_80"}, "sm_80", "800"},
                    ArchitectureRow{{"-arch=all-major"}, "sm_75 sm_80 sm_90 sm_100 sm_110 sm_120", "750,800,900,1000,1100,1200"},
                    ArchitectureRow{{"-arch=all"},
                                    "sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_100 sm_103 sm_110 sm_120 sm_121",
                                    "750,800,860,870,880,890,900,1000,1030,1100,1200,1210"},
                    ArchitectureRow{{}, "sm_75", "750"}));

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
