// CudaSift's matcher: the best of 16384 descriptors for each of 16384.
#include "driver.h"

#undef main

int iDivUp(int a, int b) { return (a + b - 1) / b; }

int main() {
  const int count = 16384;
  SiftPoint *a = reinterpret_cast<SiftPoint *>(driver::numbers<float>(count * sizeof(SiftPoint) / 4, 1, 0.1F, 0.1F));
  SiftPoint *b = reinterpret_cast<SiftPoint *>(driver::numbers<float>(count * sizeof(SiftPoint) / 4, 2, 0.1F, 0.1F));
  return driver::measure([&] { FindMaxCorr10<<<count / M7W, dim3(M7W, M7H / M7R)>>>(a, b, count, count); }, {{a, count * sizeof(SiftPoint)}}, 16);
}
