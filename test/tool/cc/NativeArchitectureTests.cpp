// What the toolkit says of this machine's GPUs stands for "native".
#include "tool/cc/NativeArchitecture.h"
#include "tool/process/TemporaryFolder.h"

#include "test/rewriters/command/Translate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace kperf::cc {
namespace {

namespace fs = std::filesystem;

/// A compiler's folder, with a program that says which GPUs there are.
class Toolkit {
public:
  Toolkit(const std::string &name, const std::string &script) {
    const fs::path program = fs::path(folder.path()) / name;
    std::ofstream(program) << "#!/bin/sh\n" << script << '\n';
    fs::permissions(program, fs::perms::owner_all);
  }

  std::string compiler(const std::string &name) const { return folder.path() + "/" + name; }

private:
  process::TemporaryFolder folder = process::makeTemporaryFolder("toolkit").value();
};

TEST(NativeArchitecture, OfNvccIsItsDefaultWhereNoToolAnswers) {
  CompileCommand command = translate(Dialect::Nvcc, {"-arch=native", "a.cu"});
  resolveNativeArchitectures(command, "/nonexistent/bin/nvcc");
  EXPECT_EQ(command.architectures, Words{"sm_75"});
  ASSERT_EQ(command.warnings.size(), 1u);
  EXPECT_EQ(command.clangArguments.back(), "-D__CUDA_ARCH_LIST__=750");
}

TEST(NativeArchitecture, OfNvccIsWhatTheToolBesideItSays) {
  const Toolkit toolkit("__nvcc_device_query", "echo 80,90");
  CompileCommand command = translate(Dialect::Nvcc, {"-arch=native", "a.cu"});
  resolveNativeArchitectures(command, toolkit.compiler("nvcc"));
  EXPECT_EQ(command.architectures, (Words{"sm_80", "sm_90"}));
  EXPECT_TRUE(command.warnings.empty());
  EXPECT_EQ(command.clangArguments.back(), "-D__CUDA_ARCH_LIST__=800,900");
}

TEST(NativeArchitecture, IsTheDefaultWhereTheToolFails) {
  const Toolkit toolkit("__nvcc_device_query", "echo 80; exit 1");
  CompileCommand command = translate(Dialect::Nvcc, {"-arch=native", "a.cu"});
  resolveNativeArchitectures(command, toolkit.compiler("nvcc"));
  EXPECT_EQ(command.architectures, Words{"sm_75"});
}

TEST(NativeArchitecture, OfHipccLeavesOutTheProcessor) {
  const Toolkit toolkit("amdgpu-arch", "echo gfx000; echo gfx90a");
  CompileCommand command = translate(Dialect::Hipcc, {"--offload-arch=native", "a.hip"});
  ASSERT_EQ(command.architectures, Words{"native"});
  resolveNativeArchitectures(command, toolkit.compiler("hipcc"));
  EXPECT_EQ(command.architectures, Words{"gfx90a"});
}

} // namespace
} // namespace kperf::cc
