// Whether the lanes of a warp are sure to stand next to each other in threadIdx.x.
#ifndef KPERF_REWRITERS_THREADROWS_H
#define KPERF_REWRITERS_THREADROWS_H

#include "clang/AST/Stmt.h"

namespace kperf {

/// Whether code reads threadIdx.y or threadIdx.z, itself or in functions that it calls, so that its blocks may have rows that end within a
/// warp.
bool readsRows(const clang::Stmt *body);

} // namespace kperf

#endif
