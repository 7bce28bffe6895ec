// The calls that the memory rewriter inserts: a list, which each target expands with macros of its own.
//
// KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES) applies one of its arguments to each name: LVALUE gives back the lvalue
// that it counts, CONSTANT one in constant memory, ADDRESS the address of what is accessed, BYTES<n> the same of n bytes.
#ifndef KPERF_MEMORY_CALLS_H
#define KPERF_MEMORY_CALLS_H

#define KPERF_MEMORY_CALLS(LVALUE, CONSTANT, ADDRESS, BYTES)                                                           \
  LVALUE(load)                                                                                                         \
  LVALUE(store)                                                                                                        \
  LVALUE(update)                                                                                                       \
  CONSTANT(loadConstant)                                                                                               \
  ADDRESS(loadAt)                                                                                                      \
  ADDRESS(storeAt)                                                                                                     \
  ADDRESS(atomicAt)                                                                                                    \
  BYTES(loadBytesAt)                                                                                                   \
  BYTES(storeBytesAt)

#endif
