// HeCBench's lavaMD: particles in 10 × 10 × 10 boxes, each with those of its neighbours.
#include "src/lavaMD-cuda/main.h"

#include "src/lavaMD-cuda/kernel.h"

#include "driver.h"

int main(int, char **) {
  const int side = 10, boxes = side * side * side;
  std::vector<box_str> box(boxes);
  for (int i = 0; i < boxes; ++i) {
    const int x = i % side, y = i / side % side, z = i / side / side;
    box[i] = {x, y, z, i, long(i) * NUMBER_PAR_PER_BOX, 0, {}};
    for (int near = 0; near < 27; ++near) {
      const int nx = x + near % 3 - 1, ny = y + near / 3 % 3 - 1, nz = z + near / 9 - 1;
      if (near == 13 || nx < 0 || ny < 0 || nz < 0 || nx >= side || ny >= side || nz >= side)
        continue;
      const int number = nx + side * (ny + side * nz);
      box[i].nei[box[i].nn++] = {nx, ny, nz, number, long(number) * NUMBER_PAR_PER_BOX};
    }
  }
  const std::size_t count = std::size_t(boxes) * NUMBER_PAR_PER_BOX;
  box_str *places = driver::copied(box);
  auto *positions = reinterpret_cast<FOUR_VECTOR *>(driver::numbers<float>(count * 4, 1, 0.5F, 0.5F));
  float *charges = driver::numbers<float>(count, 2, 0.5F, 0.5F);
  auto *forces = driver::zeros<FOUR_VECTOR>(count);
  return driver::measure([&] { md<<<boxes, NUMBER_THREADS>>>(places, positions, charges, forces, 0.5F, boxes); }, {{forces, count * sizeof(FOUR_VECTOR)}}, 16);
}
