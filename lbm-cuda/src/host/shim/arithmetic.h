// Arithmetic with one right answer, bit casts, atomics and cached loads. Functions whose bits differ between a GPU and
// a host library (exp, sin, rsqrt, ...) are left out on purpose: a text that calls one does not build here.

#define LBM_ROUNDED(T, letter, sqrt_builtin)                                                                    \
  static inline T __##letter##add_rn(T a, T b) { return a + b; }                                                 \
  static inline T __##letter##sub_rn(T a, T b) { return a - b; }                                                 \
  static inline T __##letter##mul_rn(T a, T b) { return a * b; }                                                 \
  static inline T __##letter##div_rn(T a, T b) { return a / b; }                                                 \
  static inline T __##letter##rcp_rn(T a) { return (T)1 / a; }                                                   \
  static inline T __##letter##sqrt_rn(T a) { return sqrt_builtin(a); }
LBM_ROUNDED(float, f, __builtin_sqrtf)
LBM_ROUNDED(double, d, __builtin_sqrt)
static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

#define LBM_UNARY(name)                                                                                          \
  static inline float name##f(float a) { return __builtin_##name##f(a); }                                        \
  static inline float name(float a) { return __builtin_##name##f(a); }                                           \
  static inline double name(double a) { return __builtin_##name(a); }
LBM_UNARY(sqrt)
LBM_UNARY(fabs)
LBM_UNARY(floor)
LBM_UNARY(ceil)
LBM_UNARY(trunc)
LBM_UNARY(rint)

#define LBM_BINARY(name)                                                                                         \
  static inline float name##f(float a, float b) { return __builtin_##name##f(a, b); }                            \
  static inline float name(float a, float b) { return __builtin_##name##f(a, b); }                               \
  static inline double name(double a, double b) { return __builtin_##name(a, b); }
LBM_BINARY(fmin)
LBM_BINARY(fmax)
LBM_BINARY(copysign)

template <class T> static inline bool isnan(T a) { return __builtin_isnan(a); }
template <class T> static inline bool isinf(T a) { return __builtin_isinf(a); }
template <class T> static inline bool isfinite(T a) { return __builtin_isfinite(a); }

#define LBM_MIN_MAX(T)                                                                                           \
  static inline T min(T a, T b) { return b < a ? b : a; }                                                        \
  static inline T max(T a, T b) { return a < b ? b : a; }
LBM_MIN_MAX(int)
LBM_MIN_MAX(unsigned)
LBM_MIN_MAX(long)
LBM_MIN_MAX(unsigned long)
LBM_MIN_MAX(long long)
LBM_MIN_MAX(unsigned long long)
static inline unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
static inline unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
static inline unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
static inline unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
static inline float min(float a, float b) { return fmin(a, b); }
static inline float max(float a, float b) { return fmax(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }
static inline int abs(int a) { return a < 0 ? -a : a; }
static inline float abs(float a) { return fabs(a); }
static inline double abs(double a) { return fabs(a); }

namespace lbm_shim {
template <class To, class From> static inline To bits_of(From from) {
  static_assert(sizeof(To) == sizeof(From), "a bit cast keeps the size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}
}  // namespace lbm_shim
static inline unsigned __float_as_uint(float a) { return lbm_shim::bits_of<unsigned>(a); }
static inline int __float_as_int(float a) { return lbm_shim::bits_of<int>(a); }
static inline float __uint_as_float(unsigned a) { return lbm_shim::bits_of<float>(a); }
static inline float __int_as_float(int a) { return lbm_shim::bits_of<float>(a); }
static inline long long __double_as_longlong(double a) { return lbm_shim::bits_of<long long>(a); }
static inline double __longlong_as_double(long long a) { return lbm_shim::bits_of<double>(a); }
static inline float __double2float_rn(double a) { return (float)a; }
static inline float __int2float_rn(int a) { return (float)a; }
static inline float __uint2float_rn(unsigned a) { return (float)a; }
static inline double __int2double_rn(int a) { return (double)a; }
static inline double __uint2double_rn(unsigned a) { return (double)a; }
static inline int __float2int_rz(float a) { return (int)a; }
static inline unsigned __float2uint_rz(float a) { return (unsigned)a; }
static inline int __double2int_rz(double a) { return (int)a; }

static inline int __popc(unsigned a) { return __builtin_popcount(a); }
static inline int __popcll(unsigned long long a) { return __builtin_popcountll(a); }
static inline int __ffs(int a) { return __builtin_ffs(a); }
static inline int __ffsll(long long a) { return __builtin_ffsll(a); }
static inline int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
static inline int __clzll(long long a) { return a ? __builtin_clzll((unsigned long long)a) : 64; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
static inline int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}

// One fibre runs at a time, so a plain read and write is atomic. Others get a turn first, which lets a loop that waits
// for them end.
#define LBM_ATOMIC(name, T, expression)                                                                          \
  static inline T name(T* place, T value) {                                                                      \
    lbm_shim::yield();                                                                                           \
    const T old = *(volatile T*)place;                                                                           \
    *(volatile T*)place = (expression);                                                                          \
    return old;                                                                                                  \
  }
#define LBM_ATOMICS(T)                                                                                           \
  LBM_ATOMIC(atomicAdd, T, old + value)                                                                          \
  LBM_ATOMIC(atomicSub, T, old - value)                                                                          \
  LBM_ATOMIC(atomicMin, T, value < old ? value : old)                                                            \
  LBM_ATOMIC(atomicMax, T, old < value ? value : old)                                                            \
  LBM_ATOMIC(atomicAnd, T, old & value)                                                                          \
  LBM_ATOMIC(atomicOr, T, old | value)                                                                           \
  LBM_ATOMIC(atomicXor, T, old ^ value)                                                                          \
  LBM_ATOMIC(atomicExch, T, value)                                                                               \
  static inline T atomicCAS(T* place, T compare, T value) {                                                      \
    lbm_shim::yield();                                                                                           \
    const T old = *(volatile T*)place;                                                                           \
    if (old == compare) *(volatile T*)place = value;                                                             \
    return old;                                                                                                  \
  }
LBM_ATOMICS(int)
LBM_ATOMICS(unsigned)
LBM_ATOMICS(unsigned long long)
LBM_ATOMIC(atomicAdd, float, old + value)
LBM_ATOMIC(atomicAdd, double, old + value)
LBM_ATOMIC(atomicExch, float, value)

#define LBM_CACHED(suffix)                                                                                       \
  template <class T> static inline T __ld##suffix(const T* place) { return *place; }                             \
  template <class T> static inline void __st##suffix(T* place, T value) { *place = value; }
template <class T> static inline T __ldg(const T* place) { return *place; }
LBM_CACHED(ca)
LBM_CACHED(cg)
LBM_CACHED(cs)
LBM_CACHED(cv)
LBM_CACHED(lu)
LBM_CACHED(wb)
LBM_CACHED(wt)
