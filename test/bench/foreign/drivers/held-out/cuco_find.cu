// cuCollections' map, the finding kernel of its example: 4 million keys, half of which are there.
#include "driver.h"

#undef main

int main() {
  const std::size_t count = 1 << 22;
  auto map = cuco::static_map{2 * count, cuco::empty_key{-1}, cuco::empty_value{-1}, thrust::equal_to<int>{},
                              cuco::linear_probing<1, cuco::default_hash_function<int>>{}};
  std::vector<int> keys(count);
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = int(i * 2654435761U >> 9);
  int *d_keys = driver::copied(keys), *inserted = driver::zeros<int>(1);
  int *values = driver::zeros<int>(count);
  auto even = [] __device__(int key) { return key % 2 == 0; };
  auto insert = map.ref(cuco::insert);
  auto find = map.ref(cuco::find);
  filtered_insert<<<count / 256, 256>>>(insert, d_keys, values, count, even, inserted);
  auto launch = [&] { increment_values<<<count / 256, 256>>>(find, d_keys, count); };
  auto finish = [&] { map.find(d_keys, d_keys + count, values); };
  return driver::measure(launch, {{values, count * 4}, {inserted, 4}}, 32, finish);
}
