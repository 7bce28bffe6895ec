// What programs for the CPU need not compile themselves (kperf/host/engine/Outlined.h): libkperf_host.a.
#define KPERF_HOST_LIBRARY_SOURCE 1
#include <kperf/host/language/SharedBarriers.h>
#include <kperf/host/probe/GpuApi.h>
#include <kperf/host/probe/MemoryProbe.h>
