using real = float;
__device__ __forceinline__ real fma_rn(const real a, const real b, const real c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ real div_rn(const real a, const real b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ real rcp_rn(const real a) { return __frcp_rn(a); }
__device__ __forceinline__ real sqrt_rn(const real a) { return __fsqrt_rn(a); }
__device__ __forceinline__ real smaller(const real a, const real b) { return a < b ? a : b; }
__device__ __forceinline__ real larger(const real a, const real b) { return a > b ? a : b; }
// What is stored of a value is so many times as large as it is here.
constexpr real unit = 1.0f;
// 16-bit formats, without a header: to f32 exactly, from f32 to nearest even. A device has instructions for both; the
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

__device__ __forceinline__ float bf16_to_f32(const unsigned short bits) { return __uint_as_float(static_cast<unsigned>(bits) << 16); }

__device__ __forceinline__ unsigned short f32_to_bf16(const float value) {
    const unsigned bits = __float_as_uint(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<unsigned short>(0x7fffu);
    return static_cast<unsigned short>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
using stored = unsigned short;
__device__ __forceinline__ real decode(const stored x) { return f16_to_f32(x) * (1 / unit); }
__device__ __forceinline__ stored encode(const real x) { return f32_to_f16(x * unit); }

// Nodes side by side along x, moved between memory and registers at once. A neighbour along x in the same group of
// nodes is at hand; the one at the group's end comes from the thread beside, or, at the end of a warp, from memory.
template <int N> struct alignas(N * sizeof(stored)) Group { stored value[N]; };

template <int N, int Q>
__device__ __forceinline__ void read(real (&h)[N][Q], const int i, const stored* const at) {
    const Group<N> group = *reinterpret_cast<const Group<N>*>(at);
#pragma unroll
    for (int n = 0; n < N; ++n) h[n][i] = decode(group.value[n]);
}

template <int N, int Q>
__device__ __forceinline__ void read_from_west(
    real (&h)[N][Q], const int i, const stored* const at, const stored* const west, const bool first
) {
    const Group<N> group = *reinterpret_cast<const Group<N>*>(at);
    real end = __shfl_up_sync(0xffffffffu, decode(group.value[N - 1]), 1);
    if (first) end = decode(*west);
    h[0][i] = end;
#pragma unroll
    for (int n = 1; n < N; ++n) h[n][i] = decode(group.value[n - 1]);
}

template <int N, int Q>
__device__ __forceinline__ void read_from_east(
    real (&h)[N][Q], const int i, const stored* const at, const stored* const east, const bool last
) {
    const Group<N> group = *reinterpret_cast<const Group<N>*>(at);
    real end = __shfl_down_sync(0xffffffffu, decode(group.value[0]), 1);
    if (last) end = decode(*east);
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) h[n][i] = decode(group.value[n + 1]);
    h[N - 1][i] = end;
}

template <int N, int Q>
__device__ __forceinline__ void write(stored* const at, const real (&post)[N][Q], const int i) {
    Group<N> group;
#pragma unroll
    for (int n = 0; n < N; ++n) group.value[n] = encode(post[n][i]);
    *reinterpret_cast<Group<N>*>(at) = group;
}

// What leaves the nodes of a group along x comes to the nodes beside; at the group's end it comes from the thread beside, or,
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

// A time step: each thread marches along z through one of 2 parts of the box, 4 nodes wide. Nodes whose bit of `skip` is set are left to `boundary_0`.
extern "C" __global__ void __launch_bounds__(128) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const size_t nx,
    const size_t ny,
    const size_t nz,
    const unsigned* __restrict__ skip
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
        read(m_1, 3, &source[384u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 4, &source[512u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 6, &source[768u + node_1 / 128u * 1280u + node_1 % 128u]);
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
        if (number >= 2u) {
            // The plane below is complete.
            const unsigned z = above - 2u;
            real after[4][10];
            late(waiting[0], h[0], uniforms.k, after[0]);
            late(waiting[1], h[1], uniforms.k, after[1]);
            late(waiting[2], h[2], uniforms.k, after[2]);
            late(waiting[3], h[3], uniforms.k, after[3]);
            const size_t group = x / 4u + nx / 4u * (y + ny * z);
            if (!(x != x_thread || y != y_thread || skip[group >> 5] >> (group & 31u) & 1u)) {
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

// The same for `count` nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose
// number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.
extern "C" __global__ void __launch_bounds__(128, 1) boundary_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const size_t nx,
    const size_t ny,
    const size_t nz,
    const unsigned count,
    const unsigned* __restrict__ at_walls,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms
) {
    const unsigned number = 128u * blockIdx.x + threadIdx.x;
    if (number >= count) return;
    const unsigned index = at_walls[number];
    const unsigned x = index % nx, y = index / nx % ny, z = index / nx / ny;
    const unsigned lost = missing[number];
    unsigned link = links[number];
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + (nx - 1u) : x - 1u;
    const unsigned xp1 = x < (nx - 1u) ? x + 1u : x - (nx - 1u);
    const unsigned ym1 = y < 1u ? y + (ny - 1u) : y - 1u;
    const unsigned yp1 = y < (ny - 1u) ? y + 1u : y - (ny - 1u);
    const unsigned zm1 = z < 1u ? z + (nz - 1u) : z - 1u;
    const unsigned zp1 = z < (nz - 1u) ? z + 1u : z - (nz - 1u);
    const size_t node_xm1_ym1 = xm1 + nx * (ym1 + ny * z);
    const size_t node_xm1_zm1 = xm1 + nx * (y + ny * zm1);
    const size_t node_xm1 = xm1 + nx * (y + ny * z);
    const size_t node_xm1_zp1 = xm1 + nx * (y + ny * zp1);
    const size_t node_xm1_yp1 = xm1 + nx * (yp1 + ny * z);
    const size_t node_ym1_zm1 = x + nx * (ym1 + ny * zm1);
    const size_t node_ym1 = x + nx * (ym1 + ny * z);
    const size_t node_ym1_zp1 = x + nx * (ym1 + ny * zp1);
    const size_t node_zm1 = x + nx * (y + ny * zm1);
    const size_t node = x + nx * (y + ny * z);
    const size_t node_zp1 = x + nx * (y + ny * zp1);
    const size_t node_yp1_zm1 = x + nx * (yp1 + ny * zm1);
    const size_t node_yp1 = x + nx * (yp1 + ny * z);
    const size_t node_yp1_zp1 = x + nx * (yp1 + ny * zp1);
    const size_t node_xp1_ym1 = xp1 + nx * (ym1 + ny * z);
    const size_t node_xp1_zm1 = xp1 + nx * (y + ny * zm1);
    const size_t node_xp1 = xp1 + nx * (y + ny * z);
    const size_t node_xp1_zp1 = xp1 + nx * (y + ny * zp1);
    const size_t node_xp1_yp1 = xp1 + nx * (yp1 + ny * z);
    real h[19], after[10];
    // Populations that meet here, or come back.
    { real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); h[0] = rebuild_0(m); }
    if (lost >> 1 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); h[1] = rebuild_2(m);
        h[1] = h[1] + 32768.0f * terms[19u * walls[link++] + 1u];
    } else { real m[10]; m[0] = decode(source[node_xm1 / 128u * 1280u + node_xm1 % 128u]); m[1] = decode(source[128u + node_xm1 / 128u * 1280u + node_xm1 % 128u]); m[4] = decode(source[512u + node_xm1 / 128u * 1280u + node_xm1 % 128u]); h[1] = rebuild_1(m); }
    if (lost >> 2 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); h[2] = rebuild_1(m);
        h[2] = h[2] + 32768.0f * terms[19u * walls[link++] + 2u];
    } else { real m[10]; m[0] = decode(source[node_xp1 / 128u * 1280u + node_xp1 % 128u]); m[1] = decode(source[128u + node_xp1 / 128u * 1280u + node_xp1 % 128u]); m[4] = decode(source[512u + node_xp1 / 128u * 1280u + node_xp1 % 128u]); h[2] = rebuild_2(m); }
    if (lost >> 3 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[3] = rebuild_4(m);
        h[3] = h[3] + 32768.0f * terms[19u * walls[link++] + 3u];
    } else { real m[10]; m[0] = decode(source[node_ym1 / 128u * 1280u + node_ym1 % 128u]); m[2] = decode(source[256u + node_ym1 / 128u * 1280u + node_ym1 % 128u]); m[7] = decode(source[896u + node_ym1 / 128u * 1280u + node_ym1 % 128u]); h[3] = rebuild_3(m); }
    if (lost >> 4 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[4] = rebuild_3(m);
        h[4] = h[4] + 32768.0f * terms[19u * walls[link++] + 4u];
    } else { real m[10]; m[0] = decode(source[node_yp1 / 128u * 1280u + node_yp1 % 128u]); m[2] = decode(source[256u + node_yp1 / 128u * 1280u + node_yp1 % 128u]); m[7] = decode(source[896u + node_yp1 / 128u * 1280u + node_yp1 % 128u]); h[4] = rebuild_4(m); }
    if (lost >> 5 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[5] = rebuild_6(m);
        h[5] = h[5] + 32768.0f * terms[19u * walls[link++] + 5u];
    } else { real m[10]; m[0] = decode(source[node_zm1 / 128u * 1280u + node_zm1 % 128u]); m[3] = decode(source[384u + node_zm1 / 128u * 1280u + node_zm1 % 128u]); m[9] = decode(source[1152u + node_zm1 / 128u * 1280u + node_zm1 % 128u]); h[5] = rebuild_5(m); }
    if (lost >> 6 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[6] = rebuild_5(m);
        h[6] = h[6] + 32768.0f * terms[19u * walls[link++] + 6u];
    } else { real m[10]; m[0] = decode(source[node_zp1 / 128u * 1280u + node_zp1 % 128u]); m[3] = decode(source[384u + node_zp1 / 128u * 1280u + node_zp1 % 128u]); m[9] = decode(source[1152u + node_zp1 / 128u * 1280u + node_zp1 % 128u]); h[6] = rebuild_6(m); }
    if (lost >> 7 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[5] = decode(source[640u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[7] = rebuild_8(m);
        h[7] = h[7] + 32768.0f * terms[19u * walls[link++] + 7u];
    } else { real m[10]; m[0] = decode(source[node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); m[1] = decode(source[128u + node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); m[2] = decode(source[256u + node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); m[4] = decode(source[512u + node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); m[5] = decode(source[640u + node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); m[7] = decode(source[896u + node_xm1_ym1 / 128u * 1280u + node_xm1_ym1 % 128u]); h[7] = rebuild_7(m); }
    if (lost >> 8 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[5] = decode(source[640u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[8] = rebuild_7(m);
        h[8] = h[8] + 32768.0f * terms[19u * walls[link++] + 8u];
    } else { real m[10]; m[0] = decode(source[node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); m[1] = decode(source[128u + node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); m[2] = decode(source[256u + node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); m[4] = decode(source[512u + node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); m[5] = decode(source[640u + node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); m[7] = decode(source[896u + node_xp1_yp1 / 128u * 1280u + node_xp1_yp1 % 128u]); h[8] = rebuild_8(m); }
    if (lost >> 9 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[6] = decode(source[768u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[9] = rebuild_10(m);
        h[9] = h[9] + 32768.0f * terms[19u * walls[link++] + 9u];
    } else { real m[10]; m[0] = decode(source[node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); m[1] = decode(source[128u + node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); m[3] = decode(source[384u + node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); m[4] = decode(source[512u + node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); m[6] = decode(source[768u + node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); m[9] = decode(source[1152u + node_xm1_zm1 / 128u * 1280u + node_xm1_zm1 % 128u]); h[9] = rebuild_9(m); }
    if (lost >> 10 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[6] = decode(source[768u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[10] = rebuild_9(m);
        h[10] = h[10] + 32768.0f * terms[19u * walls[link++] + 10u];
    } else { real m[10]; m[0] = decode(source[node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); m[1] = decode(source[128u + node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); m[3] = decode(source[384u + node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); m[4] = decode(source[512u + node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); m[6] = decode(source[768u + node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); m[9] = decode(source[1152u + node_xp1_zp1 / 128u * 1280u + node_xp1_zp1 % 128u]); h[10] = rebuild_10(m); }
    if (lost >> 11 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[6] = decode(source[768u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[11] = rebuild_12(m);
        h[11] = h[11] + 32768.0f * terms[19u * walls[link++] + 11u];
    } else { real m[10]; m[0] = decode(source[node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); m[1] = decode(source[128u + node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); m[3] = decode(source[384u + node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); m[4] = decode(source[512u + node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); m[6] = decode(source[768u + node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); m[9] = decode(source[1152u + node_xm1_zp1 / 128u * 1280u + node_xm1_zp1 % 128u]); h[11] = rebuild_11(m); }
    if (lost >> 12 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[6] = decode(source[768u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[12] = rebuild_11(m);
        h[12] = h[12] + 32768.0f * terms[19u * walls[link++] + 12u];
    } else { real m[10]; m[0] = decode(source[node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); m[1] = decode(source[128u + node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); m[3] = decode(source[384u + node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); m[4] = decode(source[512u + node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); m[6] = decode(source[768u + node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); m[9] = decode(source[1152u + node_xp1_zm1 / 128u * 1280u + node_xp1_zm1 % 128u]); h[12] = rebuild_12(m); }
    if (lost >> 13 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[5] = decode(source[640u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[13] = rebuild_14(m);
        h[13] = h[13] + 32768.0f * terms[19u * walls[link++] + 13u];
    } else { real m[10]; m[0] = decode(source[node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); m[1] = decode(source[128u + node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); m[2] = decode(source[256u + node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); m[4] = decode(source[512u + node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); m[5] = decode(source[640u + node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); m[7] = decode(source[896u + node_xm1_yp1 / 128u * 1280u + node_xm1_yp1 % 128u]); h[13] = rebuild_13(m); }
    if (lost >> 14 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[1] = decode(source[128u + node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[4] = decode(source[512u + node / 128u * 1280u + node % 128u]); m[5] = decode(source[640u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); h[14] = rebuild_13(m);
        h[14] = h[14] + 32768.0f * terms[19u * walls[link++] + 14u];
    } else { real m[10]; m[0] = decode(source[node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); m[1] = decode(source[128u + node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); m[2] = decode(source[256u + node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); m[4] = decode(source[512u + node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); m[5] = decode(source[640u + node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); m[7] = decode(source[896u + node_xp1_ym1 / 128u * 1280u + node_xp1_ym1 % 128u]); h[14] = rebuild_14(m); }
    if (lost >> 15 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); m[8] = decode(source[1024u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[15] = rebuild_16(m);
        h[15] = h[15] + 32768.0f * terms[19u * walls[link++] + 15u];
    } else { real m[10]; m[0] = decode(source[node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); m[2] = decode(source[256u + node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); m[3] = decode(source[384u + node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); m[7] = decode(source[896u + node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); m[8] = decode(source[1024u + node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); m[9] = decode(source[1152u + node_ym1_zm1 / 128u * 1280u + node_ym1_zm1 % 128u]); h[15] = rebuild_15(m); }
    if (lost >> 16 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); m[8] = decode(source[1024u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[16] = rebuild_15(m);
        h[16] = h[16] + 32768.0f * terms[19u * walls[link++] + 16u];
    } else { real m[10]; m[0] = decode(source[node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); m[2] = decode(source[256u + node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); m[3] = decode(source[384u + node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); m[7] = decode(source[896u + node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); m[8] = decode(source[1024u + node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); m[9] = decode(source[1152u + node_yp1_zp1 / 128u * 1280u + node_yp1_zp1 % 128u]); h[16] = rebuild_16(m); }
    if (lost >> 17 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); m[8] = decode(source[1024u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[17] = rebuild_18(m);
        h[17] = h[17] + 32768.0f * terms[19u * walls[link++] + 17u];
    } else { real m[10]; m[0] = decode(source[node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); m[2] = decode(source[256u + node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); m[3] = decode(source[384u + node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); m[7] = decode(source[896u + node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); m[8] = decode(source[1024u + node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); m[9] = decode(source[1152u + node_ym1_zp1 / 128u * 1280u + node_ym1_zp1 % 128u]); h[17] = rebuild_17(m); }
    if (lost >> 18 & 1u) {
        real m[10]; m[0] = decode(source[node / 128u * 1280u + node % 128u]); m[2] = decode(source[256u + node / 128u * 1280u + node % 128u]); m[3] = decode(source[384u + node / 128u * 1280u + node % 128u]); m[7] = decode(source[896u + node / 128u * 1280u + node % 128u]); m[8] = decode(source[1024u + node / 128u * 1280u + node % 128u]); m[9] = decode(source[1152u + node / 128u * 1280u + node % 128u]); h[18] = rebuild_17(m);
        h[18] = h[18] + 32768.0f * terms[19u * walls[link++] + 18u];
    } else { real m[10]; m[0] = decode(source[node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); m[2] = decode(source[256u + node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); m[3] = decode(source[384u + node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); m[7] = decode(source[896u + node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); m[8] = decode(source[1024u + node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); m[9] = decode(source[1152u + node_yp1_zm1 / 128u * 1280u + node_yp1_zm1 % 128u]); h[18] = rebuild_18(m); }
    gather(h, uniforms.k, after);
    // Moments that stay.
    target[node / 128u * 1280u + node % 128u] = encode(after[0]);
    target[128u + node / 128u * 1280u + node % 128u] = encode(after[1]);
    target[256u + node / 128u * 1280u + node % 128u] = encode(after[2]);
    target[384u + node / 128u * 1280u + node % 128u] = encode(after[3]);
    target[512u + node / 128u * 1280u + node % 128u] = encode(after[4]);
    target[640u + node / 128u * 1280u + node % 128u] = encode(after[5]);
    target[768u + node / 128u * 1280u + node % 128u] = encode(after[6]);
    target[896u + node / 128u * 1280u + node % 128u] = encode(after[7]);
    target[1024u + node / 128u * 1280u + node % 128u] = encode(after[8]);
    target[1152u + node / 128u * 1280u + node % 128u] = encode(after[9]);
}
