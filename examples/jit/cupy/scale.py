"""A CuPy kernel, which NVRTC compiles when this runs."""
import cupy

SOURCE = r"""
extern "C" __global__ void scale(const float *in, float *out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float value = in[i];
    for (int step = 0; step < 64; ++step)
      value = value * 1.5f - value;
    out[i] = value;
  }
}
"""

kernel = cupy.RawKernel(SOURCE, "scale")
values = cupy.arange(1 << 20, dtype=cupy.float32)
out = cupy.empty_like(values)
for _ in range(10):
    kernel((264,), (256,), (values, out, values.size))
expected = values * cupy.float32(0.5) ** 64
error = float(abs(out - expected).max())
print(f"result: {'ok' if error < 1e-9 else 'wrong'}, largest error {error:.1e}")
