// What NVTX (version 3, in its headers nvtx3/nvToolsExt.h and nvtx3/nvtxDetail/nvtxTypes.h) and a tool that it loads say to each other,
// declared here because kperf is built on machines without a toolkit. NVTX promises that none of it changes.
#ifndef KPERF_RUNTIME_NVTX_ABI_H
#define KPERF_RUNTIME_NVTX_ABI_H

#include <cstddef>
#include <cstdint>

namespace kperf::runtime::nvtx {

/// nvtxEventAttributes_t, as far as it is looked at.
struct EventAttributes {
  std::uint16_t version, size;
  std::uint32_t category;
  std::int32_t colorType;
  std::uint32_t color; ///< alpha, red, green, blue
  std::int32_t payloadType, reserved;
  std::uint64_t payload;
  std::int32_t messageType;
  union {
    const char *ascii;
    const wchar_t *wide;
    const void *registered;
  } message;
};
static_assert(sizeof(EventAttributes) == 48 && offsetof(EventAttributes, messageType) == 32);
constexpr std::int32_t kColorArgb = 1;
enum MessageType : std::int32_t { kAscii = 1, kWide = 2, kRegistered = 3 };

// Numbers of tables and of functions in them.
constexpr std::uint32_t kCallbacks = 1;
enum Module : int { kCore = 1, kDomains = 5 };
enum CoreFunction : unsigned {
  kMarkEx = 1,
  kMarkA,
  kMarkW,
  kRangeStartEx,
  kRangeStartA,
  kRangeStartW,
  kRangeEnd,
  kRangePushEx,
  kRangePushA,
  kRangePushW,
  kRangePop
};
enum DomainFunction : unsigned {
  kDomainMarkEx = 1,
  kDomainRangeStartEx,
  kDomainRangeEnd,
  kDomainRangePushEx,
  kDomainRangePop,
  kDomainRegisterStringA = 10,
  kDomainRegisterStringW,
  kDomainCreateA,
  kDomainCreateW
};

using Function = void (*)();
struct Callbacks {
  std::size_t size;
  int (*table)(Module module, Function ***out, unsigned *count); ///< of pointers to where a tool puts its functions
};
using ExportTable = const void *(*)(std::uint32_t id);
using Initialize = int (*)(ExportTable table);

/// Has NVTX find InitializeInjectionNvtx2: in this library, where it is one, unless the user has named another; in the program otherwise.
void offer();

} // namespace kperf::runtime::nvtx

extern "C" {
/// What NVTX looks for in a library that NVTX_INJECTION64_PATH names. Returns 1, or 0 where nothing is to be recorded.
int InitializeInjectionNvtx2(kperf::runtime::nvtx::ExportTable table);
/// And, without that, among what it was linked with statically: its own object defines it as null, weakly, and hides it from other
/// libraries.
extern kperf::runtime::nvtx::Initialize InitializeInjectionNvtx2_fnptr;
}

#endif
