using real = float;
__device__ __forceinline__ real fma_rn(const real a, const real b, const real c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ real div_rn(const real a, const real b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ real rcp_rn(const real a) { return __frcp_rn(a); }
__device__ __forceinline__ real sqrt_rn(const real a) { return __fsqrt_rn(a); }
__device__ __forceinline__ real smaller(const real a, const real b) { return a < b ? a : b; }
__device__ __forceinline__ real larger(const real a, const real b) { return a > b ? a : b; }
// What is stored of a value is so many times as large as it is here.
constexpr real unit = 1.0f;
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
using stored = unsigned short;
__device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * (1 / unit); }
__device__ __forceinline__ stored encode(const real x) { return f32_to_f16(x * unit); }

// Nodes side by side along x, moved between memory and registers at once. A neighbour along x in the same pack of
// nodes is at hand; the one at the pack's end comes from the thread beside, or, at the end of a warp, from memory.
template <int N> struct alignas(N * sizeof(stored)) Pack { stored value[N]; };

template <int N, int Q>
__device__ __forceinline__ void read(real (&h)[N][Q], const int i, const stored* const at) {
    const Pack<N> pack = *reinterpret_cast<const Pack<N>*>(at);
#pragma unroll
    for (int n = 0; n < N; ++n) h[n][i] = decode(pack.value[n]);
}

template <int N, int Q>
__device__ __forceinline__ void read_from_west(
    real (&h)[N][Q], const int i, const stored* const at, const stored* const west, const bool first
) {
    const Pack<N> pack = *reinterpret_cast<const Pack<N>*>(at);
    real end = __shfl_up_sync(0xffffffffu, decode(pack.value[N - 1]), 1);
    if (first) end = decode(*west);
    h[0][i] = end;
#pragma unroll
    for (int n = 1; n < N; ++n) h[n][i] = decode(pack.value[n - 1]);
}

template <int N, int Q>
__device__ __forceinline__ void read_from_east(
    real (&h)[N][Q], const int i, const stored* const at, const stored* const east, const bool last
) {
    const Pack<N> pack = *reinterpret_cast<const Pack<N>*>(at);
    real end = __shfl_down_sync(0xffffffffu, decode(pack.value[0]), 1);
    if (last) end = decode(*east);
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) h[n][i] = decode(pack.value[n + 1]);
    h[N - 1][i] = end;
}

template <int N, int Q>
__device__ __forceinline__ void write(stored* const at, const real (&post)[N][Q], const int i) {
    Pack<N> pack;
#pragma unroll
    for (int n = 0; n < N; ++n) pack.value[n] = encode(post[n][i]);
    *reinterpret_cast<Pack<N>*>(at) = pack;
}

// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
}

// What leaves the nodes of a pack along x comes to the nodes beside; at the pack's end it comes from the thread beside, or,
// at the end of a warp, was rebuilt here.
template <int N, int Q>
__device__ __forceinline__ void arrive_from_west(
    real (&h)[N][Q], const int i, const real (&leaving)[N][Q], const real end, const bool first
) {
    const real beside = __shfl_up_sync(0xffffffffu, leaving[N - 1][i], 1);
    h[0][i] = first ? end : beside;
#pragma unroll
    for (int n = 1; n < N; ++n) h[n][i] = leaving[n - 1][i];
}

template <int N, int Q>
__device__ __forceinline__ void arrive_from_east(
    real (&h)[N][Q], const int i, const real (&leaving)[N][Q], const real end, const bool last
) {
    const real beside = __shfl_down_sync(0xffffffffu, leaving[0][i], 1);
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) h[n][i] = leaving[n + 1][i];
    h[N - 1][i] = last ? end : beside;
}

// Asks for what will be read soon.
__device__ __forceinline__ void prefetch(const stored* const at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(at)));
#else
    (void)at;
#endif
}

// Of a bit a node those from this index on.
__device__ __forceinline__ unsigned bits_at(const unsigned* __restrict__ bits, const size_t index, const unsigned mask) {
    return bits[index >> 5] >> (index & 31u) & mask;
}

// The population of each direction that leaves a node, from its moments.
__device__ __forceinline__ real rebuild_0(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real post_0 = 0.33333334f * isotropic_post;
    population = post_0;
    return population;
}
__device__ __forceinline__ real rebuild_1(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_1 = fma_rn(0.16666667f, j_x_post, even_0);
    population = post_1;
    return population;
}
__device__ __forceinline__ real rebuild_2(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_2 = fma_rn(-0.16666667f, j_x_post, even_0);
    population = post_2;
    return population;
}
__device__ __forceinline__ real rebuild_3(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_3 = fma_rn(0.16666667f, j_y_post, even_1);
    population = post_3;
    return population;
}
__device__ __forceinline__ real rebuild_4(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_4 = fma_rn(-0.16666667f, j_y_post, even_1);
    population = post_4;
    return population;
}
__device__ __forceinline__ real rebuild_5(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_5 = fma_rn(0.16666667f, j_z_post, even_2);
    population = post_5;
    return population;
}
__device__ __forceinline__ real rebuild_6(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_6 = fma_rn(-0.16666667f, j_z_post, even_2);
    population = post_6;
    return population;
}
__device__ __forceinline__ real rebuild_7(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_7 = even_3 + odd_3;
    population = post_7;
    return population;
}
__device__ __forceinline__ real rebuild_8(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_8 = even_3 - odd_3;
    population = post_8;
    return population;
}
__device__ __forceinline__ real rebuild_9(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_9 = even_4 + odd_4;
    population = post_9;
    return population;
}
__device__ __forceinline__ real rebuild_10(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_10 = even_4 - odd_4;
    population = post_10;
    return population;
}
__device__ __forceinline__ real rebuild_11(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_11 = even_5 + odd_5;
    population = post_11;
    return population;
}
__device__ __forceinline__ real rebuild_12(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_12 = even_5 - odd_5;
    population = post_12;
    return population;
}
__device__ __forceinline__ real rebuild_13(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_13 = even_6 + odd_6;
    population = post_13;
    return population;
}
__device__ __forceinline__ real rebuild_14(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_14 = even_6 - odd_6;
    population = post_14;
    return population;
}
__device__ __forceinline__ real rebuild_15(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_15 = even_7 + odd_7;
    population = post_15;
    return population;
}
__device__ __forceinline__ real rebuild_16(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_16 = even_7 - odd_7;
    population = post_16;
    return population;
}
__device__ __forceinline__ real rebuild_17(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_17 = even_8 + odd_8;
    population = post_17;
    return population;
}
__device__ __forceinline__ real rebuild_18(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_18 = even_8 - odd_8;
    population = post_18;
    return population;
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[2]; };

