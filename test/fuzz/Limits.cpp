// Limits on memory and time, for what a fuzzer feeds to the decoder.
#include "Limits.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/common_interface_defs.h>

/// Keeping where memory came from takes a sixth of the time, and memory that is not used again soon, page by page, another. What a fuzzer
/// finds is run once more with ASAN_OPTIONS=malloc_context_size=30 to see it.
extern "C" const char *__asan_default_options() { return "malloc_context_size=0:quarantine_size_mb=32"; }

namespace kperf::test {
namespace {

bool isCounting;
long long alive, limit;
/// The most that was needed beyond kTimesInput times the input, and by an input of how many bytes.
long long maxBeyond = -1, ofInput;
long long inputNow;
std::clock_t begin;

void countAllocation(const volatile void *, std::size_t bytes) {
  if (!isCounting)
    return;
  alive += static_cast<long long>(bytes);
  const long long beyond = alive - static_cast<long long>(Limits::kTimesInput) * inputNow;
  if (beyond > maxBeyond) {
    maxBeyond = beyond;
    ofInput = inputNow;
  }
  if (alive <= limit)
    return;
  isCounting = false;
  std::fprintf(stderr, "%lld bytes are alive for an input of %lld: more than %lld\n", alive, inputNow, limit);
  __sanitizer_print_stack_trace();
  std::abort();
}

void countFree(const volatile void *pointer) {
  if (isCounting && pointer)
    alive -= static_cast<long long>(__sanitizer_get_allocated_size(pointer));
}

void sayMost() {
  std::fprintf(stderr, "most memory beyond %zu times the input: %lld bytes, of an input of %lld bytes\n", Limits::kTimesInput, maxBeyond,
               ofInput);
}

} // namespace

Limits::Limits(std::size_t inputBytes) {
  static const bool isInstalled = __sanitizer_install_malloc_and_free_hooks(countAllocation, countFree) != 0 && std::atexit(sayMost) == 0;
  if (!isInstalled)
    std::abort();
  alive = 0;
  inputNow = static_cast<long long>(inputBytes);
  limit = static_cast<long long>(kTimesInput * inputBytes + kConstant);
  isCounting = true;
  begin = std::clock();
}

Limits::~Limits() {
  isCounting = false;
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  if (seconds <= kMaxSeconds)
    return;
  std::fprintf(stderr, "%.1f s of processor time for an input of %lld bytes: more than %.1f s\n", seconds, inputNow, kMaxSeconds);
  std::abort();
}

} // namespace kperf::test
