// Finds ROCm, and says which package or flag an incomplete installation needs.
#include "rewriters/command/Rocm.h"

#include "rewriters/command/Installed.h"

#include "clang/Basic/OffloadArch.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace llvm;

namespace kperf {

namespace {

bool holdsHip(StringRef folder) { return !folder.empty() && sys::fs::exists(joined(folder, "include/hip/hip_runtime.h")); }

/// The value of the last `option=value`, or an empty text.
StringRef valueOf(StringRef option, ArrayRef<std::string> arguments) {
  StringRef value;
  for (StringRef word : arguments)
    if (word.consume_front(option))
      value = word;
  return value;
}

/// The first of the folders that holds device libraries, with a name of their own for each ABI and each architecture.
std::string deviceLibrariesIn(std::initializer_list<std::string> folders) {
  for (const std::string &folder : folders)
    if (!folder.empty() && sys::fs::exists(joined(folder, "ockl.bc")))
      return folder;
  return {};
}

/// Where Debian puts them, and Clang does not look.
constexpr StringLiteral kDebianLibraries = "lib/x86_64-linux-gnu/amdgcn/bitcode";

/// "gfx90a:xnack-" → "gfx90a".
StringRef processor(StringRef name) { return name.split(':').first; }

} // namespace

Expected<std::string> findRocm(StringRef given) {
  if (given == "none")
    return std::string();
  if (!given.empty()) {
    if (holdsHip(given))
      return given.str();
    return createStringError("no ROCm at '" + given + "': expected the folder that holds include/hip/hip_runtime.h");
  }
  for (const std::string &folder :
       {fromEnvironment("ROCM_PATH"), fromEnvironment("HIP_PATH"), prefixOf("hipcc"), std::string("/opt/rocm"), std::string("/usr")})
    if (holdsHip(folder))
      return folder;
  return std::string();
}

StringRef rocmPathAmong(ArrayRef<std::string> arguments) {
  StringRef path = valueOf("--hip-path=", arguments);
  return path.empty() ? valueOf("--rocm-path=", arguments) : path;
}

Error checkAmdArchitecture(StringRef name) {
  StringRef wanted = processor(name);
  if (clang::IsAMDOffloadArch(clang::StringToOffloadArch(wanted)))
    return Error::success();
  StringRef nearest;
  unsigned distance = 3; // farther than this is another architecture
  for (int id = 0; id < static_cast<int>(clang::OffloadArch::LAST); ++id) {
    const auto arch = static_cast<clang::OffloadArch>(id);
    StringRef known = clang::OffloadArchToString(arch);
    if (unsigned edits = wanted.edit_distance(known); clang::IsAMDOffloadArch(arch) && edits < distance) {
      nearest = known;
      distance = edits;
    }
  }
  return createStringError("clang " CLANG_VERSION_MAJOR_STRING " knows no AMD architecture '" + wanted + "'" +
                           (nearest.empty() ? Twine("; rocminfo names that of this machine") : "; did you mean '" + nearest + "'?"));
}

Error checkDeviceLibraries(StringRef rocm, StringRef architecture, ArrayRef<std::string> arguments, StringRef compilerVersion) {
  if (is_contained(arguments, "-nogpulib") || is_contained(arguments, "--no-offloadlib"))
    return Error::success();
  std::string folder = deviceLibrariesIn({valueOf("--rocm-device-lib-path=", arguments).str(), fromEnvironment("HIP_DEVICE_LIB_PATH"),
                                          joined(rocm, "amdgcn/bitcode"), joined(rocm, "lib/amdgcn/bitcode")});
  if (folder.empty() && !deviceLibrariesIn({joined(rocm, kDebianLibraries)}).empty())
    return createStringError("clang does not look for ROCm's device libraries where they are: add "
                             "--rocm-device-lib-path=" +
                             joined(rocm, kDebianLibraries));
  if (folder.empty())
    return createStringError("ROCm's device libraries are not found: install rocm-device-libs, or give "
                             "--rocm-device-lib-path=FOLDER, the one that holds ockl.bc");
  StringRef version = valueOf("-mcode-object-version=", arguments);
  if (version.empty() && compilerVersion.split('.').first == CLANG_VERSION_MAJOR_STRING)
    version = "6"; // its choice
  if (!version.empty() && !sys::fs::exists(joined(folder, "oclc_abi_version_" + version + "00.bc")))
    return createStringError("the device libraries in '" + folder + "' have no code for object version " + version +
                             ", which this clang makes: add -mcode-object-version=5, or install those of a newer ROCm");
  StringRef number = processor(architecture);
  number.consume_front("gfx");
  if (!number.contains('-') && !sys::fs::exists(joined(folder, "oclc_isa_version_" + number + ".bc")))
    return createStringError("the device libraries in '" + folder + "' know no " + processor(architecture) +
                             ": install those of a newer ROCm, or give --rocm-device-lib-path=FOLDER");
  return Error::success();
}

} // namespace kperf
