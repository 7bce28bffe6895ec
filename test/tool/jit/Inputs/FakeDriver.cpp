// A libcuda.so.1 without a GPU: modules are cubins whose variables lie in host memory, and each launch of a kernel is one warp that was
// recorded, in the kernel's own region only. For tests of kperf run.
#include <kperf/abi/ClockMailbox.h>
#include <kperf/abi/module.h>
#include <kperf/format.h>

#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Module {
  std::map<std::string, std::vector<char>> variables;
  std::vector<std::string> kernels;
};

struct Function {
  Module *module;
  std::string name;
};

int context;
const std::uint64_t begunNs = kperf::detail::hostNs(); ///< of the device's clock
void *current = nullptr;

std::vector<char> contents(const char *image, const Elf64_Shdr *sections, const Elf64_Sym &symbol) {
  std::vector<char> bytes(symbol.st_size);
  const Elf64_Shdr &section = sections[symbol.st_shndx];
  if (section.sh_type != SHT_NOBITS)
    std::memcpy(bytes.data(), image + section.sh_offset + symbol.st_value, bytes.size());
  return bytes;
}

Module *moduleOf(const char *image) {
  auto *module = new Module;
  const auto &header = *reinterpret_cast<const Elf64_Ehdr *>(image);
  const auto *sections = reinterpret_cast<const Elf64_Shdr *>(image + header.e_shoff);
  for (unsigned index = 0; index < header.e_shnum; ++index) {
    const Elf64_Shdr &table = sections[index];
    if (table.sh_type != SHT_SYMTAB)
      continue;
    const char *const names = image + sections[table.sh_link].sh_offset;
    const auto *symbols = reinterpret_cast<const Elf64_Sym *>(image + table.sh_offset);
    for (std::size_t row = 0; row < table.sh_size / sizeof(*symbols); ++row)
      if (ELF64_ST_TYPE(symbols[row].st_info) == STT_OBJECT && symbols[row].st_shndx < header.e_shnum)
        module->variables[names + symbols[row].st_name] = contents(image, sections, symbols[row]);
      else if (ELF64_ST_TYPE(symbols[row].st_info) == STT_FUNC && ELF64_ST_BIND(symbols[row].st_info) == STB_GLOBAL)
        module->kernels.push_back(names + symbols[row].st_name);
  }
  return module;
}

/// A warp of the first kernel that the module's table has: 1000 cycles from its launch on.
void record(const Function &function) {
  const auto config = function.module->variables.find("kperf_config");
  const auto table = function.module->variables.find("kperf_table_regions");
  if (config == function.module->variables.end() || table == function.module->variables.end())
    return;
  const auto &filled = *reinterpret_cast<const kperf_device_config *>(config->second.data());
  if (filled.arena == 0)
    return;
  auto &part = *reinterpret_cast<kperf_arena_part *>(filled.parts);
  auto *slot = reinterpret_cast<kperf::format::WarpHeader *>(filled.arena + part.used_bytes);
  static std::uint64_t launches = 0;
  slot->gridId = ++launches;
  slot->kernel = static_cast<std::uint32_t>(std::strtoul(std::strstr(table->second.data(), "{0x") + 1, nullptr, 16));
  slot->gridX = 1, slot->gridY = slot->gridZ = slot->blockY = slot->blockZ = 1, slot->blockX = 32;
  slot->startNs = kperf::detail::hostNs() - begunNs, slot->endNs = slot->startNs + 1'000;
  slot->startCycles = launches * 10'000, slot->endCycles = slot->startCycles + 1'000;
  slot->slotBytes = sizeof(*slot);
  slot->flags = kperf::format::kWarpFinished;
  part.used_bytes += sizeof(*slot);
}

std::thread clockKernel;

/// What the kernel of that name does, which is host code here.
void answerClock(volatile kperf::detail::ClockWord *mailbox) {
  for (std::uint32_t round = 0; round < kperf::detail::kClockRounds; ++round) {
    const std::uint64_t host = mailbox[0];
    mailbox[kperf::detail::kFirstDeviceClock + round] = kperf::detail::hostNs() - begunNs;
    mailbox[kperf::detail::kFirstHostClock + round] = host;
  }
}

} // namespace

