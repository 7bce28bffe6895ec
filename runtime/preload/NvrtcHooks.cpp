// Intercepts NVRTC: inserts probes into what a program compiles, and answers later queries about the instrumented program.
#include "runtime/preload/Hooks.h"
#include "runtime/preload/Rewriting.h"

#include "runtime/driver/Driver.h"
#include "runtime/settings/Log.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <utility>

using namespace kperf;

namespace {

std::atomic<void *> nvrtcLibrary{nullptr};

template <typename Function> Function *real(const char *name) {
  void *const library = nvrtcLibrary.load();
  return reinterpret_cast<Function *>(driver::librarySymbol(library ? library : RTLD_NEXT, name));
}

/// Finds NVRTC for code that is linked with it and was loaded for itself alone, as Python loads extensions: RTLD_NEXT does not see its
/// libraries.
void findNvrtcOf(void *caller) {
  Dl_info object;
  if (nvrtcLibrary.load() || driver::librarySymbol(RTLD_NEXT, "nvrtcCreateProgram") || !dladdr(caller, &object))
    return;
  void *const opened = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (opened && driver::librarySymbol(opened, "nvrtcCreateProgram")) // among what it is linked with
    preload::noteNvrtc(opened);
}

/// A program of NVRTC's, and the one with probes that stands for it once it was compiled.
struct Known {
  preload::Program program;
  std::vector<std::string> nameExpressions;
  void *probed = nullptr;
};

class Programs {
public:
  static Programs &instance() {
    static auto *const all = new Programs; // exit handlers may come here
    return *all;
  }

  void add(void *handle, preload::Program program) {
    const std::lock_guard lock(mutex);
    known[handle] = {std::move(program), {}, nullptr};
  }
  void addNameExpression(void *handle, const char *text) {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(handle); found != known.end())
      found->second.nameExpressions.emplace_back(text);
  }
  bool find(void *handle, Known &copy) {
    const std::lock_guard lock(mutex);
    const auto found = known.find(handle);
    if (found != known.end())
      copy = found->second;
    return found != known.end();
  }
  /// Gives back what stood for it before.
  void *replace(void *handle, void *probed) {
    const std::lock_guard lock(mutex);
    const auto found = known.find(handle);
    return found == known.end() ? probed : std::exchange(found->second.probed, probed);
  }
  /// What is asked instead of `handle`.
  void *standingFor(void *handle) {
    const std::lock_guard lock(mutex);
    const auto found = known.find(handle);
    return found != known.end() && found->second.probed ? found->second.probed : handle;
  }
  void remove(void *handle) {
    const std::lock_guard lock(mutex);
    known.erase(handle);
  }

private:
  std::mutex mutex;
  std::map<void *, Known> known;
};

} // namespace

#define KPERF_HOOK(name) extern "C" __attribute__((visibility("default"))) int name
#define KPERF_REAL(name) real<decltype(name)>(#name)

KPERF_HOOK(nvrtcCreateProgram)
(void **program, const char *source, const char *name, int count, const char *const *headers, const char *const *includeNames) {
  findNvrtcOf(__builtin_return_address(0)); // a program is what all else needs
  const int status = KPERF_REAL(nvrtcCreateProgram)(program, source, name, count, headers, includeNames);
  if (status != 0)
    return status;
  preload::Program copy{name && *name ? name : "default_program", source, {}, {}};
  for (int index = 0; index < count; ++index) {
    copy.headers.emplace_back(headers[index]);
    copy.includeNames.emplace_back(includeNames[index]);
  }
  Programs::instance().add(*program, std::move(copy));
  return status;
}

KPERF_HOOK(nvrtcDestroyProgram)(void **program) {
  void *handle = program ? *program : nullptr;
  if (void *probed = Programs::instance().replace(handle, nullptr))
    KPERF_REAL(nvrtcDestroyProgram)(&probed);
  Programs::instance().remove(handle);
  return KPERF_REAL(nvrtcDestroyProgram)(program);
}

KPERF_HOOK(nvrtcAddNameExpression)(void *program, const char *text) {
  Programs::instance().addNameExpression(program, text);
  return KPERF_REAL(nvrtcAddNameExpression)(program, text);
}

KPERF_HOOK(nvrtcCompileProgram)(void *program, int count, const char *const *options);

// What a program asks of one that was compiled.
#define KPERF_GETTER(name, Value)                                                                                                          \
  KPERF_HOOK(name)(void *program, Value *value) { return KPERF_REAL(name)(Programs::instance().standingFor(program), value); }
