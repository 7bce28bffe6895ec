# The text tests: how they are found, which tools they call, and what this machine offers them.
import os
import shutil
import subprocess

import lit.formats

config.name = "kperf"
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params.get("out", os.path.join(config.kperf_build, "test"))
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".cu", ".hip", ".txt"]
config.excludes = ["Inputs", "CMakeLists.txt", "fuzz", "bench", "gpu"]

bin_dir = os.path.join(config.kperf_build, "bin")
# What mutate.py and the like put in place of some of the programs.
instead = [lit_config.params["programs"]] if "programs" in lit_config.params else []
config.environment["PATH"] = os.pathsep.join([*instead, bin_dir, config.llvm_tools, os.environ["PATH"]])
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["COLUMNS"] = "80"  # tables as on a screen
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["KPERF_CACHE"] = os.path.join(config.kperf_build, "test", "cache")
for name in ("CUDA_VISIBLE_DEVICES", "KPERF_TOOLKITS", "CUDA_PATH", "ROCM_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "ASAN_OPTIONS",
             "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# A rewritten source carries the source's own comments: a directive in one of them must not be what the directive finds.
config.substitutions.append((r"\| *FileCheck\b", r"| sed '/^ *\/\/ *[A-Z][A-Z-]*\(-[0-9]*\)\{0,1\}:/d' | FileCheck"))
config.substitutions += [
    ("%kperf_src", config.kperf_source),
    ("%kperf_build", config.kperf_build),
    ("%kperf_include", os.path.join(config.kperf_source, "runtime", "include")),
    ("%host_cxx", config.host_cxx),
    ("%host_clang", config.host_clang),
    # what is linked with the others' objects: the compilers' sanitizers are not the same, and a program can have one
    ("%second_cxx", config.host_clang if config.sanitizes_programs else config.host_cxx),
    ("%clang", os.path.join(config.llvm_tools, "clang++")),
    ("%cmake", config.cmake),
    ("%python", config.python),
    # one architecture, with its accelerated features: nvcc's -arch=sm_90a would also compile for compute_90
    ("%sm90a", "-gencode arch=compute_90a,code=sm_90a"),
]


def has_gpu():
    """An NVIDIA GPU that the driver answers for."""
    if not shutil.which("nvidia-smi"):
        return False
    listing = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True)
    return listing.returncode == 0 and "GPU 0" in listing.stdout


for tool in ("nvcc", "nvdisasm", "cuobjdump", "ptxas", "hipcc", "bash", "g++", "protoc", "chromium", "mpirun", "make", "zsh", "fish", "meson",
             "bazel", "clangd"):
    if shutil.which(tool):
        config.available_features.add(tool)
clang_format = os.path.join(config.llvm_tools, "clang-format")
if os.path.exists(clang_format):
    config.available_features.add("clang-format")
    config.substitutions.append(("%formatter", clang_format))
if shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps") and shutil.which("cpack"):
    config.available_features.add("dpkg")
nvcc = shutil.which("nvcc")
toolkit = os.path.dirname(os.path.dirname(os.path.realpath(nvcc))) if nvcc else "/usr/local/cuda"
if os.path.exists(os.path.join(toolkit, "include/nvtx3/nvToolsExt.h")):
    config.available_features.add("nvtx")
    config.substitutions.append(("%nvtx3", os.path.join(toolkit, "include/nvtx3")))
if shutil.which("clang++"):
    config.available_features.add("system-clang")
    config.substitutions.append(("%system_clang", shutil.which("clang++")))
if os.path.exists(os.path.join(config.llvm_tools, "clang++")):
    config.available_features.add("clang-22")
    # what 'kperf-cc host' calls in most tests: it takes a third of the time that g++ does, which has tests of its own
    config.environment["KPERF_HOST_CXX"] = config.host_clang
if os.path.exists(os.path.join(bin_dir, "kperf-rewrite")):
    config.available_features.add("kperf-rewrite")
rocm = [os.environ.get("ROCM_PATH", "/opt/rocm"), "/usr"]
if any(os.path.exists(os.path.join(root, "include/hip/hip_runtime.h")) for root in rocm):
    config.available_features.add("rocm")
    libraries = ("amdgcn/bitcode", "lib/x86_64-linux-gnu/amdgcn/bitcode")
    if any(os.path.exists(os.path.join(root, folder, "ockl.bc")) for root in rocm for folder in libraries):
        config.available_features.add("rocm-device-libs")
if config.sanitizes_programs:
    config.available_features.add("sanitized-programs")
if config.build_type == "Release":
    config.available_features.add("release-build")
if has_gpu():
    config.available_features.add("gpu")
# Tests that build many programs, for about nine seconds of one core and more; './dev test' leaves them to './dev long-tests'.
if not lit_config.params.get("without_long"):
    config.available_features.add("long")

# A test that hangs is a failure, not a stuck run; lit needs psutil to end one.
if lit_config.maxIndividualTestTime == 0:
    try:
        import psutil  # noqa: F401

        lit_config.maxIndividualTestTime = 300
    except ImportError:
        pass
