// The words of CUDA C++ that a host compiler does not know: qualifiers, built-in types and variables.
// No header of the standard library is included, as NVRTC has none either: a text that needs one fails here too. The one
// exception comes first, before its words are taken: contexts for processors without a switch of our own.
#ifdef LBM_UCONTEXT
#include <ucontext.h>
#endif
#if !defined(__cplusplus) || __cplusplus < 201703L
#error "kernels are C++17"
#endif
#ifdef __FAST_MATH__
#error "kernels keep IEEE arithmetic: no -ffast-math"
#endif
static_assert(__FLT_EVAL_METHOD__ == 0, "float and double are computed as float and double");

// Lets a text tell the host from a GPU; __CUDA_ARCH__ stays undefined.
#define LBM_ON_HOST 1

#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
// Without a demand: a text with boundary rules calls its conversions thousands of times, and inlining all would take minutes.
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)

// Shared arrays lie in a section of their own, so that the scheduler can hand each block its own copy.
#ifdef __APPLE__
#define LBM_SHARED_SECTION "__DATA,lbm_shared"
#else
#define LBM_SHARED_SECTION "lbm_shared"
#endif
#define __shared__ static __attribute__((section(LBM_SHARED_SECTION)))

typedef decltype(sizeof(0)) size_t;
typedef decltype((char*)0 - (char*)0) ptrdiff_t;

#define LBM_VECTORS(type, name, align1, align2, align4)                                                          \
  struct alignas(align1) name##1 { type x; };                                                                    \
  struct alignas(align2) name##2 { type x, y; };                                                                 \
  struct alignas(align1) name##3 { type x, y, z; };                                                              \
  struct alignas(align4) name##4 { type x, y, z, w; };                                                           \
  static inline name##1 make_##name##1(type x) { return {x}; }                                                   \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                        \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                             \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
LBM_VECTORS(signed char, char, 1, 2, 4)
LBM_VECTORS(unsigned char, uchar, 1, 2, 4)
LBM_VECTORS(short, short, 2, 4, 8)
LBM_VECTORS(unsigned short, ushort, 2, 4, 8)
LBM_VECTORS(int, int, 4, 8, 16)
LBM_VECTORS(unsigned, uint, 4, 8, 16)
LBM_VECTORS(long long, longlong, 8, 16, 16)
LBM_VECTORS(unsigned long long, ulonglong, 8, 16, 16)
LBM_VECTORS(float, float, 4, 8, 16)
LBM_VECTORS(double, double, 8, 16, 16)

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
};

static constexpr int warpSize = 32;
