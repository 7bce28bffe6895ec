// cuda_hgemm's mma kernel of four stages: 4096 × 4096 × 4096.
#include "driver.h"

#undef main

int main() {
  const std::size_t size = 4096;
  half *a = driver::numbers<half>(size * size, 1, 0.1F), *b = driver::numbers<half>(size * size, 2, 0.1F), *c = driver::zeros<half>(size * size);
  return driver::measure([&] { mmaAsyncStage4(a, b, c, size, size, size); }, {{c, size * size * 2}});
}
