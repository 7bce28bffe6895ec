// Finds the toolkit and builds Clang's command line.
#include "rewriters/Toolkit.h"

#include "rewriters/command/CommandLine.h"
#include "rewriters/command/Installed.h"
#include "rewriters/command/ProbeStandard.h"
#include "rewriters/command/Rocm.h"
#include "rewriters/source/ContentHash.h"

#include "clang/Basic/Cuda.h"
#include "clang/Basic/Version.h"
#include "clang/Options/OptionUtils.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

namespace kperf {

namespace {

std::optional<Toolkit> toolkitAt(StringRef folder) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> header = MemoryBuffer::getFile(joined(folder, "include/cuda.h"));
  if (folder.empty() || !header)
    return std::nullopt;
  StringRef version = (*header)->getBuffer().split("#define CUDA_VERSION ").second.ltrim();
  unsigned number = 0;
  if (version.consumeInteger(10, number))
    return std::nullopt;
  return Toolkit{folder.str(), number / 1000, number % 1000 / 10};
}

/// Clang's own headers lie beside its library, or, where Clang is in the program, beside kperf's.
std::string resourceDirectory() {
  Dl_info library;
  std::vector<std::string> folders;
  if (dladdr(reinterpret_cast<void *>(&clang::getClangFullVersion), &library) && library.dli_fname)
    folders.push_back(joined(sys::path::parent_path(library.dli_fname), "clang/" CLANG_VERSION_MAJOR_STRING));
  const std::string program = sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&resourceDirectory));
  folders.push_back(joined(sys::path::parent_path(sys::path::parent_path(program)), "lib/kperf/clang/" CLANG_VERSION_MAJOR_STRING));
  for (const std::string &folder : folders)
    if (sys::fs::exists(joined(folder, "include/__clang_cuda_runtime_wrapper.h")))
      return folder;
  return KPERF_CLANG_RESOURCE_DIR;
}

void append(std::vector<std::string> &command, std::initializer_list<StringRef> words) {
  for (StringRef word : words)
    command.push_back(word.str());
}

/// The folder of the newest GCC's own headers: <omp.h> and its like, which nvcc's host compiler finds and Clang has none of.
std::string gccHeaders() {
  std::pair<unsigned, std::string> newest;
  std::error_code error;
  for (StringRef root : {"/usr/lib/gcc", "/usr/lib64/gcc"})
    for (sys::fs::directory_iterator target(root, error), end; !error && target != end; target.increment(error)) {
      std::error_code inner;
      for (sys::fs::directory_iterator version(target->path(), inner); !inner && version != end; version.increment(inner)) {
        unsigned major = 0;
        StringRef name = sys::path::filename(version->path());
        std::string folder = joined(version->path(), "include");
        if (!name.split('.').first.getAsInteger(10, major) && sys::fs::exists(joined(folder, "omp.h")))
          newest = std::max(newest, {major, folder});
      }
    }
  return newest.second;
}

/// nvcc's family architectures, sm_100f, have no name in Clang.
std::string clangArchitectureOf(StringRef architecture) {
  if (architecture.consume_back("f"))
    return architecture.str() + "a";
  return architecture.str();
}

/// What to think of when a toolkit's headers don't parse.
std::string doubtOf(const Toolkit &toolkit) {
  constexpr unsigned kOldestMajor = 7; // clang::CudaVersion begins there
  StringRef newest = clang::CudaVersionToString(clang::CudaVersion::CUDA_130);
  auto [majorText, minorText] = newest.split('.');
  unsigned major = 0, minor = 0;
  if (majorText.getAsInteger(10, major) || minorText.getAsInteger(10, minor))
    return {};
  if (toolkit.major >= kOldestMajor && std::pair(toolkit.major, toolkit.minor) <= std::pair(major, minor))
    return {};
  return formatv("CUDA {0}.{1} at '{2}' is none that clang " CLANG_VERSION_MAJOR_STRING " knows, which are {3}.0 to {4}: "
                 "--cuda-path=FOLDER names another toolkit",
                 toolkit.major, toolkit.minor, toolkit.path, kOldestMajor, newest);
}

/// Those of a command's macros that may be names of the toolkit's parameters: its own macros have an underscore.
std::vector<std::string> plainMacros(ArrayRef<std::string> arguments) {
  std::vector<std::string> names = definedMacros(arguments);
  erase_if(names, [](StringRef name) { return name.contains('_'); });
  return names;
}

