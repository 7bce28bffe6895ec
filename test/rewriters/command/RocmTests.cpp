// Which ROCm is used, and what is said of one that lacks something. Folders stand in for installations.
#include "rewriters/command/Rocm.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kperf {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// What an error says; "" for none.
std::string said(llvm::Error error) { return llvm::toString(std::move(error)); }

class RocmTest : public testing::Test {
protected:
  RocmTest() {
    for (const char *name : {"ROCM_PATH", "HIP_PATH", "HIP_DEVICE_LIB_PATH"})
      unsetenv(name);
    std::string name = testing::TempDir() + "rocm-XXXXXX";
    root = mkdtemp(name.data());
  }
  ~RocmTest() override {
    for (const char *name : {"ROCM_PATH", "HIP_PATH", "HIP_DEVICE_LIB_PATH"})
      unsetenv(name);
    fs::remove_all(root);
  }

  /// An empty file in a folder that is made for it; the folder.
  std::string file(const std::string &folder, const std::string &name) const {
    const fs::path path = root / folder / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "";
    return (root / folder).string();
  }
  std::string installation(const std::string &folder) const { return file(folder, "include/hip/hip_runtime.h"); }

  /// Device libraries for gfx90a, in code objects of version 6.
  std::string libraries(const std::string &folder) const {
    for (const char *name : {"ockl.bc", "oclc_abi_version_600.bc", "oclc_isa_version_90a.bc"})
      file(folder, name);
    return (root / folder).string();
  }

  static std::string found(llvm::StringRef given) {
    llvm::Expected<std::string> folder = findRocm(given);
    return folder ? *folder : "error: " + llvm::toString(folder.takeError());
  }

  std::string checked(const std::string &architecture, const Words &arguments, const char *version = "22.1.8") const {
    return said(checkDeviceLibraries((root / "rocm").string(), architecture, arguments, version));
  }

  fs::path root;
};

TEST_F(RocmTest, IsTheOneThatIsGiven) {
  const std::string mine = installation("mine"), other = installation("other");
  setenv("ROCM_PATH", other.c_str(), 1);
  EXPECT_EQ(found(mine), mine);
  EXPECT_EQ(found("none"), "");
  const std::string empty = file("empty", "bin/hipcc");
  EXPECT_EQ(found(empty), "error: no ROCm at '" + empty + "': expected the folder that holds include/hip/hip_runtime.h");
}

TEST_F(RocmTest, ElseTheEnvironmentSays) {
  const std::string rocm = installation("rocm"), hip = installation("hip"), empty = file("empty", "bin/hipcc");
  setenv("HIP_PATH", hip.c_str(), 1);
  EXPECT_EQ(found(""), hip);
  setenv("ROCM_PATH", rocm.c_str(), 1);
  EXPECT_EQ(found(""), rocm);
  setenv("ROCM_PATH", empty.c_str(), 1); // which is none
  EXPECT_EQ(found(""), hip);
}

TEST_F(RocmTest, IsNamedAmongACompilersArguments) {
  EXPECT_EQ(rocmPathAmong(Words{"-O2", "--rocm-path=/a", "--rocm-path=/b"}), "/b");
  EXPECT_EQ(rocmPathAmong(Words{"--hip-path=/h", "--rocm-path=/b"}), "/h");
  EXPECT_EQ(rocmPathAmong(Words{"-O2", "a.hip"}), "");
}

TEST_F(RocmTest, ArchitecturesAreClangs) {
  EXPECT_EQ(said(checkAmdArchitecture("gfx90a")), "");
  EXPECT_EQ(said(checkAmdArchitecture("gfx90a:sramecc+:xnack-")), "");
  EXPECT_EQ(said(checkAmdArchitecture("gfx90aa")), "clang 22 knows no AMD architecture 'gfx90aa'; did you mean 'gfx90a'?");
  EXPECT_EQ(said(checkAmdArchitecture("vega")), "clang 22 knows no AMD architecture 'vega'; rocminfo names that of this machine");
  const std::string nvidia = said(checkAmdArchitecture("sm_90")); // known, but not AMD's, and nothing near it is
  EXPECT_EQ(nvidia, "clang 22 knows no AMD architecture 'sm_90'; rocminfo names that of this machine");
}

TEST_F(RocmTest, DeviceLibrariesAreWhereTheCommandOrTheEnvironmentSays) {
  const std::string mine = libraries("mine");
  EXPECT_EQ(checked("gfx90a", {}),
            "ROCm's device libraries are not found: install rocm-device-libs, or give --rocm-device-lib-path=FOLDER, "
            "the one that holds ockl.bc");
  EXPECT_EQ(checked("gfx90a", {"--rocm-device-lib-path=" + mine}), "");
  setenv("HIP_DEVICE_LIB_PATH", mine.c_str(), 1);
  EXPECT_EQ(checked("gfx90a", {}), "");
}

TEST_F(RocmTest, DeviceLibrariesAreInTheInstallation) {
  libraries("rocm/lib/amdgcn/bitcode");
  EXPECT_EQ(checked("gfx90a", {}), "");
  const std::string first = file("rocm/amdgcn/bitcode", "ockl.bc"); // which Clang looks at first
  EXPECT_EQ(checked("gfx90a", {}),
            "the device libraries in '" + first +
                "' have no code for object version 6, which this clang makes: add -mcode-object-version=5, or install "
                "those of a newer ROCm");
}

TEST_F(RocmTest, DebiansDeviceLibrariesHaveToBeNamed) {
  const std::string folder = libraries("rocm/lib/x86_64-linux-gnu/amdgcn/bitcode");
  EXPECT_EQ(checked("gfx90a", {}), "clang does not look for ROCm's device libraries where they are: add --rocm-device-lib-path=" + folder);
  EXPECT_EQ(checked("gfx90a", {"--rocm-device-lib-path=" + folder}), "");
}

TEST_F(RocmTest, WithoutDeviceLibrariesNoneAreLookedFor) {
  EXPECT_EQ(checked("gfx90a", {"-nogpulib"}), "");
  EXPECT_EQ(checked("gfx90a", {"--no-offloadlib"}), "");
}

TEST_F(RocmTest, DeviceLibrariesAreOfTheCodeObjectsVersion) {
  libraries("rocm/amdgcn/bitcode");
  EXPECT_NE(checked("gfx90a", {"-mcode-object-version=5"}).find("no code for object version 5"), std::string::npos);
  file("rocm/amdgcn/bitcode", "oclc_abi_version_500.bc");
  EXPECT_EQ(checked("gfx90a", {"-mcode-object-version=5"}), "");
  fs::remove(root / "rocm/amdgcn/bitcode/oclc_abi_version_600.bc");
  EXPECT_NE(checked("gfx90a", {}).find("no code for object version 6"), std::string::npos);
  EXPECT_EQ(checked("gfx90a", {}, "15.0.6"), ""); // what another Clang chooses is not known
}

TEST_F(RocmTest, DeviceLibrariesAreOfTheArchitecture) {
  const std::string folder = libraries("rocm/amdgcn/bitcode");
  EXPECT_EQ(checked("gfx90a:xnack-", {}), "");
  EXPECT_EQ(checked("gfx1100:xnack-", {}), "the device libraries in '" + folder +
                                               "' know no gfx1100: install those of a newer ROCm, or give --rocm-device-lib-path=FOLDER");
  EXPECT_EQ(checked("gfx11-generic", {}), ""); // a family has none of its own
}

} // namespace
} // namespace kperf
