// Rodinia's cfd, the flux: a million elements, four neighbours each, some at a wing and some at the far field.
#include "driver.h"

#undef main

int main() {
  const int elements = 192 * 6000;
  std::vector<int> neighbours(std::size_t(elements) * NNB);
  for (int j = 0; j < NNB; ++j)
    for (int i = 0; i < elements; ++i) {
      unsigned hash = (unsigned(i) * NNB + j) * 2654435761U;
      hash = (hash ^ hash >> 15) * 2246822519U;
      const int near = i + int(hash >> 8) % 2048 - 1024;
      neighbours[i + std::size_t(j) * elements] = hash % 61 == 0 ? -1 : hash % 67 == 0 ? -2 : std::min(std::max(near, 0), elements - 1);
    }
  int *around = driver::copied(neighbours);
  float *normals = driver::numbers<float>(std::size_t(elements) * NNB * NDIM, 1), *variables = driver::numbers<float>(std::size_t(elements) * NVAR, 2, 0.25F, 1.5F);
  float *fluxes = driver::zeros<float>(std::size_t(elements) * NVAR);
  return driver::measure([&] { cuda_compute_flux<<<elements / BLOCK_SIZE_3, BLOCK_SIZE_3>>>(elements, around, normals, variables, fluxes); },
                         {{fluxes, std::size_t(elements) * NVAR * 4}});
}