// The collision of one node, to the moments that carry it.
__device__ __forceinline__ void gather(const real (&h)[19], const real (&k)[2], real (&m)[10]) {
    // k[0] = 1 - omega
    // k[1] = 3/2 - 3/2 omega
    const real t_5 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    const real t_6 = h[4] + h[18];
    const real t_11 = t_5 + t_6;
    const real t_3 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    const real t_4 = h[2] + h[12];
    const real t_10 = t_3 + t_4;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_11;
    const real t_1 = h[7] + h[8];
    const real t_8 = h[7] - h[8];
    const real waiting_x_part_1 = t_3 + t_8;
    const real waiting_y_part_1 = t_5 + t_8;
    const real waiting_y_part_2 = waiting_y_part_1 - t_6;
    const real t_2 = h[13] + h[14];
    const real t_9 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_9;
    const real waiting_x_part_2 = waiting_x_part_1 + t_9;
    const real waiting_x = waiting_x_part_2 - t_4;
    const real waiting_xy = t_1 - t_2;
    const real t_7 = t_1 + t_2;
    const real waiting_yy = t_7 + t_11;
    const real t_12 = t_7 + t_10;
    const real waiting_0 = waiting_0_part_2 + t_12;
    const real t_2_late = h[16] + h[17];
    const real t_6_late = h[16] - h[17];
    const real j_y = waiting_y - t_6_late;
    m[2] = j_y;
    const real pi_neq_1_2_part_1 = waiting_yz + t_6_late;
    const real pi_neq_1_1_part_1 = waiting_yy + t_2_late;
    const real t_1_late = h[10] + h[11];
    const real t_5_late = h[10] - h[11];
    const real t_3_late = h[6] + t_1_late;
    const real t_4_late = t_2_late + t_3_late;
    const real pi_neq_0_0_part_1 = t_12 + t_1_late;
    const real delta_rho = waiting_0 + t_4_late;
    const real j_x = waiting_x - t_5_late;
    m[1] = j_x;
    const real pi_neq_0_2_part_1 = waiting_xz + t_5_late;
    const real rho = 32768.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real p_xx_post = fma_rn(k[0], pi_neq_0_0, flux_xx);
    m[4] = p_xx_post;
    const real u_y = inverse_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_9_late = pi_neq_0_0 + pi_neq_1_1;
    const real p_yy_post = fma_rn(k[0], pi_neq_1_1, flux_yy);
    m[7] = p_yy_post;
    const real t_7_late = flux_xx + flux_yy;
    const real isotropic_post_part_1 = fma_rn(-k[1], t_9_late, delta_rho);
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = waiting_xy - flux_xy;
    const real p_xy_post = fma_rn(k[0], pi_neq_0_1, flux_xy);
    m[5] = p_xy_post;
    const real j_z = waiting_z - t_4_late;
    m[3] = j_z;
    const real pi_neq_2_2_part_1 = waiting_z + t_4_late;
    const real u_z = inverse_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_8_late = fma_rn(k[0], pi_neq_2_2, flux_zz);
    m[9] = t_8_late;
    const real t_10_late = t_7_late + t_8_late;
    const real isotropic_post = fma_rn(-1.5f, t_10_late, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post = fma_rn(k[0], pi_neq_0_2, flux_xz);
    m[6] = p_xz_post;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real p_yz_post = fma_rn(k[0], pi_neq_1_2, flux_yz);
    m[8] = p_yz_post;
}

// The same in two parts: what is known before the populations that come down, and what these make of it.
__device__ __forceinline__ void early(const real (&h)[19], real (&c)[9]) {
    const real t_5 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    c[8] = waiting_yz;
    const real t_6 = h[4] + h[18];
    const real t_11 = t_5 + t_6;
    const real t_3 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    c[6] = waiting_xz;
    const real t_4 = h[2] + h[12];
    const real t_10 = t_3 + t_4;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    c[3] = waiting_z;
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_11;
    const real t_1 = h[7] + h[8];
    const real t_8 = h[7] - h[8];
    const real waiting_x_part_1 = t_3 + t_8;
    const real waiting_y_part_1 = t_5 + t_8;
    const real waiting_y_part_2 = waiting_y_part_1 - t_6;
    const real t_2 = h[13] + h[14];
    const real t_9 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_9;
    c[2] = waiting_y;
    const real waiting_x_part_2 = waiting_x_part_1 + t_9;
    const real waiting_x = waiting_x_part_2 - t_4;
    c[1] = waiting_x;
    const real waiting_xy = t_1 - t_2;
    c[5] = waiting_xy;
    const real t_7 = t_1 + t_2;
    const real waiting_yy = t_7 + t_11;
    c[7] = waiting_yy;
    const real t_12 = t_7 + t_10;
    c[4] = t_12;
    const real waiting_0 = waiting_0_part_2 + t_12;
    c[0] = waiting_0;
}

__device__ __forceinline__ void late(
    const real (&c)[9], const real (&h)[19], const real (&k)[2], real (&m)[10]
) {
    const real t_2 = h[16] + h[17];
    const real t_6 = h[16] - h[17];
    const real j_y = c[2] - t_6;
    m[2] = j_y;
    const real pi_neq_1_2_part_1 = c[8] + t_6;
    const real pi_neq_1_1_part_1 = c[7] + t_2;
    const real t_1 = h[10] + h[11];
    const real t_5 = h[10] - h[11];
    const real t_3 = h[6] + t_1;
    const real t_4 = t_2 + t_3;
    const real pi_neq_0_0_part_1 = c[4] + t_1;
    const real delta_rho = c[0] + t_4;
    const real j_x = c[1] - t_5;
    m[1] = j_x;
    const real pi_neq_0_2_part_1 = c[6] + t_5;
    const real rho = 32768.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real p_xx_post = fma_rn(k[0], pi_neq_0_0, flux_xx);
    m[4] = p_xx_post;
    const real u_y = inverse_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_9 = pi_neq_0_0 + pi_neq_1_1;
    const real p_yy_post = fma_rn(k[0], pi_neq_1_1, flux_yy);
    m[7] = p_yy_post;
    const real t_7 = flux_xx + flux_yy;
    const real isotropic_post_part_1 = fma_rn(-k[1], t_9, delta_rho);
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = c[5] - flux_xy;
    const real p_xy_post = fma_rn(k[0], pi_neq_0_1, flux_xy);
    m[5] = p_xy_post;
    const real j_z = c[3] - t_4;
    m[3] = j_z;
    const real pi_neq_2_2_part_1 = c[3] + t_4;
    const real u_z = inverse_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_8 = fma_rn(k[0], pi_neq_2_2, flux_zz);
    m[9] = t_8;
    const real t_10 = t_7 + t_8;
    const real isotropic_post = fma_rn(-1.5f, t_10, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post = fma_rn(k[0], pi_neq_0_2, flux_xz);
    m[6] = p_xz_post;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real p_yz_post = fma_rn(k[0], pi_neq_1_2, flux_yz);
    m[8] = p_yz_post;
}

// A time step: each thread marches along z through one of 2 parts of the box, 4 nodes wide.
extern "C" __global__ void __launch_bounds__(128) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const size_t nx,
    const size_t ny,
    const size_t nz,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms
) {
    const unsigned x_thread = 4u * (32u * blockIdx.x + threadIdx.x);
    const unsigned x = x_thread <= nx - 4u ? x_thread : nx - 4u;
    const unsigned y_thread = 4u * blockIdx.y + threadIdx.y;
    const unsigned y = y_thread <= ny - 1u ? y_thread : ny - 1u;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u || x + 4u >= nx;
    const unsigned begin = (size_t)nz * blockIdx.z / 2u, end = (size_t)nz * (blockIdx.z + 1u) / 2u;
    const unsigned xm1 = x < 1u ? x + (nx - 1u) : x - 1u;
    const unsigned xp1 = x < (nx - 4u) ? x + 4u : x - (nx - 4u);
    const unsigned ym1 = y < 1u ? y + (ny - 1u) : y - 1u;
    const unsigned yp1 = y < (ny - 1u) ? y + 1u : y - (ny - 1u);
    const unsigned beside = first ? xm1 : xp1;
    // What waits: sums for the plane below, and populations on their way up, for the plane at hand.
    real waiting[4][9] = {}, rising[4][5] = {};
    extern __shared__ real exchange[];
    const unsigned thread = threadIdx.x + 32u * (threadIdx.y + 4u * threadIdx.z);
    // Of the planes met last, a bit for each node that is solid or in lists.
    unsigned special = 0u;
    unsigned* const lost_at = reinterpret_cast<unsigned*>(exchange + 5120u) + thread;
    real* const back = exchange + 0u + thread;
#pragma unroll 1
    for (unsigned number = 0; number < end - begin + 2u; ++number) {
        // From the plane below the first one to that above the last.
        const unsigned above = begin + number;
        const unsigned z = above == 0u ? nz - 1u : above > nz ? 0u : above - 1u;
        real h[4][19];
        const unsigned z_next = above >= nz ? above - nz : above;
        const size_t node_next = x + nx * (y + ny * z_next);
        prefetch(&source[node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[128u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[256u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[384u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[512u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[640u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[768u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[896u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[1024u + node_next / 128u * 1280u + node_next % 128u]);
        prefetch(&source[1152u + node_next / 128u * 1280u + node_next % 128u]);
        const size_t node_0 = x + nx * (ym1 + ny * z);
        real m_0[4][10];
        read(m_0, 0, &source[node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 1, &source[128u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 2, &source[256u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 3, &source[384u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 4, &source[512u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 5, &source[640u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 7, &source[896u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 8, &source[1024u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 9, &source[1152u + node_0 / 128u * 1280u + node_0 % 128u]);
        const size_t node_1 = x + nx * (y + ny * z);
        real m_1[4][10];
        read(m_1, 0, &source[node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 1, &source[128u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 2, &source[256u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 3, &source[384u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 4, &source[512u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 5, &source[640u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 6, &source[768u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 7, &source[896u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 8, &source[1024u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 9, &source[1152u + node_1 / 128u * 1280u + node_1 % 128u]);
        const size_t node_2 = x + nx * (yp1 + ny * z);
        real m_2[4][10];
        read(m_2, 0, &source[node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 1, &source[128u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 2, &source[256u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 3, &source[384u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 4, &source[512u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 5, &source[640u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 7, &source[896u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 8, &source[1024u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 9, &source[1152u + node_2 / 128u * 1280u + node_2 % 128u]);
        real e_0[10] = {};
        real e_1[10] = {};
        real e_2[10] = {};
        if (first || last) {
            const size_t end_0 = beside + nx * (ym1 + ny * z);
            e_0[0] = decode(source[end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[1] = decode(source[128u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[2] = decode(source[256u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[4] = decode(source[512u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[5] = decode(source[640u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[7] = decode(source[896u + end_0 / 128u * 1280u + end_0 % 128u]);
            const size_t end_1 = beside + nx * (y + ny * z);
            e_1[0] = decode(source[end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[1] = decode(source[128u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[3] = decode(source[384u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[4] = decode(source[512u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[6] = decode(source[768u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[9] = decode(source[1152u + end_1 / 128u * 1280u + end_1 % 128u]);
            const size_t end_2 = beside + nx * (yp1 + ny * z);
            e_2[0] = decode(source[end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[1] = decode(source[128u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[2] = decode(source[256u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[4] = decode(source[512u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[5] = decode(source[640u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[7] = decode(source[896u + end_2 / 128u * 1280u + end_2 % 128u]);
        }
        special <<= 4;
        if (number - 1u < end - begin) special |= bits_at(skip, x + nx * (y + ny * z), 15u);
        h[0][3] = rebuild_3(m_0[0]);
        h[1][3] = rebuild_3(m_0[1]);
        h[2][3] = rebuild_3(m_0[2]);
        h[3][3] = rebuild_3(m_0[3]);
        h[0][15] = rebuild_15(m_0[0]);
        h[1][15] = rebuild_15(m_0[1]);
        h[2][15] = rebuild_15(m_0[2]);
        h[3][15] = rebuild_15(m_0[3]);
        h[0][17] = rebuild_17(m_0[0]);
        h[1][17] = rebuild_17(m_0[1]);
        h[2][17] = rebuild_17(m_0[2]);
        h[3][17] = rebuild_17(m_0[3]);
        {
            real leaving[4][19];
            leaving[0][7] = rebuild_7(m_0[0]);
            leaving[1][7] = rebuild_7(m_0[1]);
            leaving[2][7] = rebuild_7(m_0[2]);
            leaving[3][7] = rebuild_7(m_0[3]);
            leaving[0][14] = rebuild_14(m_0[0]);
            leaving[1][14] = rebuild_14(m_0[1]);
            leaving[2][14] = rebuild_14(m_0[2]);
            leaving[3][14] = rebuild_14(m_0[3]);
            arrive_from_west(h, 7, leaving, rebuild_7(e_0), first);
            arrive_from_east(h, 14, leaving, rebuild_14(e_0), last);
        }
        h[0][4] = rebuild_4(m_2[0]);
        h[1][4] = rebuild_4(m_2[1]);
        h[2][4] = rebuild_4(m_2[2]);
        h[3][4] = rebuild_4(m_2[3]);
        h[0][16] = rebuild_16(m_2[0]);
        h[1][16] = rebuild_16(m_2[1]);
        h[2][16] = rebuild_16(m_2[2]);
        h[3][16] = rebuild_16(m_2[3]);
        h[0][18] = rebuild_18(m_2[0]);
        h[1][18] = rebuild_18(m_2[1]);
        h[2][18] = rebuild_18(m_2[2]);
        h[3][18] = rebuild_18(m_2[3]);
        {
            real leaving[4][19];
            leaving[0][8] = rebuild_8(m_2[0]);
            leaving[1][8] = rebuild_8(m_2[1]);
            leaving[2][8] = rebuild_8(m_2[2]);
            leaving[3][8] = rebuild_8(m_2[3]);
            leaving[0][13] = rebuild_13(m_2[0]);
            leaving[1][13] = rebuild_13(m_2[1]);
            leaving[2][13] = rebuild_13(m_2[2]);
            leaving[3][13] = rebuild_13(m_2[3]);
            arrive_from_east(h, 8, leaving, rebuild_8(e_2), last);
            arrive_from_west(h, 13, leaving, rebuild_13(e_2), first);
        }
        if ((special >> 0 & 255u) != 0u) {
            if (special & 1u) {
                const size_t index = x + nx * (y + ny * z);
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 512u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            if (special >> 1 & 1u) {
                const size_t index = x + nx * (y + ny * z) + 1u;
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 512u + 128u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            if (special >> 2 & 1u) {
                const size_t index = x + nx * (y + ny * z) + 2u;
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 512u + 256u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            if (special >> 3 & 1u) {
                const size_t index = x + nx * (y + ny * z) + 3u;
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 512u + 384u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            const unsigned lost_below_0 = (special >> 4 & 1u) ? lost_at[((number + 1u) & 1u) * 512u] : 0u;
            if ((lost_below_0 >> 16 & 1u)) h[0][16] = back[4096u];
            if ((lost_below_0 >> 17 & 1u)) h[0][17] = back[4608u];
            const unsigned lost_below_1 = (special >> 5 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 128u] : 0u;
            if ((lost_below_1 >> 16 & 1u)) h[1][16] = back[4224u];
            if ((lost_below_1 >> 17 & 1u)) h[1][17] = back[4736u];
            const unsigned lost_below_2 = (special >> 6 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 256u] : 0u;
            if ((lost_below_2 >> 16 & 1u)) h[2][16] = back[4352u];
            if ((lost_below_2 >> 17 & 1u)) h[2][17] = back[4864u];
            const unsigned lost_below_3 = (special >> 7 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 384u] : 0u;
            if ((lost_below_3 >> 16 & 1u)) h[3][16] = back[4480u];
            if ((lost_below_3 >> 17 & 1u)) h[3][17] = back[4992u];
            if (special & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 512u];
                const size_t index = x + nx * (y + ny * z);
                const unsigned link = lost == 1u ? 0u : links[number_linked(linked, ranks, index)];
                if (lost >> 1 & 1u) back[0u] = rebuild_2(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1u)] + 1u];
                if (lost >> 2 & 1u) back[512u] = rebuild_1(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 3u)] + 2u];
                if (lost >> 3 & 1u) h[0][3] = rebuild_4(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 7u)] + 3u];
                if (lost >> 4 & 1u) h[0][4] = rebuild_3(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 15u)] + 4u];
                if (lost >> 5 & 1u) rising[0][0] = rebuild_6(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 31u)] + 5u];
                if (lost >> 6 & 1u) back[1024u + (number & 1u) * 512u] = rebuild_5(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 63u)] + 6u];
                if (lost >> 7 & 1u) h[0][7] = rebuild_8(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 127u)] + 7u];
                if (lost >> 8 & 1u) h[0][8] = rebuild_7(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 255u)] + 8u];
                if (lost >> 9 & 1u) rising[0][1] = rebuild_10(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 511u)] + 9u];
                if (lost >> 10 & 1u) back[2048u + (number & 1u) * 512u] = rebuild_9(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1023u)] + 10u];
                if (lost >> 11 & 1u) back[3072u + (number & 1u) * 512u] = rebuild_12(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 2047u)] + 11u];
                if (lost >> 12 & 1u) rising[0][2] = rebuild_11(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 4095u)] + 12u];
                if (lost >> 13 & 1u) h[0][13] = rebuild_14(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 8191u)] + 13u];
                if (lost >> 14 & 1u) h[0][14] = rebuild_13(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 16383u)] + 14u];
                if (lost >> 15 & 1u) rising[0][3] = rebuild_16(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 32767u)] + 15u];
                if (lost >> 16 & 1u) back[4096u] = rebuild_15(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 65535u)] + 16u];
                if (lost >> 17 & 1u) back[4608u] = rebuild_18(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 131071u)] + 17u];
                if (lost >> 18 & 1u) rising[0][4] = rebuild_17(m_1[0]) + 32768.0f * terms[19u * walls[link + __popc(lost & 262143u)] + 18u];
            }
            if (special >> 1 & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 512u + 128u];
                const size_t index = x + nx * (y + ny * z) + 1u;
                const unsigned link = lost == 1u ? 0u : links[number_linked(linked, ranks, index)];
                if (lost >> 1 & 1u) back[128u] = rebuild_2(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1u)] + 1u];
                if (lost >> 2 & 1u) back[640u] = rebuild_1(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 3u)] + 2u];
                if (lost >> 3 & 1u) h[1][3] = rebuild_4(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 7u)] + 3u];
                if (lost >> 4 & 1u) h[1][4] = rebuild_3(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 15u)] + 4u];
                if (lost >> 5 & 1u) rising[1][0] = rebuild_6(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 31u)] + 5u];
                if (lost >> 6 & 1u) back[1152u + (number & 1u) * 512u] = rebuild_5(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 63u)] + 6u];
                if (lost >> 7 & 1u) h[1][7] = rebuild_8(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 127u)] + 7u];
                if (lost >> 8 & 1u) h[1][8] = rebuild_7(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 255u)] + 8u];
                if (lost >> 9 & 1u) rising[1][1] = rebuild_10(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 511u)] + 9u];
                if (lost >> 10 & 1u) back[2176u + (number & 1u) * 512u] = rebuild_9(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1023u)] + 10u];
                if (lost >> 11 & 1u) back[3200u + (number & 1u) * 512u] = rebuild_12(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 2047u)] + 11u];
                if (lost >> 12 & 1u) rising[1][2] = rebuild_11(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 4095u)] + 12u];
                if (lost >> 13 & 1u) h[1][13] = rebuild_14(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 8191u)] + 13u];
                if (lost >> 14 & 1u) h[1][14] = rebuild_13(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 16383u)] + 14u];
                if (lost >> 15 & 1u) rising[1][3] = rebuild_16(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 32767u)] + 15u];
                if (lost >> 16 & 1u) back[4224u] = rebuild_15(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 65535u)] + 16u];
                if (lost >> 17 & 1u) back[4736u] = rebuild_18(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 131071u)] + 17u];
                if (lost >> 18 & 1u) rising[1][4] = rebuild_17(m_1[1]) + 32768.0f * terms[19u * walls[link + __popc(lost & 262143u)] + 18u];
            }
            if (special >> 2 & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 512u + 256u];
                const size_t index = x + nx * (y + ny * z) + 2u;
                const unsigned link = lost == 1u ? 0u : links[number_linked(linked, ranks, index)];
                if (lost >> 1 & 1u) back[256u] = rebuild_2(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1u)] + 1u];
                if (lost >> 2 & 1u) back[768u] = rebuild_1(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 3u)] + 2u];
                if (lost >> 3 & 1u) h[2][3] = rebuild_4(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 7u)] + 3u];
                if (lost >> 4 & 1u) h[2][4] = rebuild_3(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 15u)] + 4u];
                if (lost >> 5 & 1u) rising[2][0] = rebuild_6(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 31u)] + 5u];
                if (lost >> 6 & 1u) back[1280u + (number & 1u) * 512u] = rebuild_5(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 63u)] + 6u];
                if (lost >> 7 & 1u) h[2][7] = rebuild_8(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 127u)] + 7u];
                if (lost >> 8 & 1u) h[2][8] = rebuild_7(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 255u)] + 8u];
                if (lost >> 9 & 1u) rising[2][1] = rebuild_10(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 511u)] + 9u];
                if (lost >> 10 & 1u) back[2304u + (number & 1u) * 512u] = rebuild_9(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1023u)] + 10u];
                if (lost >> 11 & 1u) back[3328u + (number & 1u) * 512u] = rebuild_12(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 2047u)] + 11u];
                if (lost >> 12 & 1u) rising[2][2] = rebuild_11(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 4095u)] + 12u];
                if (lost >> 13 & 1u) h[2][13] = rebuild_14(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 8191u)] + 13u];
                if (lost >> 14 & 1u) h[2][14] = rebuild_13(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 16383u)] + 14u];
                if (lost >> 15 & 1u) rising[2][3] = rebuild_16(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 32767u)] + 15u];
                if (lost >> 16 & 1u) back[4352u] = rebuild_15(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 65535u)] + 16u];
                if (lost >> 17 & 1u) back[4864u] = rebuild_18(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 131071u)] + 17u];
                if (lost >> 18 & 1u) rising[2][4] = rebuild_17(m_1[2]) + 32768.0f * terms[19u * walls[link + __popc(lost & 262143u)] + 18u];
            }
            if (special >> 3 & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 512u + 384u];
                const size_t index = x + nx * (y + ny * z) + 3u;
                const unsigned link = lost == 1u ? 0u : links[number_linked(linked, ranks, index)];
                if (lost >> 1 & 1u) back[384u] = rebuild_2(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1u)] + 1u];
                if (lost >> 2 & 1u) back[896u] = rebuild_1(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 3u)] + 2u];
                if (lost >> 3 & 1u) h[3][3] = rebuild_4(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 7u)] + 3u];
                if (lost >> 4 & 1u) h[3][4] = rebuild_3(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 15u)] + 4u];
                if (lost >> 5 & 1u) rising[3][0] = rebuild_6(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 31u)] + 5u];
                if (lost >> 6 & 1u) back[1408u + (number & 1u) * 512u] = rebuild_5(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 63u)] + 6u];
                if (lost >> 7 & 1u) h[3][7] = rebuild_8(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 127u)] + 7u];
                if (lost >> 8 & 1u) h[3][8] = rebuild_7(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 255u)] + 8u];
                if (lost >> 9 & 1u) rising[3][1] = rebuild_10(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 511u)] + 9u];
                if (lost >> 10 & 1u) back[2432u + (number & 1u) * 512u] = rebuild_9(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 1023u)] + 10u];
                if (lost >> 11 & 1u) back[3456u + (number & 1u) * 512u] = rebuild_12(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 2047u)] + 11u];
                if (lost >> 12 & 1u) rising[3][2] = rebuild_11(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 4095u)] + 12u];
                if (lost >> 13 & 1u) h[3][13] = rebuild_14(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 8191u)] + 13u];
                if (lost >> 14 & 1u) h[3][14] = rebuild_13(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 16383u)] + 14u];
                if (lost >> 15 & 1u) rising[3][3] = rebuild_16(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 32767u)] + 15u];
                if (lost >> 16 & 1u) back[4480u] = rebuild_15(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 65535u)] + 16u];
                if (lost >> 17 & 1u) back[4992u] = rebuild_18(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 131071u)] + 17u];
                if (lost >> 18 & 1u) rising[3][4] = rebuild_17(m_1[3]) + 32768.0f * terms[19u * walls[link + __popc(lost & 262143u)] + 18u];
            }
        }
        h[0][0] = rebuild_0(m_1[0]);
        h[1][0] = rebuild_0(m_1[1]);
        h[2][0] = rebuild_0(m_1[2]);
        h[3][0] = rebuild_0(m_1[3]);
        h[0][5] = rebuild_5(m_1[0]);
        h[1][5] = rebuild_5(m_1[1]);
        h[2][5] = rebuild_5(m_1[2]);
        h[3][5] = rebuild_5(m_1[3]);
        h[0][6] = rebuild_6(m_1[0]);
        h[1][6] = rebuild_6(m_1[1]);
        h[2][6] = rebuild_6(m_1[2]);
        h[3][6] = rebuild_6(m_1[3]);
        {
            real leaving[4][19];
            leaving[0][1] = rebuild_1(m_1[0]);
            leaving[1][1] = rebuild_1(m_1[1]);
            leaving[2][1] = rebuild_1(m_1[2]);
            leaving[3][1] = rebuild_1(m_1[3]);
            leaving[0][2] = rebuild_2(m_1[0]);
            leaving[1][2] = rebuild_2(m_1[1]);
            leaving[2][2] = rebuild_2(m_1[2]);
            leaving[3][2] = rebuild_2(m_1[3]);
            leaving[0][9] = rebuild_9(m_1[0]);
            leaving[1][9] = rebuild_9(m_1[1]);
            leaving[2][9] = rebuild_9(m_1[2]);
            leaving[3][9] = rebuild_9(m_1[3]);
            leaving[0][10] = rebuild_10(m_1[0]);
            leaving[1][10] = rebuild_10(m_1[1]);
            leaving[2][10] = rebuild_10(m_1[2]);
            leaving[3][10] = rebuild_10(m_1[3]);
            leaving[0][11] = rebuild_11(m_1[0]);
            leaving[1][11] = rebuild_11(m_1[1]);
            leaving[2][11] = rebuild_11(m_1[2]);
            leaving[3][11] = rebuild_11(m_1[3]);
            leaving[0][12] = rebuild_12(m_1[0]);
            leaving[1][12] = rebuild_12(m_1[1]);
            leaving[2][12] = rebuild_12(m_1[2]);
            leaving[3][12] = rebuild_12(m_1[3]);
            arrive_from_west(h, 1, leaving, rebuild_1(e_1), first);
            arrive_from_east(h, 2, leaving, rebuild_2(e_1), last);
            arrive_from_west(h, 9, leaving, rebuild_9(e_1), first);
            arrive_from_east(h, 10, leaving, rebuild_10(e_1), last);
            arrive_from_west(h, 11, leaving, rebuild_11(e_1), first);
            arrive_from_east(h, 12, leaving, rebuild_12(e_1), last);
        }
        if ((special >> 0 & 255u) != 0u) {
            const unsigned lost_below_0 = (special >> 4 & 1u) ? lost_at[((number + 1u) & 1u) * 512u] : 0u;
            const unsigned lost_0 = (special & 1u) ? lost_at[(number & 1u) * 512u] : 0u;
            if ((lost_0 >> 1 & 1u)) h[0][1] = back[0u];
            if ((lost_0 >> 2 & 1u)) h[0][2] = back[512u];
            if ((lost_below_0 >> 6 & 1u)) h[0][6] = back[1024u + (~number & 1u) * 512u];
            if ((lost_below_0 >> 10 & 1u)) h[0][10] = back[2048u + (~number & 1u) * 512u];
            if ((lost_below_0 >> 11 & 1u)) h[0][11] = back[3072u + (~number & 1u) * 512u];
            const unsigned lost_below_1 = (special >> 5 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 128u] : 0u;
            const unsigned lost_1 = (special >> 1 & 1u) ? lost_at[(number & 1u) * 512u + 128u] : 0u;
            if ((lost_1 >> 1 & 1u)) h[1][1] = back[128u];
            if ((lost_1 >> 2 & 1u)) h[1][2] = back[640u];
            if ((lost_below_1 >> 6 & 1u)) h[1][6] = back[1152u + (~number & 1u) * 512u];
            if ((lost_below_1 >> 10 & 1u)) h[1][10] = back[2176u + (~number & 1u) * 512u];
            if ((lost_below_1 >> 11 & 1u)) h[1][11] = back[3200u + (~number & 1u) * 512u];
            const unsigned lost_below_2 = (special >> 6 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 256u] : 0u;
            const unsigned lost_2 = (special >> 2 & 1u) ? lost_at[(number & 1u) * 512u + 256u] : 0u;
            if ((lost_2 >> 1 & 1u)) h[2][1] = back[256u];
            if ((lost_2 >> 2 & 1u)) h[2][2] = back[768u];
            if ((lost_below_2 >> 6 & 1u)) h[2][6] = back[1280u + (~number & 1u) * 512u];
            if ((lost_below_2 >> 10 & 1u)) h[2][10] = back[2304u + (~number & 1u) * 512u];
            if ((lost_below_2 >> 11 & 1u)) h[2][11] = back[3328u + (~number & 1u) * 512u];
            const unsigned lost_below_3 = (special >> 7 & 1u) ? lost_at[((number + 1u) & 1u) * 512u + 384u] : 0u;
            const unsigned lost_3 = (special >> 3 & 1u) ? lost_at[(number & 1u) * 512u + 384u] : 0u;
            if ((lost_3 >> 1 & 1u)) h[3][1] = back[384u];
            if ((lost_3 >> 2 & 1u)) h[3][2] = back[896u];
            if ((lost_below_3 >> 6 & 1u)) h[3][6] = back[1408u + (~number & 1u) * 512u];
            if ((lost_below_3 >> 10 & 1u)) h[3][10] = back[2432u + (~number & 1u) * 512u];
            if ((lost_below_3 >> 11 & 1u)) h[3][11] = back[3456u + (~number & 1u) * 512u];
        }
        if (number >= 2u) {
            // The plane below is complete.
            const unsigned z = above - 2u;
            real after[4][10];
            late(waiting[0], h[0], uniforms.k, after[0]);
            late(waiting[1], h[1], uniforms.k, after[1]);
            late(waiting[2], h[2], uniforms.k, after[2]);
            late(waiting[3], h[3], uniforms.k, after[3]);
            if ((special >> 4 & 1u) && (lost_at[((number + 1u) & 1u) * 512u] >> 0 & 1u)) {
                after[0][0] = 0;
                after[0][1] = 0;
                after[0][2] = 0;
                after[0][3] = 0;
                after[0][4] = 0;
                after[0][5] = 0;
                after[0][6] = 0;
                after[0][7] = 0;
                after[0][8] = 0;
                after[0][9] = 0;
            }
            if ((special >> 5 & 1u) && (lost_at[((number + 1u) & 1u) * 512u + 128u] >> 0 & 1u)) {
                after[1][0] = 0;
                after[1][1] = 0;
                after[1][2] = 0;
                after[1][3] = 0;
                after[1][4] = 0;
                after[1][5] = 0;
                after[1][6] = 0;
                after[1][7] = 0;
                after[1][8] = 0;
                after[1][9] = 0;
            }
            if ((special >> 6 & 1u) && (lost_at[((number + 1u) & 1u) * 512u + 256u] >> 0 & 1u)) {
                after[2][0] = 0;
                after[2][1] = 0;
                after[2][2] = 0;
                after[2][3] = 0;
                after[2][4] = 0;
                after[2][5] = 0;
                after[2][6] = 0;
                after[2][7] = 0;
                after[2][8] = 0;
                after[2][9] = 0;
            }
            if ((special >> 7 & 1u) && (lost_at[((number + 1u) & 1u) * 512u + 384u] >> 0 & 1u)) {
                after[3][0] = 0;
                after[3][1] = 0;
                after[3][2] = 0;
                after[3][3] = 0;
                after[3][4] = 0;
                after[3][5] = 0;
                after[3][6] = 0;
                after[3][7] = 0;
                after[3][8] = 0;
                after[3][9] = 0;
            }
            if (!(x != x_thread || y != y_thread)) {
                const size_t node = x + nx * (y + ny * z);
                write(&target[node / 128u * 1280u + node % 128u], after, 0);
                write(&target[128u + node / 128u * 1280u + node % 128u], after, 1);
                write(&target[256u + node / 128u * 1280u + node % 128u], after, 2);
                write(&target[384u + node / 128u * 1280u + node % 128u], after, 3);
                write(&target[512u + node / 128u * 1280u + node % 128u], after, 4);
                write(&target[640u + node / 128u * 1280u + node % 128u], after, 5);
                write(&target[768u + node / 128u * 1280u + node % 128u], after, 6);
                write(&target[896u + node / 128u * 1280u + node % 128u], after, 7);
                write(&target[1024u + node / 128u * 1280u + node % 128u], after, 8);
                write(&target[1152u + node / 128u * 1280u + node % 128u], after, 9);
            }
        }
        // What came up meets what stays; what goes up waits in its place.
        { const real up = h[0][5]; h[0][5] = rising[0][0]; rising[0][0] = up; }
        { const real up = h[0][9]; h[0][9] = rising[0][1]; rising[0][1] = up; }
        { const real up = h[0][12]; h[0][12] = rising[0][2]; rising[0][2] = up; }
        { const real up = h[0][15]; h[0][15] = rising[0][3]; rising[0][3] = up; }
        { const real up = h[0][18]; h[0][18] = rising[0][4]; rising[0][4] = up; }
        early(h[0], waiting[0]);
        { const real up = h[1][5]; h[1][5] = rising[1][0]; rising[1][0] = up; }
        { const real up = h[1][9]; h[1][9] = rising[1][1]; rising[1][1] = up; }
        { const real up = h[1][12]; h[1][12] = rising[1][2]; rising[1][2] = up; }
        { const real up = h[1][15]; h[1][15] = rising[1][3]; rising[1][3] = up; }
        { const real up = h[1][18]; h[1][18] = rising[1][4]; rising[1][4] = up; }
        early(h[1], waiting[1]);
        { const real up = h[2][5]; h[2][5] = rising[2][0]; rising[2][0] = up; }
        { const real up = h[2][9]; h[2][9] = rising[2][1]; rising[2][1] = up; }
        { const real up = h[2][12]; h[2][12] = rising[2][2]; rising[2][2] = up; }
        { const real up = h[2][15]; h[2][15] = rising[2][3]; rising[2][3] = up; }
        { const real up = h[2][18]; h[2][18] = rising[2][4]; rising[2][4] = up; }
        early(h[2], waiting[2]);
        { const real up = h[3][5]; h[3][5] = rising[3][0]; rising[3][0] = up; }
        { const real up = h[3][9]; h[3][9] = rising[3][1]; rising[3][1] = up; }
        { const real up = h[3][12]; h[3][12] = rising[3][2]; rising[3][2] = up; }
        { const real up = h[3][15]; h[3][15] = rising[3][3]; rising[3][3] = up; }
        { const real up = h[3][18]; h[3][18] = rising[3][4]; rising[3][4] = up; }
        early(h[3], waiting[3]);
    }
}
