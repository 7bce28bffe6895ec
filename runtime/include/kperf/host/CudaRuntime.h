// The parts of cuda_runtime.h.
#ifndef KPERF_HOST_CUDA_RUNTIME_PARTS_H
#define KPERF_HOST_CUDA_RUNTIME_PARTS_H

#include "Allocation.h"
#include "Atomics.h"
#include <kperf/host/engine/Attributes.h>
#include "Barriers.h"
#include <kperf/host/engine/Clock.h>
#include "Conversions.h"
#include "Copy.h"
#include "DeviceApi.h"
#include <kperf/host/engine/Errors.h>
#include "FloatMath.h"
#include "FunctionAttributes.h"
#include "IntegerMath.h"
#include "Launch.h"
#include "MemoryHints.h"
#include "ScopedAtomics.h"
#include "SharedBarriers.h"
#include "Shuffles.h"
#include "StreamApi.h"
#include "Unsupported.h"
#include <kperf/host/engine/VectorTypes.h>
#include "Votes.h"

#endif
