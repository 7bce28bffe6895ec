// Reads the command lines of nvcc, hipcc, clang++ and C++ compilers: what they compile, and with which options Clang parses it.
#ifndef KPERF_REWRITERS_COMMANDLINE_H
#define KPERF_REWRITERS_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace kperf {

/// Whose spellings a command line uses. Host is a plain C++ compiler that is also given nvcc's options: both are
/// understood.
enum class Dialect { Nvcc, Hipcc, Clang, Host };

enum class Language { C, Cxx, Cuda, Hip, Object }; ///< Object: whatever goes to the linker or assembler unread

/// How far the command goes; the names are those of nvcc's options.
enum class CompileMode {
  Link,         ///< compile what is source, then link; with no source it only links
  Compile,      ///< -c, -dc, -dw
  Assemble,     ///< -S, and nvcc's --cuda
  Ptx,          ///< --ptx
  Cubin,        ///< --cubin
  Fatbin,       ///< --fatbin
  OptixIr,      ///< --optix-ir
  LtoIr,        ///< --ltoir
  Preprocess,   ///< -E
  Dependencies, ///< -M, -MM
  SyntaxOnly,   ///< -fsyntax-only
  DeviceLink,   ///< --device-link
  Library,      ///< --lib
  Run,          ///< --run
  Query,        ///< --help, --version, --dryrun, …: nothing is compiled
};

/// What one element of the argument vector is to a wrapper that edits the vector and hands it on.
enum class ArgumentRole {
  Option,        ///< anything without a more special role below
  Value,         ///< the separate value of the option before it
  Input,         ///< a file to compile or link
  Output,        ///< the separate value of -o
  IncludePath,   ///< `-IDIR`, or the value of a separate `-I`
  SystemInclude, ///< the same for -isystem
  QuoteInclude,  ///< the same for -iquote
};

struct Argument {
  std::string text;
  ArgumentRole role = ArgumentRole::Option;
  bool isSeparateValue = false; ///< it belongs to the option before it, as `DIR` of `-I DIR` does, and `-IDIR` does not
};

struct Input {
  static constexpr std::size_t kNotAnArgument = ~std::size_t{0};

  std::string path;
  Language language = Language::Object;
  std::size_t argument = 0;         ///< index into CompileCommand::arguments; kNotAnArgument: from the environment
  std::size_t hostLinkArgument = 0; ///< index into CompileCommand::hostLinkArguments

  bool isStandardInput() const { return path == "-"; }
  bool isSource() const { return language != Language::Object; }
  bool isDevice() const { return language == Language::Cuda || language == Language::Hip; }
};

struct DependencyOptions {
  bool wanted = false;              ///< -MD or -MMD: a dependency file is a by-product
  bool systemHeaders = true;        ///< false for -MMD and -MM
  bool phonyTargets = false;        ///< -MP
  std::string file;                 ///< -MF; empty: the compiler derives it
  std::vector<std::string> targets; ///< -MT, -MQ
};

struct CompileCommand {
  Dialect dialect = Dialect::Nvcc;
  CompileMode mode = CompileMode::Link;
  std::vector<Input> inputs; ///< in command order
  /// For Clang's front end, without architecture, language, input and output options: -D -U -I -isystem -iquote
  /// -include -std (always there) -f… -fgpu-rdc, and the macros nvcc would have defined.
  std::vector<std::string> clangArguments;
  /// For a plain C++ compiler, without inputs, mode, output, language and dependency options.
  std::vector<std::string> hostCompileArguments;
  /// For linking with a plain C++ compiler, every input at its place, without mode and output.
  std::vector<std::string> hostLinkArguments;
  /// The architectures that are preprocessed, as Clang names them ("sm_90a", "gfx90a:xnack-"), in order, each once;
  /// nvcc's default when none is given. "native" stays as it is: who runs the compiler can ask the machine.
  std::vector<std::string> architectures;
  std::string output;          ///< -o; empty: the compiler derives it
  std::string outputDirectory; ///< nvcc's -odir: where dependency rules say that the output is
  std::string toolkit;         ///< --cuda-path; empty when not given
  std::string hostCompiler;    ///< nvcc's -ccbin; empty when not given
  DependencyOptions dependencies;
  bool relocatable = false;          ///< -rdc=true, -dc, -dlto, -fgpu-rdc
  bool shared = false;               ///< the link makes a shared library
  bool relocatableLink = false;      ///< the link makes an object (-r)
  std::vector<Argument> arguments;   ///< the whole command, option files expanded, in the original order
  std::vector<std::string> warnings; ///< one line each, for people

  /// Whether an executable or a shared library comes out.
  bool links() const { return mode == CompileMode::Link || mode == CompileMode::Run; }
  /// Whether sources are turned into code, so that instrumenting them has an effect.
  bool generatesCode() const;
  bool hasSource() const;
  bool hasDeviceSource() const;
};

/// Where option files are found and which environment applies; tests pass their own.
struct TranslateContext {
  std::string directory;                                ///< the command's working directory; empty: the process's
  std::optional<std::string> prependFlags, appendFlags; ///< values of NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS
  std::optional<std::string> hipccFlags;                ///< value of HIPCC_COMPILE_FLAGS_APPEND
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = llvm::vfs::getRealFileSystem(); ///< where option files are

  /// The process's own directory and environment.
  static TranslateContext fromEnvironment();
};

/// Translates the arguments that follow the compiler itself. Fails on an option file that cannot be read or includes
/// itself, an unterminated quotation, and an option that lacks its value. Options that are not known are kept in
/// `arguments`, dropped for Clang, and named in `warnings` once each. Environment flags are understood but are not part
/// of `arguments`: nvcc reads them itself. A source that they name is an Object, with a warning, for no copy could
/// take its place.
llvm::Expected<CompileCommand> translateCommand(Dialect dialect, llvm::ArrayRef<std::string> arguments,
                                                const TranslateContext &context = TranslateContext::fromEnvironment());

/// The same for the host target, of a command that is written for a compiler whose place it takes: words mean what they mean to that one,
/// and the result is of Dialect::Host.
llvm::Expected<CompileCommand> translateForHost(Dialect written, llvm::ArrayRef<std::string> arguments,
                                                const TranslateContext &context = TranslateContext::fromEnvironment());

/// Names of the macros that Clang's arguments define, each once.
std::vector<std::string> definedMacros(llvm::ArrayRef<std::string> clangArguments);

/// Those that may be names in kperf's headers: kperf's own macros and those that a vendor's headers ask for are words in capitals.
std::vector<std::string> macrosAmongNames(std::vector<std::string> macros);

/// Lines of source between others that take these macros away and give them back.
std::string withoutMacros(llvm::StringRef lines, llvm::ArrayRef<std::string> macros);

/// The architecture to read the source for when one reading has to do: the newest, with its accelerated features before
/// without. Empty when the command has none.
std::string primaryArchitecture(llvm::ArrayRef<std::string> architectures);

/// The dialect of a compiler by its file name ("/opt/bin/nvcc" → Nvcc, "clang++-22" → Clang, "g++-12", "c++" → Host),
/// or nothing when the name is not a compiler's.
std::optional<Dialect> dialectOfCompiler(llvm::StringRef program);

} // namespace kperf

#endif