extern "C" {
int cuInit(unsigned) { return 0; }
int cuGetExportTable(const void **, const void *) { return 500; } // NVRTC asks
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuDeviceGet(int *device, int) { return *device = 0, 0; }
int cuDeviceGetName(char *name, int bytes, int) { return std::strncpy(name, "Fake GPU", bytes), 0; }
int cuDeviceGetAttribute(int *value, int which, int) { return *value = which == 75 ? 9 : which == 10 ? 32 : which == 16 ? 132 : 0, 0; }
int cuDeviceGetUuid_v2(unsigned char *uuid, int) { return std::memset(uuid, 1, 16), 0; }
int cuDevicePrimaryCtxRetain(void **out, int) { return *out = &context, 0; }
int cuCtxSetCurrent(void *to) { return current = to, 0; }
int cuCtxGetCurrent(void **out) { return *out = current, 0; }
int cuCtxGetDevice(int *device) { return current ? (*device = 0, 0) : 201; }
int cuCtxSynchronize() { return 0; }
int cuGetErrorString(int, const char **text) { return *text = "an error of the fake driver", 0; }
int cuMemGetInfo_v2(std::size_t *available, std::size_t *total) { return *available = *total = 1u << 28, 0; }
int cuMemAlloc_v2(std::uint64_t *address, std::size_t bytes) {
  return *address = reinterpret_cast<std::uint64_t>(std::calloc(1, bytes)), 0;
}
int cuMemFree_v2(std::uint64_t address) { return std::free(reinterpret_cast<void *>(address)), 0; }
int cuMemHostAlloc(void **address, std::size_t bytes, unsigned) { return *address = std::calloc(1, bytes), 0; }
int cuMemFreeHost(void *address) { return std::free(address), 0; }
int cuMemcpyDtoHAsync_v2(void *to, std::uint64_t from, std::size_t bytes, void *) {
  return std::memcpy(to, reinterpret_cast<void *>(from), bytes), 0;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void *from, std::size_t bytes, void *) {
  return std::memcpy(reinterpret_cast<void *>(to), from, bytes), 0;
}
int cuMemcpyDtoH_v2(void *to, std::uint64_t from, std::size_t bytes) { return cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr); }
int cuMemcpyHtoD_v2(std::uint64_t to, const void *from, std::size_t bytes) { return cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr); }
int cuMemsetD8Async(std::uint64_t to, unsigned char value, std::size_t bytes, void *) {
  return std::memset(reinterpret_cast<void *>(to), value, bytes), 0;
}
int cuStreamCreate(void **stream, unsigned) { return *stream = &context, 0; }
int cuStreamSynchronize(void *) {
  if (clockKernel.joinable())
    clockKernel.join();
  return 0;
}
int cuStreamDestroy_v2(void *) { return 0; }
int cuStreamIsCapturing(void *, int *state) { return *state = 0, 0; }
int cuThreadExchangeStreamCaptureMode(int *) { return 0; }
int cuFuncGetAttribute(int *value, int, void *) { return *value = 32, 0; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *, int, std::size_t) { return *blocks = 4, 0; }
int cuModuleLoadData(void **module, const void *image) { return *module = moduleOf(static_cast<const char *>(image)), 0; }
int cuModuleUnload(void *module) { return delete static_cast<Module *>(module), 0; }
int cuModuleGetGlobal_v2(std::uint64_t *address, std::size_t *bytes, void *module, const char *name) {
  auto &variables = static_cast<Module *>(module)->variables;
  const auto found = variables.find(name);
  if (found == variables.end())
    return 500;
  return *address = reinterpret_cast<std::uint64_t>(found->second.data()), *bytes = found->second.size(), 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
  return *function = new Function{static_cast<Module *>(module), name}, 0;
}
int cuModuleGetFunctionCount(unsigned *count, void *module) { return *count = static_cast<Module *>(module)->kernels.size(), 0; }
int cuModuleEnumerateFunctions(void **functions, unsigned count, void *module) {
  const auto &kernels = static_cast<Module *>(module)->kernels;
  for (unsigned index = 0; index < count && index < kernels.size(); ++index)
    functions[index] = new Function{static_cast<Module *>(module), kernels[index]};
  return 0;
}
int cuFuncGetName(const char **name, void *function) { return *name = static_cast<Function *>(function)->name.c_str(), 0; }
// Libraries are modules here, and their kernels functions.
int cuLibraryLoadFromFile(void **library, const char *file, int *, void **, unsigned, int *, void **, unsigned) {
  std::ifstream in(file, std::ios::binary);
  const std::string image((std::istreambuf_iterator<char>(in)), {});
  return image.empty() ? 301 : cuModuleLoadData(library, image.data());
}
int cuLibraryUnload(void *library) { return cuModuleUnload(library); }
int cuLibraryGetGlobal(std::uint64_t *address, std::size_t *bytes, void *library, const char *name) {
  return cuModuleGetGlobal_v2(address, bytes, library, name);
}
int cuLibraryGetKernel(void **kernel, void *library, const char *name) { return cuModuleGetFunction(kernel, library, name); }
int cuLibraryGetKernelCount(unsigned *count, void *library) { return cuModuleGetFunctionCount(count, library); }
int cuLibraryEnumerateKernels(void **kernels, unsigned count, void *library) { return cuModuleEnumerateFunctions(kernels, count, library); }
int cuKernelGetFunction(void **function, void *kernel) { return *function = kernel, 0; }
int cuKernelGetName(const char **name, void *kernel) { return cuFuncGetName(name, kernel); }
int cuLaunchKernel(void *kernel, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **arguments, void **) {
  const auto &function = *static_cast<Function *>(kernel);
  if (function.name == "kperf_clockKernel")
    clockKernel = std::thread(answerClock, *static_cast<volatile kperf::detail::ClockWord **>(arguments[0]));
  if (function.name.find("kperf_") == std::string::npos)
    record(function);
  return 0;
}
int cuGetProcAddress_v2(const char *, void **function, int, std::uint64_t, int *) { return *function = nullptr, 500; }
}
