// The calls that the memory rewriter inserts: a list, which each target expands with macros of its own.
//
// KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES, OPERAND, SHARED) applies one of its arguments to each name:
// LVALUE gives back the lvalue that it counts, CONSTANT one in constant memory, ADDRESS the address of what is
// accessed, BYTES<n> the same of n bytes, OPERAND<n> an operand of inline assembly that is an address, SHARED<n> one
// that is an address in shared memory.
#ifndef KPERF_MEMORY_CALLS_H
#define KPERF_MEMORY_CALLS_H

#define KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES, OPERAND, SHARED)                                          \
  LVALUE(load)                                                                                                         \
  LVALUE(store)                                                                                                        \
  LVALUE(update)                                                                                                       \
  CONSTANT(loadConstant)                                                                                               \
  ADDRESS(loadAt)                                                                                                      \
  ADDRESS(storeAt)                                                                                                     \
  ADDRESS(atomicAt)                                                                                                    \
  BYTES(loadBytesAt)                                                                                                   \
  BYTES(storeBytesAt)                                                                                                  \
  OPERAND(asmAddress)                                                                                                  \
  SHARED(asmSharedAddress)

/// Which of them stand for loads, as far as the name tells.
namespace kperf {
namespace detail {
namespace loads {
enum : bool {
  load = true,
  store = false,
  update = false,
  loadAt = true,
  storeAt = false,
  atomicAt = false,
  loadBytesAt = true,
  storeBytesAt = false,
  asmAddress = false,
  asmSharedAddress = false,
};
} // namespace loads
} // namespace detail
} // namespace kperf

#endif
