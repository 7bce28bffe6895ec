// The parts of cuda_runtime.h.
#ifndef KPERF_HOST_CUDA_RUNTIME_PARTS_H
#define KPERF_HOST_CUDA_RUNTIME_PARTS_H

#include <kperf/host/api/Allocation.h>
#include <kperf/host/api/Copy.h>
#include <kperf/host/api/DeviceApi.h>
#include <kperf/host/api/FunctionAttributes.h>
#include <kperf/host/api/KernelName.h>
#include <kperf/host/api/Launch.h>
#include <kperf/host/api/MemoryHints.h>
#include <kperf/host/api/StreamApi.h>
#include <kperf/host/api/Textures.h>
#include <kperf/host/api/Unsupported.h>
#include <kperf/host/engine/Attributes.h>
#include <kperf/host/engine/Clock.h>
#include <kperf/host/engine/Errors.h>
#include <kperf/host/engine/VectorTypes.h>
#include <kperf/host/language/Atomics.h>
#include <kperf/host/language/Barriers.h>
#include <kperf/host/language/Conversions.h>
#include <kperf/host/language/FloatMath.h>
#include <kperf/host/language/IntegerMath.h>
#include <kperf/host/language/ScopedAtomics.h>
#include <kperf/host/language/SharedBarriers.h>
#include <kperf/host/language/Shuffles.h>
#include <kperf/host/language/Votes.h>

#endif
