// A kernel of a project that has them all in headers.
__global__ void fill(float *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = 1;
}