/// Clang's first header includes some that nvcc does not, and that have parameters named N: the text in which a
/// macro of the command, such as -DN=1024, does not reach them.
std::string withHiddenMacros(StringRef header, ArrayRef<std::string> macros) {
  std::string text = header.str();
  for (StringRef name : {"\"cuda.h\"", "<__clang_cuda_texture_intrinsics.h>", "\"curand_mtgp32_kernel.h\""}) {
    const std::string include = ("#include " + name + "\n").str();
    const std::size_t at = text.find(include);
    if (at == std::string::npos)
      continue;
    text.replace(at, include.size(), withoutMacros(include, macros));
  }
  return text;
}

/// What Clang does itself for NVIDIA's own layout. Distributions and conda have libdevice elsewhere, which parsing needs none of, or
/// nothing but headers in the folder, which Clang then takes for no toolkit.
void addLayout(const Toolkit &toolkit, ParseSetup &setup) {
  const bool hasPrograms = sys::fs::is_directory(joined(toolkit.path, "bin"));
  if (hasPrograms && sys::fs::is_directory(joined(toolkit.path, "nvvm/libdevice")))
    return;
  append(setup.command, {"-nogpulib", "-Xclang", formatv("-target-sdk-version={0}.{1}", toolkit.major, toolkit.minor).str()});
  if (!hasPrograms)
    append(setup.command, {"-nocudainc", "-isystem", joined(toolkit.path, "include"), "-include", "__clang_cuda_runtime_wrapper.h"});
}

