__global__ void increment(int *data) { ++data[threadIdx.x]; }

int main() {
  int *data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  increment<<<1, 32>>>(data);
  return cudaDeviceSynchronize();
}
