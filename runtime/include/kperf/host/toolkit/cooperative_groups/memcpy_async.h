// CUDA's header of this name: a part of <cooperative_groups.h> here.
#ifndef KPERF_HOST_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define KPERF_HOST_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include <kperf/host/toolkit/cooperative_groups.h>

#endif