KPERF_GETTER(nvrtcGetPTXSize, std::size_t)
KPERF_GETTER(nvrtcGetPTX, char)
KPERF_GETTER(nvrtcGetCUBINSize, std::size_t)
KPERF_GETTER(nvrtcGetCUBIN, char)
KPERF_GETTER(nvrtcGetLTOIRSize, std::size_t)
KPERF_GETTER(nvrtcGetLTOIR, char)
KPERF_GETTER(nvrtcGetNVVMSize, std::size_t)
KPERF_GETTER(nvrtcGetNVVM, char)
KPERF_GETTER(nvrtcGetOptiXIRSize, std::size_t)
KPERF_GETTER(nvrtcGetOptiXIR, char)
KPERF_GETTER(nvrtcGetProgramLogSize, std::size_t)
KPERF_GETTER(nvrtcGetProgramLog, char)
KPERF_GETTER(nvrtcGetPCHHeapSizeRequired, std::size_t)

KPERF_HOOK(nvrtcGetLoweredName)(void *program, const char *expression, const char **name) {
  return KPERF_REAL(nvrtcGetLoweredName)(Programs::instance().standingFor(program), expression, name);
}
KPERF_HOOK(nvrtcGetPCHCreateStatus)(void *program) {
  return KPERF_REAL(nvrtcGetPCHCreateStatus)(Programs::instance().standingFor(program));
}

namespace {

/// NVRTC's own program of the source with probes, compiled; null when it can't be, which is said.
void *compileProbed(const Known &known, const std::vector<std::string> &options) {
  const auto rewritten = preload::RewrittenProgram::make(known.program, options);
  if (!rewritten)
    return nullptr;
  std::vector<const char *> headers, names, words;
  for (std::size_t index = 0; index < known.program.headers.size(); ++index) {
    headers.push_back(known.program.headers[index].c_str());
    names.push_back(known.program.includeNames[index].c_str());
  }
  for (const std::string &option : rewritten->options)
    words.push_back(option.c_str());
  void *probed = nullptr;
  if (KPERF_REAL(nvrtcCreateProgram)(&probed, rewritten->source.c_str(), known.program.name.c_str(), static_cast<int>(headers.size()),
                                     headers.data(), names.data()) != 0)
    return nullptr;
  for (const std::string &expression : known.nameExpressions)
    KPERF_REAL(nvrtcAddNameExpression)(probed, expression.c_str());
  if (KPERF_REAL(nvrtcCompileProgram)(probed, static_cast<int>(words.size()), words.data()) == 0)
    return probed;
  std::size_t bytes = 0;
  KPERF_REAL(nvrtcGetProgramLogSize)(probed, &bytes);
  std::string log(bytes, '\0');
  KPERF_REAL(nvrtcGetProgramLog)(probed, log.data());
  runtime::log("'%s' is compiled as it is, for NVRTC does not take it with probes: %s", known.program.name.c_str(),
               log.substr(0, log.find('\n')).c_str());
  KPERF_REAL(nvrtcDestroyProgram)(&probed);
  return nullptr;
}

} // namespace

KPERF_HOOK(nvrtcCompileProgram)(void *program, int count, const char *const *options) {
  Known known;
  if (Programs::instance().find(program, known))
    if (void *const probed = compileProbed(known, std::vector<std::string>(options, options + count))) {
      if (void *before = Programs::instance().replace(program, probed))
        KPERF_REAL(nvrtcDestroyProgram)(&before);
      return 0;
    }
  return KPERF_REAL(nvrtcCompileProgram)(program, count, options);
}

namespace {

#define KPERF_ROW(name) {#name, reinterpret_cast<void *>(&name)}
const preload::Hook kHooks[] = {
    KPERF_ROW(nvrtcCreateProgram),
    KPERF_ROW(nvrtcDestroyProgram),
    KPERF_ROW(nvrtcAddNameExpression),
    KPERF_ROW(nvrtcCompileProgram),
    KPERF_ROW(nvrtcGetPTXSize),
    KPERF_ROW(nvrtcGetPTX),
    KPERF_ROW(nvrtcGetCUBINSize),
    KPERF_ROW(nvrtcGetCUBIN),
    KPERF_ROW(nvrtcGetLTOIRSize),
    KPERF_ROW(nvrtcGetLTOIR),
    KPERF_ROW(nvrtcGetNVVMSize),
    KPERF_ROW(nvrtcGetNVVM),
    KPERF_ROW(nvrtcGetOptiXIRSize),
    KPERF_ROW(nvrtcGetOptiXIR),
    KPERF_ROW(nvrtcGetProgramLogSize),
    KPERF_ROW(nvrtcGetProgramLog),
    KPERF_ROW(nvrtcGetLoweredName),
    KPERF_ROW(nvrtcGetPCHCreateStatus),
    KPERF_ROW(nvrtcGetPCHHeapSizeRequired),
};

} // namespace

void preload::noteNvrtc(void *library) {
  void *none = nullptr;
  nvrtcLibrary.compare_exchange_strong(none, library);
}

void *preload::nvrtcHook(const char *name) {
  for (const Hook &hook : kHooks)
    if (std::strcmp(hook.name, name) == 0)
      return hook.function;
  return nullptr;
}
