// SHOC's radix sort, the sort inside of blocks: 16 million keys and values.
#include "driver.h"

#undef main

int main() {
  const std::size_t count = 1 << 24;
  uint4 *keys = reinterpret_cast<uint4 *>(driver::numbers<int>(count, 1, 1000000)), *values = reinterpret_cast<uint4 *>(driver::numbers<int>(count, 2, 1000000));
  uint4 *keys_out = driver::zeros<uint4>(count / 4), *values_out = driver::zeros<uint4>(count / 4);
  return driver::measure([&] { radixSortBlocks<<<count / 4 / SORT_BLOCK_SIZE, SORT_BLOCK_SIZE>>>(4, 4, keys_out, values_out, keys, values); },
                         {{keys_out, count * 4}, {values_out, count * 4}});
}