void addCuda(const RewriteRequest &request, const Toolkit &toolkit, StringRef headers, StringRef resources, ParseSetup &setup) {
  setup.architecture = clangArchitectureOf(request.architecture.empty() ? StringRef("sm_90a") : StringRef(request.architecture));
  append(setup.command,
         {"-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + setup.architecture, "--cuda-path=" + toolkit.path, "-fgpu-rdc"});
  addLayout(toolkit, setup);
  std::string cccl = joined(toolkit.path, "include/cccl");
  if (sys::fs::is_directory(cccl))
    append(setup.command, {"-isystem", cccl});
  append(setup.command, {"-DKPERF_NVCC_MAJOR=" + std::to_string(toolkit.major), "-DKPERF_NVCC_MINOR=" + std::to_string(toolkit.minor),
                         "-include", "kperf/clang/nvcc.h"});
  // The wrapper header that Clang includes first takes this one from beside itself, so a search path can't replace it.
  std::string ours = joined(headers, "kperf/clang/__clang_cuda_builtin_vars.h");
  if (ErrorOr<std::unique_ptr<MemoryBuffer>> header = MemoryBuffer::getFile(ours))
    setup.files.push_back({joined(resources, "include/__clang_cuda_builtin_vars.h"), (*header)->getBuffer().str()});
  const std::string first = joined(resources, "include/__clang_cuda_runtime_wrapper.h");
  if (const auto macros = plainMacros(request.clangArguments); !macros.empty())
    if (ErrorOr<std::unique_ptr<MemoryBuffer>> header = MemoryBuffer::getFile(first))
      setup.files.push_back({first, withHiddenMacros((*header)->getBuffer(), macros)});
  setup.prelude.lastInclude = "kperf/clang/nvcc.h";
  for (const FileText &file : setup.files)
    setup.prelude.identity += contentHash(file.text);
}

/// No toolkit: kperf's own headers for the CPU, which a CUDA parse understands too.
void addHost(StringRef headers, ParseSetup &setup) {
  setup.architecture = "host";
  append(setup.command, {"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-isystem", joined(headers, "kperf/host/toolkit"),
                         "-include", "cuda_runtime.h"});
  setup.prelude.lastInclude = "cuda_runtime.h";
}

/// Device code as hipcc compiles it, without the device libraries, which only code needs.
Error addHip(const RewriteRequest &request, const std::string &rocm, ParseSetup &setup) {
  setup.architecture = request.architecture.empty() ? kDefaultAmdArchitecture.str() : request.architecture;
  if (Error error = checkAmdArchitecture(setup.architecture))
    return error;
  append(setup.command, {"-x", "hip", "--cuda-device-only", "--offload-arch=" + setup.architecture, "--rocm-path=" + rocm, "-nogpulib",
                         "-D__HIPCC__=1", "-include", "kperf/clang/hipcc.h"});
  setup.prelude.lastInclude = "kperf/clang/hipcc.h";
  setup.folders.push_back(rocm);
  return Error::success();
}

/// HIP's names for what the toolkit's or the host target's headers have.
void addHipOnCuda(StringRef headers, Target target, ParseSetup &setup) {
  append_range(setup.command, hipMacros(target));
  append(setup.command, {"-isystem", hipOnCudaDirectory(headers)});
}

} // namespace

std::string hipOnCudaDirectory(StringRef kperfIncludeDirectory) { return joined(kperfIncludeDirectory, "kperf/hip_on_cuda"); }

std::vector<std::string> hipMacros(Target target) {
  return {"-D__HIPCC__=1", target == Target::Cuda ? "-D__HIP_PLATFORM_NVIDIA__=1" : "-D__HIP_PLATFORM_AMD__=1"};
}

std::string kperfIncludeDirectory() {
  std::string program = sys::fs::getMainExecutable(nullptr, reinterpret_cast<void *>(&kperfIncludeDirectory));
  std::string installed = joined(sys::path::parent_path(sys::path::parent_path(program)), "include");
  if (sys::fs::exists(joined(installed, "kperf/annotate.h")))
    return installed;
  SmallString<256> ofSource(joined(sys::path::parent_path(program), KPERF_INCLUDE_DIR_FROM_BUILD));
  sys::path::remove_dots(ofSource, /*remove_dot_dot=*/true);
  return ofSource.str().str();
}

Expected<Toolkit> findToolkit(StringRef given) {
  if (given == "none")
    return Toolkit{};
  if (!given.empty()) {
    if (std::optional<Toolkit> toolkit = toolkitAt(given))
      return *toolkit;
    return createStringError("no CUDA toolkit at '" + given + "': expected the folder that holds include/cuda.h");
  }
  for (const std::string &folder :
       {fromEnvironment("CUDA_HOME"), fromEnvironment("CUDA_PATH"), prefixOf("nvcc"), std::string("/usr/local/cuda")})
    if (std::optional<Toolkit> toolkit = toolkitAt(folder))
      return *toolkit;
  return Toolkit{};
}

Expected<ParseSetup> parseSetup(const RewriteRequest &request) {
  ParseSetup setup;
  std::string resources = resourceDirectory();
  std::string headers = request.includeDirectory.empty() ? kperfIncludeDirectory() : request.includeDirectory;
  setup.prelude.folder = headers;
  setup.command = {"clang++", "-fsyntax-only", "-resource-dir", resources};
  append(setup.command, {"-ferror-limit=0", "-fno-caret-diagnostics", "-Wno-unknown-cuda-version", "-Wno-c++11-narrowing", "-Wno-register",
                         "-Wno-missing-template-arg-list-after-template-kw", "-DKPERF_REWRITING", "-I", headers});
  if (none_of(request.clangArguments, [](StringRef word) { return word.starts_with("-std="); }))
    append(setup.command, {"-std=gnu++17"});
  setup.headers = headers;
  setup.folders = {resources, headers, "/usr/include", "/usr/lib"};
  if (request.target == Target::Hip) {
    Expected<std::string> rocm = findRocm(request.toolkit.empty() ? rocmPathAmong(request.clangArguments) : StringRef(request.toolkit));
    if (!rocm)
      return rocm.takeError();
    if (!rocm->empty()) {
      if (Error error = addHip(request, *rocm, setup))
        return error;
      append_range(setup.command, withProbeStandard(request.clangArguments));
      return setup;
    }
  }
  Toolkit toolkit;
  if (request.target == Target::Cuda) {
    Expected<Toolkit> found = findToolkit(request.toolkit);
    if (!found)
      return found.takeError();
    toolkit = *found;
    append(setup.command, {"-fgnu-keywords"}); // nvcc takes typeof under -std=c++17 too, with the macros of that
  }
  if (!toolkit.path.empty())
    setup.folders.push_back(toolkit.path);
  if (toolkit.path.empty())
    addHost(headers, setup);
  else {
    addCuda(request, toolkit, headers, resources, setup);
    setup.toolkitDoubt = doubtOf(toolkit);
  }
  if (request.isHip)
    addHipOnCuda(headers, toolkit.path.empty() ? Target::Host : request.target, setup);
  append_range(setup.command, withProbeStandard(request.clangArguments));
  if (std::string folder = gccHeaders(); !folder.empty() && request.target != Target::Host)
    append(setup.command, {"-idirafter", folder});
  return setup;
}

} // namespace kperf
