#include <kperf/annotate.h>

int main() {
  KPERF_SCOPE("nothing");
  return 0;
}
