// Kernels whose launches leave the device idle, and under FIXED do not.
#include "case.h"

/// On a GPU kernels take long enough for what lies between launches not to count.
#ifdef KPERF_HOST_TARGET
constexpr unsigned kLength = 1;
#else
constexpr unsigned kLength = 400;
#endif

/// A grid that leaves most of the device idle.
__global__ void smallGrid(unsigned cycles) {
  KPERF_SCOPE("rows");
  spend(cycles);
}
void runSmallGrid(Sizes sizes) {
  const unsigned cycles = kLength * static_cast<unsigned>(sizes.between(20000, 40000));
  launchAlone(smallGrid, isFixed ? sizes.sms : 1, 128, isFixed ? cycles / sizes.sms : cycles);
}

/// Many launches of a block each, one after the other.
__global__ void tinyLaunches(unsigned cycles) {
  KPERF_SCOPE("row");
  spend(cycles);
}
void runTinyLaunches(Sizes sizes) {
  const int rows = sizes.sms * sizes.between(8, 16);
  const unsigned cycles = kLength * static_cast<unsigned>(sizes.between(500, 900));
  for (int launch = 0; launch < (isFixed ? 1 : rows); ++launch)
    launchAlone(tinyLaunches, isFixed ? rows : 1, 64, cycles);
}

/// A quarter of the device.
void runQuarterGrid(Sizes sizes) {
  const unsigned cycles = kLength * static_cast<unsigned>(sizes.between(20000, 40000));
  launchAlone(smallGrid, isFixed ? sizes.sms : sizes.sms / 4, 128, isFixed ? cycles / 4 : cycles);
}

#ifdef KPERF_HOST_TARGET
/// Short launches with the device idle between them; fixed, one that does the work of all. Not on a GPU: durations of launches do not have
/// what is gained, and one launch of all blocks takes longer than short ones do in all.
__global__ void shortLaunch(unsigned cycles) { spend(cycles); }
void runGaps(Sizes sizes) {
  const int launches = sizes.between(12, 20), cycles = sizes.between(1500, 2500), pause = sizes.between(1000, 3000);
  for (int i = 0; i < (isFixed ? 1 : launches); ++i) {
    launchAlone(shortLaunch, isFixed ? sizes.sms * launches : sizes.sms, 128, cycles);
    idle(pause);
  }
}
#endif

int main(int argc, char **argv) {
  const Case cases[] = {{"small-grid", runSmallGrid},
                        {"tiny-launches:small-grid", runTinyLaunches},
#ifdef KPERF_HOST_TARGET
                        {"launch-gaps", runGaps},
#endif
                        {"quarter:small-grid", runQuarterGrid}};
  return runCase(argc, argv, cases, sizeof cases / sizeof *cases);
}
