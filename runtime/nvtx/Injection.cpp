// Puts kperf's functions in place of NVTX's, which do nothing.
#include "runtime/nvtx/HostRanges.h"
#include "runtime/nvtx/NvtxAbi.h"

#include <kperf/abi/module.h>

#include <cstdlib>
#include <dlfcn.h>
#include <string>

using kperf::runtime::HostRanges;
namespace nvtx = kperf::runtime::nvtx;

namespace {

using Text = HostRanges::Text;
using What = HostRanges::What;
using Domain = const void *; ///< handles are Texts + 1, so that null is the default one

HostRanges &ranges() { return HostRanges::instance(); }

std::string utf8(const wchar_t *text) {
  std::string out;
  for (; text && *text && out.size() < 4096; ++text) {
    const auto code = static_cast<std::uint32_t>(*text);
    const auto put = [&](unsigned shift, std::uint32_t mark, std::uint32_t mask) {
      out += static_cast<char>(mark | (code >> shift & mask));
    };
    if (code < 0x80)
      put(0, 0, 0x7f);
    else if (code < 0x800)
      put(6, 0xc0, 0x1f), put(0, 0x80, 0x3f);
    else if (code < 0x10000)
      put(12, 0xe0, 0x0f), put(6, 0x80, 0x3f), put(0, 0x80, 0x3f);
    else
      put(18, 0xf0, 0x07), put(12, 0x80, 0x3f), put(6, 0x80, 0x3f), put(0, 0x80, 0x3f);
  }
  return out;
}

Text keep(const char *text) { return ranges().keep(text ? text : ""); }
Text keep(const wchar_t *text) { return ranges().keep(utf8(text)); }

const void *handleOf(Text text) { return reinterpret_cast<const void *>(std::uintptr_t{text} + 1); }
Text textOf(const void *handle) { return handle ? static_cast<Text>(reinterpret_cast<std::uintptr_t>(handle) - 1) : 0; }

What whatOf(Domain domain, const nvtx::EventAttributes *attributes) {
  What what{0, textOf(domain), 0};
  if (!attributes || attributes->size < sizeof(*attributes))
    return what;
  if (attributes->colorType == nvtx::kColorArgb)
    what.color = attributes->color;
  if (attributes->messageType == nvtx::kAscii)
    what.name = keep(attributes->message.ascii);
  else if (attributes->messageType == nvtx::kWide)
    what.name = keep(attributes->message.wide);
  else if (attributes->messageType == nvtx::kRegistered)
    what.name = textOf(attributes->message.registered);
  return what;
}

template <typename Char> int push(const Char *message) { return ranges().push({keep(message), 0, 0}); }
template <typename Char> std::uint64_t start(const Char *message) { return ranges().start({keep(message), 0, 0}); }
template <typename Char> void mark(const Char *message) { ranges().mark({keep(message), 0, 0}); }
template <typename Char> const void *create(const Char *name) { return handleOf(keep(name)); }
template <typename Char> const void *registered(Domain, const Char *text) { return handleOf(keep(text)); }

int pushIn(Domain domain, const nvtx::EventAttributes *attributes) { return ranges().push(whatOf(domain, attributes)); }
int popIn(Domain domain) { return ranges().pop(textOf(domain)); }
std::uint64_t startIn(Domain domain, const nvtx::EventAttributes *attributes) { return ranges().start(whatOf(domain, attributes)); }
void endIn(Domain, std::uint64_t id) { ranges().end(id); }
void markIn(Domain domain, const nvtx::EventAttributes *attributes) { ranges().mark(whatOf(domain, attributes)); }

/// The functions of one of NVTX's modules.
class Table {
public:
  Table(const nvtx::Callbacks &callbacks, nvtx::Module module) {
    if (callbacks.table(module, &entries, &count) == 0)
      count = 0;
  }
  template <typename Result, typename... Arguments> void set(unsigned index, Result (*function)(Arguments...)) {
    if (index < count && entries[index])
      *entries[index] = reinterpret_cast<nvtx::Function>(function);
  }

private:
  nvtx::Function **entries = nullptr;
  unsigned count = 0;
};

void setCore(Table table) {
  table.set(nvtx::kMarkEx, +[](const nvtx::EventAttributes *attributes) { markIn(nullptr, attributes); });
  table.set(nvtx::kMarkA, &mark<char>);
  table.set(nvtx::kMarkW, &mark<wchar_t>);
  table.set(nvtx::kRangeStartEx, +[](const nvtx::EventAttributes *attributes) { return startIn(nullptr, attributes); });
  table.set(nvtx::kRangeStartA, &start<char>);
  table.set(nvtx::kRangeStartW, &start<wchar_t>);
  table.set(nvtx::kRangeEnd, +[](std::uint64_t id) { ranges().end(id); });
  table.set(nvtx::kRangePushEx, +[](const nvtx::EventAttributes *attributes) { return pushIn(nullptr, attributes); });
  table.set(nvtx::kRangePushA, &push<char>);
  table.set(nvtx::kRangePushW, &push<wchar_t>);
  table.set(nvtx::kRangePop, +[] { return ranges().pop(0); });
}

void setDomains(Table table) {
  table.set(nvtx::kDomainMarkEx, &markIn);
  table.set(nvtx::kDomainRangeStartEx, &startIn);
  table.set(nvtx::kDomainRangeEnd, &endIn);
  table.set(nvtx::kDomainRangePushEx, &pushIn);
  table.set(nvtx::kDomainRangePop, &popIn);
  table.set(nvtx::kDomainRegisterStringA, &registered<char>);
  table.set(nvtx::kDomainRegisterStringW, &registered<wchar_t>);
  table.set(nvtx::kDomainCreateA, &create<char>);
  table.set(nvtx::kDomainCreateW, &create<wchar_t>);
}

int attach(nvtx::ExportTable table) {
  const auto *callbacks = static_cast<const nvtx::Callbacks *>(table(nvtx::kCallbacks));
  if (!callbacks || callbacks->size < sizeof(*callbacks) || kperf_wants_launches() == 0)
    return 0;
  setCore({*callbacks, nvtx::kCore});
  setDomains({*callbacks, nvtx::kDomains});
  return 1;
}

/// The path of the shared library that this code is in; "" where it is none that shows NVTX's function.
std::string ownLibrary() {
  Dl_info here{};
  void *const self = reinterpret_cast<void *>(&InitializeInjectionNvtx2);
  if (dladdr(self, &here) == 0 || !here.dli_fname)
    return {};
  void *const library = dlopen(here.dli_fname, RTLD_LAZY | RTLD_NOLOAD); // a program is none
  const bool isShown = library && dlsym(library, "InitializeInjectionNvtx2") == self;
  if (library)
    dlclose(library);
  return isShown ? here.dli_fname : "";
}

} // namespace

namespace kperf::runtime::nvtx {

void offer() {
  if (!InitializeInjectionNvtx2_fnptr)
    InitializeInjectionNvtx2_fnptr = &attach;
  [[maybe_unused]] static const bool isNamed = [] {
    const std::string path = kperf_wants_launches() ? ownLibrary() : "";
    return !path.empty() && setenv("NVTX_INJECTION64_PATH", path.c_str(), /*overwrite=*/0) == 0;
  }();
}

} // namespace kperf::runtime::nvtx

extern "C" {

/// Weak, as the next one, for a tool that the program was linked with has the first word.
__attribute__((weak)) int InitializeInjectionNvtx2(nvtx::ExportTable table) { return attach(table); }

__attribute__((weak)) nvtx::Initialize InitializeInjectionNvtx2_fnptr;
}
