// As much of the CUDA samples' headers as Rodinia's cfd has to name in its main function, which is not called.
#pragma once

#include <cuda_runtime.h>

#define checkCudaErrors(x) (void)(x)
#define getLastCudaError(x)

struct StopWatchInterface {};
inline void sdkCreateTimer(StopWatchInterface **) {}
inline void sdkStartTimer(StopWatchInterface **) {}
inline void sdkStopTimer(StopWatchInterface **) {}
inline float sdkGetAverageTimerValue(StopWatchInterface **) { return 0; }
inline void sdkDeleteTimer(StopWatchInterface **) {}
template <class... T> int findCudaDevice(T...) { return 0; }
