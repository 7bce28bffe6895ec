// The calls that the memory rewriter inserts: a list, which each target expands with macros of its own.
//
// KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES, OPERAND, SHARED, OBJECT, BULK) applies one of its arguments to
// each name: LVALUE gives back the lvalue that it counts, CONSTANT one in constant memory, ADDRESS the address of what
// is accessed, BYTES<n> the same of n bytes, OPERAND<n> an operand of inline assembly that is an address, SHARED<n> one
// that is an address in shared memory, OBJECT a cuda::atomic or cuda::atomic_ref, or a pointer to one, BULK the address
// in global memory of a bulk copy, of which the last argument is how many bytes each lane copies. OPERAND, SHARED and
// BULK come also with If behind the name and a last argument that says whether the access is made.
//
// The first argument of each (the second where a bool stands before it) is the site's id, or {id, value of the loop's
// variable}, or where all accesses of an iteration are counted or none, {what was decided, id, …}.
#ifndef KPERF_MEMORY_CALLS_H
#define KPERF_MEMORY_CALLS_H

#include <kperf/rules/AccessKind.h>
#include <kperf/rules/HostDevice.h>

#define KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES, OPERAND, SHARED, OBJECT, BULK)                                                \
  LVALUE(load)                                                                                                                             \
  LVALUE(store)                                                                                                                            \
  LVALUE(update)                                                                                                                           \
  CONSTANT(loadConstant)                                                                                                                   \
  ADDRESS(loadAt)                                                                                                                          \
  ADDRESS(storeAt)                                                                                                                         \
  ADDRESS(atomicAt)                                                                                                                        \
  BYTES(loadBytesAt)                                                                                                                       \
  BYTES(storeBytesAt)                                                                                                                      \
  OPERAND(asmAddress)                                                                                                                      \
  SHARED(asmSharedAddress)                                                                                                                 \
  OPERAND(asmAtomicAddress)                                                                                                                \
  SHARED(asmAtomicSharedAddress)                                                                                                           \
  OBJECT(loadOf)                                                                                                                           \
  OBJECT(storeOf)                                                                                                                          \
  OBJECT(atomicOf)                                                                                                                         \
  BULK(bulkAddress)

namespace kperf {

/// Set beside the id of a site that stands in no loop of a kernel's own body: a warp executes it at most once a launch.
constexpr unsigned kRunsOnce = 1u << 24;
constexpr unsigned kSiteId = kRunsOnce - 1;

/// An access site, and the iteration in which a thread came to it.
struct SiteAt {
  unsigned word; ///< id, and kRunsOnce
  int iteration; ///< as format::ReferenceRecord::iteration; the default is kNoIteration
  KPERF_HOST_DEVICE constexpr SiteAt(unsigned word, int iteration = -0x7fffffff - 1) : word(word), iteration(iteration) {}
  KPERF_HOST_DEVICE constexpr unsigned id() const { return word & kSiteId; }
  KPERF_HOST_DEVICE constexpr bool runsOnce() const { return (word & kRunsOnce) != 0; }
};

/// Whether the accesses of one iteration of a loop are counted, all of them together.
struct IterationSample {
  enum Choice : unsigned { EachAsks, AllCounted, NoneCounted } choice;
  unsigned moment; ///< of AllCounted: what told when it came, and in the lowest two bits at which level (kperf/rules/AccessSample.h)
};

/// An access site in code of which whole iterations are counted or not.
struct IterationSite : SiteAt {
  IterationSample sample;
  KPERF_HOST_DEVICE constexpr IterationSite(IterationSample sample, unsigned word) : SiteAt(word), sample(sample) {}
  KPERF_HOST_DEVICE constexpr IterationSite(IterationSample sample, unsigned word, int iteration)
      : SiteAt(word, iteration), sample(sample) {}
};

namespace detail {
/// What each of the calls stands for, as far as its name tells: an AccessKind.
namespace kinds {
enum : unsigned char {
  store = static_cast<unsigned char>(AccessKind::Store),
  load = static_cast<unsigned char>(AccessKind::Load),
  atomicAt = static_cast<unsigned char>(AccessKind::Atomic),
  update = store,
  loadAt = load,
  storeAt = store,
  loadBytesAt = load,
  storeBytesAt = store,
  asmAddress = store, // or a load: the site says
  asmSharedAddress = store,
  asmAtomicAddress = atomicAt,
  asmAtomicSharedAddress = atomicAt,
  loadOf = load,
  storeOf = store,
  atomicOf = atomicAt,
};
} // namespace kinds
} // namespace detail
} // namespace kperf

#endif
