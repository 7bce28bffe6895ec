// How often a loop runs is known where constants say it, whichever way it counts; where they do not, it may be often.
// RUN: split-file %s %t
// RUN: kperf-rewrite --cuda-path=none --auto=loops --auto-guard=20 --list-regions %t/in.cu 2>&1 | FileCheck %t/check.txt

//--- in.cu
__global__ void k(float *p, int n) {
  for (int i = 1; i <= 4; ++i) p[i] += 1; // left out: four times is half of the guard, as below
  for (int i = 1; i <= 16; ++i) p[i] += 1;
  for (int i = 3; i >= 0; --i) p[i] += 1; // left out
  for (int i = 15; i >= 0; --i) p[i] += 1;
  for (int i = 0; i != 4; i++) p[i] += 1; // left out
  for (int i = 16; i != 0; i--) p[i] += 1;
  for (int i = 0; i < 16; i += 4) p[i] += 1; // left out
  for (int i = 64; i > 0; i -= 4) p[i] += 1;
  for (int i = 1; i < 16; i *= 2) p[i] += 1; // left out
  for (int i = 1; i < 65536; i *= 2) p[i] += 1;
  for (int i = 8; i > 0; i /= 2) p[i] += 1; // left out
  for (int i = 32768; i > 0; i /= 2) p[i] += 1;
  for (int i = 1; i < 16; i <<= 1) p[i] += 1; // left out
  for (unsigned i = 1; i < 65536; i <<= 1) p[i] += 1;
  for (int i = 8; i > 0; i >>= 1) p[i] += 1; // left out
  for (int i = 32768; i > 0; i >>= 1) p[i] += 1;
  for (int i = 5; i < 4; ++i) p[i] += 1; // left out: never

  for (int i = 1; i < 4; i *= 1) p[i] += 1; // for ever
  for (int i = 1; i < 4; i ^= n) p[i] += 1;
  for (int i = 1; i < 4; i |= 1) p[i] += 1;
  for (int i = 1, j = 0; i < 4; ++i) p[i + j] += 1;
  for (int i = 1; n < 4; ++i) p[i] += 1;
  for (int i = 1; i < 4;) p[i++] += 1;
  for (int i = n; i < 4; ++i) p[i] += 1;
  for (int i = 1; i < 4; n++) p[i++] += 1;
}
//--- check.txt
     CHECK: kernel "k"
CHECK-NEXT: automatic "for:3" in k
CHECK-NEXT: automatic "for:5" in k
CHECK-NEXT: automatic "for:7" in k
CHECK-NEXT: automatic "for:9" in k
CHECK-NEXT: automatic "for:11" in k
CHECK-NEXT: automatic "for:13" in k
CHECK-NEXT: automatic "for:15" in k
CHECK-NEXT: automatic "for:17" in k
CHECK-NEXT: automatic "for:20" in k
CHECK-NEXT: automatic "for:21" in k
CHECK-NEXT: automatic "for:22" in k
CHECK-NEXT: automatic "for:23" in k
CHECK-NEXT: automatic "for:24" in k
CHECK-NEXT: automatic "for:25" in k
CHECK-NEXT: automatic "for:26" in k
CHECK-NEXT: automatic "for:27" in k
CHECK-NEXT: left out "for:2" in k: too little work to time
CHECK-NEXT: left out "for:4" in k: too little work to time
CHECK-NEXT: left out "for:6" in k: too little work to time
CHECK-NEXT: left out "for:8" in k: too little work to time
CHECK-NEXT: left out "for:10" in k: too little work to time
CHECK-NEXT: left out "for:12" in k: too little work to time
CHECK-NEXT: left out "for:14" in k: too little work to time
CHECK-NEXT: left out "for:16" in k: too little work to time
CHECK-NEXT: left out "for:18" in k: too little work to time
 CHECK-NOT: in.cu:
