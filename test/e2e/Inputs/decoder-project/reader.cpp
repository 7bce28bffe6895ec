// Prints the names of a trace's regions.
#include <decoder/trace/Trace.h>

#include <cstdio>

int main(int, char **arguments) {
  const auto trace = kperf::decoder::Trace::open(arguments[1]);
  if (!trace)
    return 1;
  for (const auto &region : trace->regions())
    std::puts(std::string(trace->string(region.name)).c_str());
  return 0;
}
