// Textures, surfaces and arrays, which the host target does not imitate: their types, so that a program's only errors are the calls that
// make, fill or read one, and say what to do.
#ifndef KPERF_HOST_TEXTURES_H
#define KPERF_HOST_TEXTURES_H

#include <kperf/host/api/Unsupported.h>

#include <cstddef>

typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;

enum cudaChannelFormatKind {
  cudaChannelFormatKindSigned,
  cudaChannelFormatKindUnsigned,
  cudaChannelFormatKindFloat,
  cudaChannelFormatKindNone
};
enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D };
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
enum : unsigned { cudaArrayDefault, cudaArrayLayered, cudaArraySurfaceLoadStore, cudaArrayCubemap = 4, cudaArrayTextureGather = 8 };

struct cudaChannelFormatDesc {
  int x, y, z, w; ///< bits
  cudaChannelFormatKind f;
};
struct cudaExtent {
  std::size_t width, height, depth;
};
struct cudaPos {
  std::size_t x, y, z;
};
struct cudaPitchedPtr {
  void *ptr;
  std::size_t pitch, xsize, ysize;
};
struct cudaResourceDesc {
  cudaResourceType resType;
  union {
    struct {
      cudaArray_t array;
    } array;
    struct {
      cudaMipmappedArray_t mipmap;
    } mipmap;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      std::size_t sizeInBytes;
    } linear;
    struct {
      void *devPtr;
      cudaChannelFormatDesc desc;
      std::size_t width, height, pitchInBytes;
    } pitch2D;
  } res;
  unsigned flags;
};
struct cudaResourceViewDesc {
  int format;
  std::size_t width, height, depth;
  unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};
struct cudaTextureDesc {
  cudaTextureAddressMode addressMode[3];
  cudaTextureFilterMode filterMode;
  cudaTextureReadMode readMode;
  int sRGB;
  float borderColor[4];
  int normalizedCoords;
  unsigned maxAnisotropy;
  cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  int disableTrilinearOptimization, seamlessCubemap;
};

inline cudaExtent make_cudaExtent(std::size_t width, std::size_t height, std::size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(std::size_t x, std::size_t y, std::size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *ptr, std::size_t pitch, std::size_t xsize, std::size_t ysize) {
  return {ptr, pitch, xsize, ysize};
}
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }
/// Of no use without a texture, whose maker is an error.
template <typename T> cudaChannelFormatDesc cudaCreateChannelDesc() { return {8 * sizeof(T), 0, 0, 0, cudaChannelFormatKindNone}; }

#define KPERF_HOST_TEXTURE_ADVICE "read the memory behind it by a pointer where KPERF_HOST_TARGET is defined"
#define KPERF_HOST_TEXTURE(name) KPERF_HOST_UNSUPPORTED(name, KPERF_HOST_TEXTURE_ADVICE)
KPERF_HOST_TEXTURE(tex1Dfetch)
KPERF_HOST_TEXTURE(tex1D)
KPERF_HOST_TEXTURE(tex1DLod)
KPERF_HOST_TEXTURE(tex1DGrad)
KPERF_HOST_TEXTURE(tex1DLayered)
KPERF_HOST_TEXTURE(tex2D)
KPERF_HOST_TEXTURE(tex2DLod)
KPERF_HOST_TEXTURE(tex2DGrad)
KPERF_HOST_TEXTURE(tex2Dgather)
KPERF_HOST_TEXTURE(tex2DLayered)
KPERF_HOST_TEXTURE(tex2DLayeredLod)
KPERF_HOST_TEXTURE(tex3D)
KPERF_HOST_TEXTURE(tex3DLod)
KPERF_HOST_TEXTURE(tex3DGrad)
KPERF_HOST_TEXTURE(texCubemap)
KPERF_HOST_TEXTURE(texCubemapLod)
KPERF_HOST_TEXTURE(texCubemapLayered)
KPERF_HOST_TEXTURE(surf1Dread)
KPERF_HOST_TEXTURE(surf1Dwrite)
KPERF_HOST_TEXTURE(surf2Dread)
KPERF_HOST_TEXTURE(surf2Dwrite)
KPERF_HOST_TEXTURE(surf2DLayeredread)
KPERF_HOST_TEXTURE(surf2DLayeredwrite)
KPERF_HOST_TEXTURE(surf3Dread)
KPERF_HOST_TEXTURE(surf3Dwrite)
KPERF_HOST_UNSUPPORTED_CALL(cudaCreateTextureObject, KPERF_HOST_TEXTURE_ADVICE)
KPERF_HOST_UNSUPPORTED_CALL(cudaCreateSurfaceObject, KPERF_HOST_TEXTURE_ADVICE)
#undef KPERF_HOST_TEXTURE
#undef KPERF_HOST_TEXTURE_ADVICE

#define KPERF_HOST_ARRAY(name)                                                                                                             \
  KPERF_HOST_UNSUPPORTED_CALL(name, "allocate with cudaMalloc and copy with cudaMemcpy2D where KPERF_HOST_TARGET is defined")
KPERF_HOST_ARRAY(cudaMallocArray)
KPERF_HOST_ARRAY(cudaMalloc3DArray)
KPERF_HOST_ARRAY(cudaMallocMipmappedArray)
KPERF_HOST_ARRAY(cudaGetMipmappedArrayLevel)
KPERF_HOST_ARRAY(cudaMemcpyToArray)
KPERF_HOST_ARRAY(cudaMemcpyFromArray)
KPERF_HOST_ARRAY(cudaMemcpy2DToArray)
KPERF_HOST_ARRAY(cudaMemcpy2DToArrayAsync)
KPERF_HOST_ARRAY(cudaMemcpy2DFromArray)
KPERF_HOST_ARRAY(cudaMemcpy2DFromArrayAsync)
#undef KPERF_HOST_ARRAY
KPERF_HOST_UNSUPPORTED_CALL(cudaMalloc3D, "allocate with cudaMalloc and compute the pitches where KPERF_HOST_TARGET is defined")

// What makes one is an error: these need not say it again.
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t) { return cudaSuccess; }
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t) { return cudaSuccess; }
inline cudaError_t cudaFreeArray(cudaArray_t) { return cudaSuccess; }
inline cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t) { return cudaSuccess; }

#endif
