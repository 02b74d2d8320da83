// IEEE binary16, without a header: to f32 exactly, from f32 to nearest even. A device has instructions for both; the
// host computes the same bits.
#ifdef LBM_ON_HOST
__device__ __forceinline__ float f16_to_f32(const unsigned short bits) {
    const unsigned sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1fu, fraction = bits & 0x3ffu;
    if (exponent == 0x1fu) return __uint_as_float(sign | 0x7f800000u | fraction << 13 | (fraction ? 0x400000u : 0u));
    if (exponent != 0u) return __uint_as_float(sign | (exponent + 112u) << 23 | fraction << 13);
    // Below the normal range the value is fraction 2^-24, which f32 holds exactly.
    return __uint_as_float(sign | __float_as_uint(static_cast<float>(fraction) * 0x1p-24f));
}

__device__ __forceinline__ unsigned short f32_to_f16(const float value) {
    const unsigned bits = __float_as_uint(value), sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    if (size > 0x7f800000u) return static_cast<unsigned short>(0x7fffu);
    // From 65520 on the nearest value is infinity.
    if (size >= 0x477ff000u) return static_cast<unsigned short>(sign | 0x7c00u);
    // Adding 0.5 leaves multiples of 2^-24 in the fraction, rounded to nearest even by the addition itself.
    if (size < 0x38800000u) return static_cast<unsigned short>(sign | (__float_as_uint(__uint_as_float(size) + 0.5f) - 0x3f000000u));
    return static_cast<unsigned short>(sign | (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);
}
#else
__device__ __forceinline__ float f16_to_f32(const unsigned short bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

__device__ __forceinline__ unsigned short f32_to_f16(const float value) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}
#endif
