using real = float;
__device__ __forceinline__ real fma_rn(const real a, const real b, const real c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ real div_rn(const real a, const real b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ real rcp_rn(const real a) { return __frcp_rn(a); }
__device__ __forceinline__ real sqrt_rn(const real a) { return __fsqrt_rn(a); }
__device__ __forceinline__ real smaller(const real a, const real b) { return a < b ? a : b; }
__device__ __forceinline__ real larger(const real a, const real b) { return a > b ? a : b; }
// What is stored of a value is so many times as large as it is here.
constexpr real unit = 32768.0f;
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

// What goes to the neighbours along x is exchanged in the same way, so that whole packs are written. A thread whose
// neighbour writes nothing (`first` to the west, `last` to the east of it) writes what falls into that one's pack by itself,
// and of its own pack only what is its own.
template <int N, int Q>
__device__ __forceinline__ void write_to_east(
    stored* const at, stored* const east, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Pack<N> pack;
#pragma unroll
    for (int n = 1; n < N; ++n) pack.value[n] = encode(post[n - 1][i]);
    const stored end = encode(post[N - 1][i]);
    pack.value[0] = __shfl_up_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (first) {
#pragma unroll
        for (int n = 1; n < N; ++n) at[n] = pack.value[n];
    } else {
        *reinterpret_cast<Pack<N>*>(at) = pack;
    }
    if (last) *east = end;
}

template <int N, int Q>
__device__ __forceinline__ void write_to_west(
    stored* const at, stored* const west, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Pack<N> pack;
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) pack.value[n] = encode(post[n + 1][i]);
    const stored end = encode(post[0][i]);
    pack.value[N - 1] = __shfl_down_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (last) {
#pragma unroll
        for (int n = 0; n + 1 < N; ++n) at[n] = pack.value[n];
    } else {
        *reinterpret_cast<Pack<N>*>(at) = pack;
    }
    if (first) *west = end;
}

// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[8]; };

// The collision of one node.
__device__ __forceinline__ void collide(const real (&h)[19], const real (&k)[8], real (&post)[19]) {
    // k[0] = 1 - omega
    // k[1] = 1/3 omega
    // k[2] = 1/4 omega
    // k[3] = 1/6 omega
    // k[4] = 1/18 omega
    // k[5] = 1/8 omega
    // k[6] = 1/12 omega
    // k[7] = 1/36 omega
    const real t_7 = h[1] + h[7];
    const real t_8 = h[2] + h[8];
    const real t_9 = h[3] + h[14];
    const real t_10 = h[4] + h[13];
    const real t_11 = h[5] + h[9];
    const real t_12 = h[6] + h[10];
    const real delta_rho_part_1 = h[0] + h[11];
    const real delta_rho_part_2 = delta_rho_part_1 + h[12];
    const real delta_rho_part_3 = delta_rho_part_2 + h[15];
    const real delta_rho_part_4 = delta_rho_part_3 + h[16];
    const real delta_rho_part_5 = delta_rho_part_4 + h[17];
    const real delta_rho_part_6 = delta_rho_part_5 + h[18];
    const real delta_rho_part_7 = delta_rho_part_6 + t_7;
    const real delta_rho_part_8 = delta_rho_part_7 + t_8;
    const real delta_rho_part_9 = delta_rho_part_8 + t_9;
    const real delta_rho_part_10 = delta_rho_part_9 + t_10;
    const real delta_rho_part_11 = delta_rho_part_10 + t_11;
    const real delta_rho = delta_rho_part_11 + t_12;
    const real t_13 = h[11] - h[12];
    const real j_x_part_1 = h[9] + h[13];
    const real j_x_part_2 = j_x_part_1 + t_7;
    const real j_x_part_3 = j_x_part_2 + t_13;
    const real j_x_part_4 = j_x_part_3 - h[10];
    const real j_x_part_5 = j_x_part_4 - h[14];
    const real j_x = j_x_part_5 - t_8;
    const real rho = 1.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real t_14 = h[15] - h[16];
    const real t_15 = h[17] - h[18];
    const real j_y_part_1 = h[7] + t_9;
    const real j_y_part_2 = j_y_part_1 + t_14;
    const real j_y_part_3 = j_y_part_2 + t_15;
    const real j_y_part_4 = j_y_part_3 - h[8];
    const real j_y = j_y_part_4 - t_10;
    const real u_y = j_y * inverse_rho;
    const real flux_yy = j_y * u_y;
    const real j_z_part_1 = t_11 + t_14;
    const real j_z_part_2 = j_z_part_1 - t_12;
    const real j_z_part_3 = j_z_part_2 - t_13;
    const real j_z = j_z_part_3 - t_15;
    const real u_z = j_z * inverse_rho;
    const real flux_zz = j_z * u_z;
    const real t_3 = flux_yy + flux_zz;
    const real flux_trace = flux_xx + t_3;
    const real t_1 = fma_rn(-1.5f, flux_trace, delta_rho);
    const real post_0_part_1 = k[0] * h[0];
    const real post_0 = fma_rn(k[1], t_1, post_0_part_1);
    post[0] = post_0;
    const real t_2 = fma_rn(0.22222222f, t_1, flux_xx);
    const real even_0 = k[2] * t_2;
    const real post_1_part_1 = fma_rn(k[0], h[1], even_0);
    const real post_1 = fma_rn(k[3], j_x, post_1_part_1);
    post[1] = post_1;
    const real post_2_part_1 = fma_rn(k[0], h[2], even_0);
    const real post_2 = fma_rn(-k[3], j_x, post_2_part_1);
    post[2] = post_2;
    const real even_1_part_1 = k[2] * flux_yy;
    const real even_1 = fma_rn(k[4], t_1, even_1_part_1);
    const real post_3_part_1 = fma_rn(k[0], h[3], even_1);
    const real post_3 = fma_rn(k[3], j_y, post_3_part_1);
    post[3] = post_3;
    const real post_4_part_1 = fma_rn(k[0], h[4], even_1);
    const real post_4 = fma_rn(-k[3], j_y, post_4_part_1);
    post[4] = post_4;
    const real even_2_part_1 = k[2] * flux_zz;
    const real even_2 = fma_rn(k[4], t_1, even_2_part_1);
    const real post_5_part_1 = fma_rn(k[0], h[5], even_2);
    const real post_5 = fma_rn(k[3], j_z, post_5_part_1);
    post[5] = post_5;
    const real post_6_part_1 = fma_rn(k[0], h[6], even_2);
    const real post_6 = fma_rn(-k[3], j_z, post_6_part_1);
    post[6] = post_6;
    const real flux_xy = j_x * u_y;
    const real t_4 = flux_yy + t_2;
    const real even_3_part_1 = k[2] * flux_xy;
    const real even_3 = fma_rn(k[5], t_4, even_3_part_1);
    const real t_16 = j_x + j_y;
    const real odd_3 = k[6] * t_16;
    const real post_7_part_1 = even_3 + odd_3;
    const real post_7 = fma_rn(k[0], h[7], post_7_part_1);
    post[7] = post_7;
    const real post_8_part_1 = even_3 - odd_3;
    const real post_8 = fma_rn(k[0], h[8], post_8_part_1);
    post[8] = post_8;
    const real flux_xz = j_x * u_z;
    const real t_5 = flux_zz + t_2;
    const real even_4_part_1 = k[2] * flux_xz;
    const real even_4 = fma_rn(k[5], t_5, even_4_part_1);
    const real t_18 = j_x + j_z;
    const real odd_4 = k[6] * t_18;
    const real post_9_part_1 = even_4 + odd_4;
    const real post_9 = fma_rn(k[0], h[9], post_9_part_1);
    post[9] = post_9;
    const real post_10_part_1 = even_4 - odd_4;
    const real post_10 = fma_rn(k[0], h[10], post_10_part_1);
    post[10] = post_10;
    const real even_5_part_1 = -k[2] * flux_xz;
    const real even_5 = fma_rn(k[5], t_5, even_5_part_1);
    const real t_19 = j_x - j_z;
    const real odd_5 = k[6] * t_19;
    const real post_11_part_1 = even_5 + odd_5;
    const real post_11 = fma_rn(k[0], h[11], post_11_part_1);
    post[11] = post_11;
    const real post_12_part_1 = even_5 - odd_5;
    const real post_12 = fma_rn(k[0], h[12], post_12_part_1);
    post[12] = post_12;
    const real even_6_part_1 = -k[2] * flux_xy;
    const real even_6 = fma_rn(k[5], t_4, even_6_part_1);
    const real t_17 = j_x - j_y;
    const real odd_6 = k[6] * t_17;
    const real post_13_part_1 = even_6 + odd_6;
    const real post_13 = fma_rn(k[0], h[13], post_13_part_1);
    post[13] = post_13;
    const real post_14_part_1 = even_6 - odd_6;
    const real post_14 = fma_rn(k[0], h[14], post_14_part_1);
    post[14] = post_14;
    const real flux_yz = j_y * u_z;
    const real t_6 = fma_rn(4.5f, t_3, t_1);
    const real even_7_part_1 = k[2] * flux_yz;
    const real even_7 = fma_rn(k[7], t_6, even_7_part_1);
    const real t_20 = j_y + j_z;
    const real odd_7 = k[6] * t_20;
    const real post_15_part_1 = even_7 + odd_7;
    const real post_15 = fma_rn(k[0], h[15], post_15_part_1);
    post[15] = post_15;
    const real post_16_part_1 = even_7 - odd_7;
    const real post_16 = fma_rn(k[0], h[16], post_16_part_1);
    post[16] = post_16;
    const real even_8_part_1 = -k[2] * flux_yz;
    const real even_8 = fma_rn(k[7], t_6, even_8_part_1);
    const real t_21 = j_y - j_z;
    const real odd_8 = k[6] * t_21;
    const real post_17_part_1 = even_8 + odd_8;
    const real post_17 = fma_rn(k[0], h[17], post_17_part_1);
    post[17] = post_17;
    const real post_18_part_1 = even_8 - odd_8;
    const real post_18 = fma_rn(k[0], h[18], post_18_part_1);
    post[18] = post_18;
}

// A time step, 4 nodes side by side each thread.
extern "C" __global__ void __launch_bounds__(128) step_0(
    stored* const populations,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms,
    stored* const kept
) {
    const unsigned x = 4u * (32u * blockIdx.x + threadIdx.x);
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    // Nodes in memory, with neighbours around the box.
    const unsigned xp1 = x < 252u ? x + 4u : x - 252u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const unsigned zm1 = z < 1u ? z + 7u : z - 1u;
    const unsigned zp1 = z < 7u ? z + 1u : z - 7u;
    const size_t node_ym1 = x + 256u * (ym1 + 16u * z);
    const size_t node_zm1 = x + 256u * (y + 16u * zm1);
    const size_t node = x + 256u * (y + 16u * z);
    const size_t node_zp1 = x + 256u * (y + 16u * zp1);
    const size_t node_yp1_zm1 = x + 256u * (yp1 + 16u * zm1);
    const size_t node_yp1 = x + 256u * (yp1 + 16u * z);
    const size_t node_yp1_zp1 = x + 256u * (yp1 + 16u * zp1);
    const size_t node_xp1_ym1 = xp1 + 256u * (ym1 + 16u * z);
    const size_t node_xp1_zm1 = xp1 + 256u * (y + 16u * zm1);
    const size_t node_xp1 = xp1 + 256u * (y + 16u * z);
    const size_t node_xp1_zp1 = xp1 + 256u * (y + 16u * zp1);
    const size_t node_xp1_yp1 = xp1 + 256u * (yp1 + 16u * z);
    // Populations that meet here.
    real h[4][19], post[4][19];
    const size_t index = x + 256u * (y + 16u * z);
    const bool at_west = x == 0u;
    const size_t kept_west = 5u * (y + (size_t)16u * z);
    const bool at_east = x + 4u == 256u;
    const size_t kept_east = 5u * (size_t)16u * 8u + 5u * (y + (size_t)16u * z);
    const bool at_south = y == 0u;
    const size_t kept_south = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (x + (size_t)256u * z);
    const bool at_north = y + 1u == 16u;
    const size_t kept_north = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (x + (size_t)256u * z);
    const bool at_bottom = z == 0u;
    const size_t kept_bottom = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 8u + 5u * (x + (size_t)256u * y);
    const bool at_top = z + 1u == 8u;
    const size_t kept_top = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 16u + 5u * (x + (size_t)256u * y);
    real back_west[5] = {};
    if (at_west) {
        back_west[0] = decode(kept[kept_west + 0u]);
        back_west[1] = decode(kept[kept_west + 1u]);
        back_west[2] = decode(kept[kept_west + 2u]);
        back_west[3] = decode(kept[kept_west + 3u]);
        back_west[4] = decode(kept[kept_west + 4u]);
    }
    real back_east[5] = {};
    if (at_east) {
    }
    read(h, 0, &populations[node / 128u * 2432u + node % 128u]);
    read(h, 1, &populations[256u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 2, &populations[128u + node / 128u * 2432u + node % 128u], at_east ? &kept[kept_east + 0u] : &populations[128u + node_xp1 / 128u * 2432u + node_xp1 % 128u], last);
    read(h, 3, &populations[512u + node / 128u * 2432u + node % 128u]);
    read(h, 4, &populations[384u + node_yp1 / 128u * 2432u + node_yp1 % 128u]);
    read(h, 5, &populations[768u + node / 128u * 2432u + node % 128u]);
    read(h, 6, &populations[640u + node_zp1 / 128u * 2432u + node_zp1 % 128u]);
    read(h, 7, &populations[1024u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 8, &populations[896u + node_yp1 / 128u * 2432u + node_yp1 % 128u], at_east ? &kept[kept_east + 1u] : &populations[896u + node_xp1_yp1 / 128u * 2432u + node_xp1_yp1 % 128u], last);
    read(h, 9, &populations[1280u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 10, &populations[1152u + node_zp1 / 128u * 2432u + node_zp1 % 128u], at_east ? &kept[kept_east + 2u] : &populations[1152u + node_xp1_zp1 / 128u * 2432u + node_xp1_zp1 % 128u], last);
    read(h, 11, &populations[1536u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 12, &populations[1408u + node_zm1 / 128u * 2432u + node_zm1 % 128u], at_east ? &kept[kept_east + 3u] : &populations[1408u + node_xp1_zm1 / 128u * 2432u + node_xp1_zm1 % 128u], last);
    read(h, 13, &populations[1792u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 14, &populations[1664u + node_ym1 / 128u * 2432u + node_ym1 % 128u], at_east ? &kept[kept_east + 4u] : &populations[1664u + node_xp1_ym1 / 128u * 2432u + node_xp1_ym1 % 128u], last);
    read(h, 15, &populations[2048u + node / 128u * 2432u + node % 128u]);
    read(h, 16, &populations[1920u + node_yp1_zp1 / 128u * 2432u + node_yp1_zp1 % 128u]);
    read(h, 17, &populations[2304u + node / 128u * 2432u + node % 128u]);
    read(h, 18, &populations[2176u + node_yp1_zm1 / 128u * 2432u + node_yp1_zm1 % 128u]);
    // What comes back from walls is what these nodes sent there.
    if (at_west) {
        h[0][1] = back_west[0];
        h[0][7] = back_west[1];
        h[0][9] = back_west[2];
        h[0][11] = back_west[3];
        h[0][13] = back_west[4];
    }
    if (at_south) {
        h[0][3] = decode(kept[kept_south + 0u]);
        h[0][7] = decode(kept[kept_south + 1u]);
        h[0][14] = decode(kept[kept_south + 2u]);
        h[0][15] = decode(kept[kept_south + 3u]);
        h[0][17] = decode(kept[kept_south + 4u]);
        h[1][3] = decode(kept[kept_south + 5u]);
        h[1][7] = decode(kept[kept_south + 6u]);
        h[1][14] = decode(kept[kept_south + 7u]);
        h[1][15] = decode(kept[kept_south + 8u]);
        h[1][17] = decode(kept[kept_south + 9u]);
        h[2][3] = decode(kept[kept_south + 10u]);
        h[2][7] = decode(kept[kept_south + 11u]);
        h[2][14] = decode(kept[kept_south + 12u]);
        h[2][15] = decode(kept[kept_south + 13u]);
        h[2][17] = decode(kept[kept_south + 14u]);
        h[3][3] = decode(kept[kept_south + 15u]);
        h[3][7] = decode(kept[kept_south + 16u]);
        h[3][14] = decode(kept[kept_south + 17u]);
        h[3][15] = decode(kept[kept_south + 18u]);
        h[3][17] = decode(kept[kept_south + 19u]);
    }
    if (at_north) {
        h[0][4] = decode(kept[kept_north + 0u]);
        h[0][8] = decode(kept[kept_north + 1u]);
        h[0][13] = decode(kept[kept_north + 2u]);
        h[0][16] = decode(kept[kept_north + 3u]);
        h[0][18] = decode(kept[kept_north + 4u]);
        h[1][4] = decode(kept[kept_north + 5u]);
        h[1][8] = decode(kept[kept_north + 6u]);
        h[1][13] = decode(kept[kept_north + 7u]);
        h[1][16] = decode(kept[kept_north + 8u]);
        h[1][18] = decode(kept[kept_north + 9u]);
        h[2][4] = decode(kept[kept_north + 10u]);
        h[2][8] = decode(kept[kept_north + 11u]);
        h[2][13] = decode(kept[kept_north + 12u]);
        h[2][16] = decode(kept[kept_north + 13u]);
        h[2][18] = decode(kept[kept_north + 14u]);
        h[3][4] = decode(kept[kept_north + 15u]);
        h[3][8] = decode(kept[kept_north + 16u]);
        h[3][13] = decode(kept[kept_north + 17u]);
        h[3][16] = decode(kept[kept_north + 18u]);
        h[3][18] = decode(kept[kept_north + 19u]);
    }
    if (at_bottom) {
        h[0][5] = decode(kept[kept_bottom + 0u]);
        h[0][9] = decode(kept[kept_bottom + 1u]);
        h[0][12] = decode(kept[kept_bottom + 2u]);
        h[0][15] = decode(kept[kept_bottom + 3u]);
        h[0][18] = decode(kept[kept_bottom + 4u]);
        h[1][5] = decode(kept[kept_bottom + 5u]);
        h[1][9] = decode(kept[kept_bottom + 6u]);
        h[1][12] = decode(kept[kept_bottom + 7u]);
        h[1][15] = decode(kept[kept_bottom + 8u]);
        h[1][18] = decode(kept[kept_bottom + 9u]);
        h[2][5] = decode(kept[kept_bottom + 10u]);
        h[2][9] = decode(kept[kept_bottom + 11u]);
        h[2][12] = decode(kept[kept_bottom + 12u]);
        h[2][15] = decode(kept[kept_bottom + 13u]);
        h[2][18] = decode(kept[kept_bottom + 14u]);
        h[3][5] = decode(kept[kept_bottom + 15u]);
        h[3][9] = decode(kept[kept_bottom + 16u]);
        h[3][12] = decode(kept[kept_bottom + 17u]);
        h[3][15] = decode(kept[kept_bottom + 18u]);
        h[3][18] = decode(kept[kept_bottom + 19u]);
    }
    if (at_top) {
        h[0][6] = decode(kept[kept_top + 0u]);
        h[0][6] = h[0][6] + terms[101u];
        h[0][10] = decode(kept[kept_top + 1u]);
        h[0][10] = h[0][10] + terms[105u];
        h[0][11] = decode(kept[kept_top + 2u]);
        h[0][11] = h[0][11] + terms[106u];
        h[0][16] = decode(kept[kept_top + 3u]);
        h[0][16] = h[0][16] + terms[111u];
        h[0][17] = decode(kept[kept_top + 4u]);
        h[0][17] = h[0][17] + terms[112u];
        h[1][6] = decode(kept[kept_top + 5u]);
        h[1][6] = h[1][6] + terms[101u];
        h[1][10] = decode(kept[kept_top + 6u]);
        h[1][10] = h[1][10] + terms[105u];
        h[1][11] = decode(kept[kept_top + 7u]);
        h[1][11] = h[1][11] + terms[106u];
        h[1][16] = decode(kept[kept_top + 8u]);
        h[1][16] = h[1][16] + terms[111u];
        h[1][17] = decode(kept[kept_top + 9u]);
        h[1][17] = h[1][17] + terms[112u];
        h[2][6] = decode(kept[kept_top + 10u]);
        h[2][6] = h[2][6] + terms[101u];
        h[2][10] = decode(kept[kept_top + 11u]);
        h[2][10] = h[2][10] + terms[105u];
        h[2][11] = decode(kept[kept_top + 12u]);
        h[2][11] = h[2][11] + terms[106u];
        h[2][16] = decode(kept[kept_top + 13u]);
        h[2][16] = h[2][16] + terms[111u];
        h[2][17] = decode(kept[kept_top + 14u]);
        h[2][17] = h[2][17] + terms[112u];
        h[3][6] = decode(kept[kept_top + 15u]);
        h[3][6] = h[3][6] + terms[101u];
        h[3][10] = decode(kept[kept_top + 16u]);
        h[3][10] = h[3][10] + terms[105u];
        h[3][11] = decode(kept[kept_top + 17u]);
        h[3][11] = h[3][11] + terms[106u];
        h[3][16] = decode(kept[kept_top + 18u]);
        h[3][16] = h[3][16] + terms[111u];
        h[3][17] = decode(kept[kept_top + 19u]);
        h[3][17] = h[3][17] + terms[112u];
    }
    const unsigned special = skip[index >> 5] >> (index & 31u) & 15u;
    unsigned solid = 0u;
    if (special != 0u) {
        const unsigned word = linked[index >> 5], before = ranks[index >> 5];
        const unsigned with_links = special & word >> (index & 31u);
        const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));
        solid = special & ~with_links;
        unsigned lost[4] = {}, link[4] = {};
        if (with_links >> 0 & 1u) lost[0] = missing[number], link[0] = links[number];
        if (with_links >> 1 & 1u) lost[1] = missing[number + __popc(with_links & 1u)], link[1] = links[number + __popc(with_links & 1u)];
        if (with_links >> 2 & 1u) lost[2] = missing[number + __popc(with_links & 3u)], link[2] = links[number + __popc(with_links & 3u)];
        if (with_links >> 3 & 1u) lost[3] = missing[number + __popc(with_links & 7u)], link[3] = links[number + __popc(with_links & 7u)];
        if (lost[0] >> 1 & 1u) h[0][1] = decode(kept[link[0] + __popc(lost[0] & 1u)]);
        if (lost[0] >> 2 & 1u) h[0][2] = decode(kept[link[0] + __popc(lost[0] & 3u)]);
        if (lost[0] >> 3 & 1u) h[0][3] = decode(kept[link[0] + __popc(lost[0] & 7u)]);
        if (lost[0] >> 4 & 1u) h[0][4] = decode(kept[link[0] + __popc(lost[0] & 15u)]);
        if (lost[0] >> 5 & 1u) h[0][5] = decode(kept[link[0] + __popc(lost[0] & 31u)]);
        if (lost[0] >> 6 & 1u) h[0][6] = decode(kept[link[0] + __popc(lost[0] & 63u)]);
        if (lost[0] >> 7 & 1u) h[0][7] = decode(kept[link[0] + __popc(lost[0] & 127u)]);
        if (lost[0] >> 8 & 1u) h[0][8] = decode(kept[link[0] + __popc(lost[0] & 255u)]);
        if (lost[0] >> 9 & 1u) h[0][9] = decode(kept[link[0] + __popc(lost[0] & 511u)]);
        if (lost[0] >> 10 & 1u) h[0][10] = decode(kept[link[0] + __popc(lost[0] & 1023u)]);
        if (lost[0] >> 11 & 1u) h[0][11] = decode(kept[link[0] + __popc(lost[0] & 2047u)]);
        if (lost[0] >> 12 & 1u) h[0][12] = decode(kept[link[0] + __popc(lost[0] & 4095u)]);
        if (lost[0] >> 13 & 1u) h[0][13] = decode(kept[link[0] + __popc(lost[0] & 8191u)]);
        if (lost[0] >> 14 & 1u) h[0][14] = decode(kept[link[0] + __popc(lost[0] & 16383u)]);
        if (lost[0] >> 15 & 1u) h[0][15] = decode(kept[link[0] + __popc(lost[0] & 32767u)]);
        if (lost[0] >> 16 & 1u) h[0][16] = decode(kept[link[0] + __popc(lost[0] & 65535u)]);
        if (lost[0] >> 17 & 1u) h[0][17] = decode(kept[link[0] + __popc(lost[0] & 131071u)]);
        if (lost[0] >> 18 & 1u) h[0][18] = decode(kept[link[0] + __popc(lost[0] & 262143u)]);
        if (lost[1] >> 1 & 1u) h[1][1] = decode(kept[link[1] + __popc(lost[1] & 1u)]);
        if (lost[1] >> 2 & 1u) h[1][2] = decode(kept[link[1] + __popc(lost[1] & 3u)]);
        if (lost[1] >> 3 & 1u) h[1][3] = decode(kept[link[1] + __popc(lost[1] & 7u)]);
        if (lost[1] >> 4 & 1u) h[1][4] = decode(kept[link[1] + __popc(lost[1] & 15u)]);
        if (lost[1] >> 5 & 1u) h[1][5] = decode(kept[link[1] + __popc(lost[1] & 31u)]);
        if (lost[1] >> 6 & 1u) h[1][6] = decode(kept[link[1] + __popc(lost[1] & 63u)]);
        if (lost[1] >> 7 & 1u) h[1][7] = decode(kept[link[1] + __popc(lost[1] & 127u)]);
        if (lost[1] >> 8 & 1u) h[1][8] = decode(kept[link[1] + __popc(lost[1] & 255u)]);
        if (lost[1] >> 9 & 1u) h[1][9] = decode(kept[link[1] + __popc(lost[1] & 511u)]);
        if (lost[1] >> 10 & 1u) h[1][10] = decode(kept[link[1] + __popc(lost[1] & 1023u)]);
        if (lost[1] >> 11 & 1u) h[1][11] = decode(kept[link[1] + __popc(lost[1] & 2047u)]);
        if (lost[1] >> 12 & 1u) h[1][12] = decode(kept[link[1] + __popc(lost[1] & 4095u)]);
        if (lost[1] >> 13 & 1u) h[1][13] = decode(kept[link[1] + __popc(lost[1] & 8191u)]);
        if (lost[1] >> 14 & 1u) h[1][14] = decode(kept[link[1] + __popc(lost[1] & 16383u)]);
        if (lost[1] >> 15 & 1u) h[1][15] = decode(kept[link[1] + __popc(lost[1] & 32767u)]);
        if (lost[1] >> 16 & 1u) h[1][16] = decode(kept[link[1] + __popc(lost[1] & 65535u)]);
        if (lost[1] >> 17 & 1u) h[1][17] = decode(kept[link[1] + __popc(lost[1] & 131071u)]);
        if (lost[1] >> 18 & 1u) h[1][18] = decode(kept[link[1] + __popc(lost[1] & 262143u)]);
        if (lost[2] >> 1 & 1u) h[2][1] = decode(kept[link[2] + __popc(lost[2] & 1u)]);
        if (lost[2] >> 2 & 1u) h[2][2] = decode(kept[link[2] + __popc(lost[2] & 3u)]);
        if (lost[2] >> 3 & 1u) h[2][3] = decode(kept[link[2] + __popc(lost[2] & 7u)]);
        if (lost[2] >> 4 & 1u) h[2][4] = decode(kept[link[2] + __popc(lost[2] & 15u)]);
        if (lost[2] >> 5 & 1u) h[2][5] = decode(kept[link[2] + __popc(lost[2] & 31u)]);
        if (lost[2] >> 6 & 1u) h[2][6] = decode(kept[link[2] + __popc(lost[2] & 63u)]);
        if (lost[2] >> 7 & 1u) h[2][7] = decode(kept[link[2] + __popc(lost[2] & 127u)]);
        if (lost[2] >> 8 & 1u) h[2][8] = decode(kept[link[2] + __popc(lost[2] & 255u)]);
        if (lost[2] >> 9 & 1u) h[2][9] = decode(kept[link[2] + __popc(lost[2] & 511u)]);
        if (lost[2] >> 10 & 1u) h[2][10] = decode(kept[link[2] + __popc(lost[2] & 1023u)]);
        if (lost[2] >> 11 & 1u) h[2][11] = decode(kept[link[2] + __popc(lost[2] & 2047u)]);
        if (lost[2] >> 12 & 1u) h[2][12] = decode(kept[link[2] + __popc(lost[2] & 4095u)]);
        if (lost[2] >> 13 & 1u) h[2][13] = decode(kept[link[2] + __popc(lost[2] & 8191u)]);
        if (lost[2] >> 14 & 1u) h[2][14] = decode(kept[link[2] + __popc(lost[2] & 16383u)]);
        if (lost[2] >> 15 & 1u) h[2][15] = decode(kept[link[2] + __popc(lost[2] & 32767u)]);
        if (lost[2] >> 16 & 1u) h[2][16] = decode(kept[link[2] + __popc(lost[2] & 65535u)]);
        if (lost[2] >> 17 & 1u) h[2][17] = decode(kept[link[2] + __popc(lost[2] & 131071u)]);
        if (lost[2] >> 18 & 1u) h[2][18] = decode(kept[link[2] + __popc(lost[2] & 262143u)]);
        if (lost[3] >> 1 & 1u) h[3][1] = decode(kept[link[3] + __popc(lost[3] & 1u)]);
        if (lost[3] >> 2 & 1u) h[3][2] = decode(kept[link[3] + __popc(lost[3] & 3u)]);
        if (lost[3] >> 3 & 1u) h[3][3] = decode(kept[link[3] + __popc(lost[3] & 7u)]);
        if (lost[3] >> 4 & 1u) h[3][4] = decode(kept[link[3] + __popc(lost[3] & 15u)]);
        if (lost[3] >> 5 & 1u) h[3][5] = decode(kept[link[3] + __popc(lost[3] & 31u)]);
        if (lost[3] >> 6 & 1u) h[3][6] = decode(kept[link[3] + __popc(lost[3] & 63u)]);
        if (lost[3] >> 7 & 1u) h[3][7] = decode(kept[link[3] + __popc(lost[3] & 127u)]);
        if (lost[3] >> 8 & 1u) h[3][8] = decode(kept[link[3] + __popc(lost[3] & 255u)]);
        if (lost[3] >> 9 & 1u) h[3][9] = decode(kept[link[3] + __popc(lost[3] & 511u)]);
        if (lost[3] >> 10 & 1u) h[3][10] = decode(kept[link[3] + __popc(lost[3] & 1023u)]);
        if (lost[3] >> 11 & 1u) h[3][11] = decode(kept[link[3] + __popc(lost[3] & 2047u)]);
        if (lost[3] >> 12 & 1u) h[3][12] = decode(kept[link[3] + __popc(lost[3] & 4095u)]);
        if (lost[3] >> 13 & 1u) h[3][13] = decode(kept[link[3] + __popc(lost[3] & 8191u)]);
        if (lost[3] >> 14 & 1u) h[3][14] = decode(kept[link[3] + __popc(lost[3] & 16383u)]);
        if (lost[3] >> 15 & 1u) h[3][15] = decode(kept[link[3] + __popc(lost[3] & 32767u)]);
        if (lost[3] >> 16 & 1u) h[3][16] = decode(kept[link[3] + __popc(lost[3] & 65535u)]);
        if (lost[3] >> 17 & 1u) h[3][17] = decode(kept[link[3] + __popc(lost[3] & 131071u)]);
        if (lost[3] >> 18 & 1u) h[3][18] = decode(kept[link[3] + __popc(lost[3] & 262143u)]);
        if (lost[0] >> 1 & 1u) h[0][1] = h[0][1] + terms[19u * walls[link[0] + __popc(lost[0] & 1u)] + 1u];
        if (lost[0] >> 2 & 1u) h[0][2] = h[0][2] + terms[19u * walls[link[0] + __popc(lost[0] & 3u)] + 2u];
        if (lost[0] >> 3 & 1u) h[0][3] = h[0][3] + terms[19u * walls[link[0] + __popc(lost[0] & 7u)] + 3u];
        if (lost[0] >> 4 & 1u) h[0][4] = h[0][4] + terms[19u * walls[link[0] + __popc(lost[0] & 15u)] + 4u];
        if (lost[0] >> 5 & 1u) h[0][5] = h[0][5] + terms[19u * walls[link[0] + __popc(lost[0] & 31u)] + 5u];
        if (lost[0] >> 6 & 1u) h[0][6] = h[0][6] + terms[19u * walls[link[0] + __popc(lost[0] & 63u)] + 6u];
        if (lost[0] >> 7 & 1u) h[0][7] = h[0][7] + terms[19u * walls[link[0] + __popc(lost[0] & 127u)] + 7u];
        if (lost[0] >> 8 & 1u) h[0][8] = h[0][8] + terms[19u * walls[link[0] + __popc(lost[0] & 255u)] + 8u];
        if (lost[0] >> 9 & 1u) h[0][9] = h[0][9] + terms[19u * walls[link[0] + __popc(lost[0] & 511u)] + 9u];
        if (lost[0] >> 10 & 1u) h[0][10] = h[0][10] + terms[19u * walls[link[0] + __popc(lost[0] & 1023u)] + 10u];
        if (lost[0] >> 11 & 1u) h[0][11] = h[0][11] + terms[19u * walls[link[0] + __popc(lost[0] & 2047u)] + 11u];
        if (lost[0] >> 12 & 1u) h[0][12] = h[0][12] + terms[19u * walls[link[0] + __popc(lost[0] & 4095u)] + 12u];
        if (lost[0] >> 13 & 1u) h[0][13] = h[0][13] + terms[19u * walls[link[0] + __popc(lost[0] & 8191u)] + 13u];
        if (lost[0] >> 14 & 1u) h[0][14] = h[0][14] + terms[19u * walls[link[0] + __popc(lost[0] & 16383u)] + 14u];
        if (lost[0] >> 15 & 1u) h[0][15] = h[0][15] + terms[19u * walls[link[0] + __popc(lost[0] & 32767u)] + 15u];
        if (lost[0] >> 16 & 1u) h[0][16] = h[0][16] + terms[19u * walls[link[0] + __popc(lost[0] & 65535u)] + 16u];
        if (lost[0] >> 17 & 1u) h[0][17] = h[0][17] + terms[19u * walls[link[0] + __popc(lost[0] & 131071u)] + 17u];
        if (lost[0] >> 18 & 1u) h[0][18] = h[0][18] + terms[19u * walls[link[0] + __popc(lost[0] & 262143u)] + 18u];
        if (lost[1] >> 1 & 1u) h[1][1] = h[1][1] + terms[19u * walls[link[1] + __popc(lost[1] & 1u)] + 1u];
        if (lost[1] >> 2 & 1u) h[1][2] = h[1][2] + terms[19u * walls[link[1] + __popc(lost[1] & 3u)] + 2u];
        if (lost[1] >> 3 & 1u) h[1][3] = h[1][3] + terms[19u * walls[link[1] + __popc(lost[1] & 7u)] + 3u];
        if (lost[1] >> 4 & 1u) h[1][4] = h[1][4] + terms[19u * walls[link[1] + __popc(lost[1] & 15u)] + 4u];
        if (lost[1] >> 5 & 1u) h[1][5] = h[1][5] + terms[19u * walls[link[1] + __popc(lost[1] & 31u)] + 5u];
        if (lost[1] >> 6 & 1u) h[1][6] = h[1][6] + terms[19u * walls[link[1] + __popc(lost[1] & 63u)] + 6u];
        if (lost[1] >> 7 & 1u) h[1][7] = h[1][7] + terms[19u * walls[link[1] + __popc(lost[1] & 127u)] + 7u];
        if (lost[1] >> 8 & 1u) h[1][8] = h[1][8] + terms[19u * walls[link[1] + __popc(lost[1] & 255u)] + 8u];
        if (lost[1] >> 9 & 1u) h[1][9] = h[1][9] + terms[19u * walls[link[1] + __popc(lost[1] & 511u)] + 9u];
        if (lost[1] >> 10 & 1u) h[1][10] = h[1][10] + terms[19u * walls[link[1] + __popc(lost[1] & 1023u)] + 10u];
        if (lost[1] >> 11 & 1u) h[1][11] = h[1][11] + terms[19u * walls[link[1] + __popc(lost[1] & 2047u)] + 11u];
        if (lost[1] >> 12 & 1u) h[1][12] = h[1][12] + terms[19u * walls[link[1] + __popc(lost[1] & 4095u)] + 12u];
        if (lost[1] >> 13 & 1u) h[1][13] = h[1][13] + terms[19u * walls[link[1] + __popc(lost[1] & 8191u)] + 13u];
        if (lost[1] >> 14 & 1u) h[1][14] = h[1][14] + terms[19u * walls[link[1] + __popc(lost[1] & 16383u)] + 14u];
        if (lost[1] >> 15 & 1u) h[1][15] = h[1][15] + terms[19u * walls[link[1] + __popc(lost[1] & 32767u)] + 15u];
        if (lost[1] >> 16 & 1u) h[1][16] = h[1][16] + terms[19u * walls[link[1] + __popc(lost[1] & 65535u)] + 16u];
        if (lost[1] >> 17 & 1u) h[1][17] = h[1][17] + terms[19u * walls[link[1] + __popc(lost[1] & 131071u)] + 17u];
        if (lost[1] >> 18 & 1u) h[1][18] = h[1][18] + terms[19u * walls[link[1] + __popc(lost[1] & 262143u)] + 18u];
        if (lost[2] >> 1 & 1u) h[2][1] = h[2][1] + terms[19u * walls[link[2] + __popc(lost[2] & 1u)] + 1u];
        if (lost[2] >> 2 & 1u) h[2][2] = h[2][2] + terms[19u * walls[link[2] + __popc(lost[2] & 3u)] + 2u];
        if (lost[2] >> 3 & 1u) h[2][3] = h[2][3] + terms[19u * walls[link[2] + __popc(lost[2] & 7u)] + 3u];
        if (lost[2] >> 4 & 1u) h[2][4] = h[2][4] + terms[19u * walls[link[2] + __popc(lost[2] & 15u)] + 4u];
        if (lost[2] >> 5 & 1u) h[2][5] = h[2][5] + terms[19u * walls[link[2] + __popc(lost[2] & 31u)] + 5u];
        if (lost[2] >> 6 & 1u) h[2][6] = h[2][6] + terms[19u * walls[link[2] + __popc(lost[2] & 63u)] + 6u];
        if (lost[2] >> 7 & 1u) h[2][7] = h[2][7] + terms[19u * walls[link[2] + __popc(lost[2] & 127u)] + 7u];
        if (lost[2] >> 8 & 1u) h[2][8] = h[2][8] + terms[19u * walls[link[2] + __popc(lost[2] & 255u)] + 8u];
        if (lost[2] >> 9 & 1u) h[2][9] = h[2][9] + terms[19u * walls[link[2] + __popc(lost[2] & 511u)] + 9u];
        if (lost[2] >> 10 & 1u) h[2][10] = h[2][10] + terms[19u * walls[link[2] + __popc(lost[2] & 1023u)] + 10u];
        if (lost[2] >> 11 & 1u) h[2][11] = h[2][11] + terms[19u * walls[link[2] + __popc(lost[2] & 2047u)] + 11u];
        if (lost[2] >> 12 & 1u) h[2][12] = h[2][12] + terms[19u * walls[link[2] + __popc(lost[2] & 4095u)] + 12u];
        if (lost[2] >> 13 & 1u) h[2][13] = h[2][13] + terms[19u * walls[link[2] + __popc(lost[2] & 8191u)] + 13u];
        if (lost[2] >> 14 & 1u) h[2][14] = h[2][14] + terms[19u * walls[link[2] + __popc(lost[2] & 16383u)] + 14u];
        if (lost[2] >> 15 & 1u) h[2][15] = h[2][15] + terms[19u * walls[link[2] + __popc(lost[2] & 32767u)] + 15u];
        if (lost[2] >> 16 & 1u) h[2][16] = h[2][16] + terms[19u * walls[link[2] + __popc(lost[2] & 65535u)] + 16u];
        if (lost[2] >> 17 & 1u) h[2][17] = h[2][17] + terms[19u * walls[link[2] + __popc(lost[2] & 131071u)] + 17u];
        if (lost[2] >> 18 & 1u) h[2][18] = h[2][18] + terms[19u * walls[link[2] + __popc(lost[2] & 262143u)] + 18u];
        if (lost[3] >> 1 & 1u) h[3][1] = h[3][1] + terms[19u * walls[link[3] + __popc(lost[3] & 1u)] + 1u];
        if (lost[3] >> 2 & 1u) h[3][2] = h[3][2] + terms[19u * walls[link[3] + __popc(lost[3] & 3u)] + 2u];
        if (lost[3] >> 3 & 1u) h[3][3] = h[3][3] + terms[19u * walls[link[3] + __popc(lost[3] & 7u)] + 3u];
        if (lost[3] >> 4 & 1u) h[3][4] = h[3][4] + terms[19u * walls[link[3] + __popc(lost[3] & 15u)] + 4u];
        if (lost[3] >> 5 & 1u) h[3][5] = h[3][5] + terms[19u * walls[link[3] + __popc(lost[3] & 31u)] + 5u];
        if (lost[3] >> 6 & 1u) h[3][6] = h[3][6] + terms[19u * walls[link[3] + __popc(lost[3] & 63u)] + 6u];
        if (lost[3] >> 7 & 1u) h[3][7] = h[3][7] + terms[19u * walls[link[3] + __popc(lost[3] & 127u)] + 7u];
        if (lost[3] >> 8 & 1u) h[3][8] = h[3][8] + terms[19u * walls[link[3] + __popc(lost[3] & 255u)] + 8u];
        if (lost[3] >> 9 & 1u) h[3][9] = h[3][9] + terms[19u * walls[link[3] + __popc(lost[3] & 511u)] + 9u];
        if (lost[3] >> 10 & 1u) h[3][10] = h[3][10] + terms[19u * walls[link[3] + __popc(lost[3] & 1023u)] + 10u];
        if (lost[3] >> 11 & 1u) h[3][11] = h[3][11] + terms[19u * walls[link[3] + __popc(lost[3] & 2047u)] + 11u];
        if (lost[3] >> 12 & 1u) h[3][12] = h[3][12] + terms[19u * walls[link[3] + __popc(lost[3] & 4095u)] + 12u];
        if (lost[3] >> 13 & 1u) h[3][13] = h[3][13] + terms[19u * walls[link[3] + __popc(lost[3] & 8191u)] + 13u];
        if (lost[3] >> 14 & 1u) h[3][14] = h[3][14] + terms[19u * walls[link[3] + __popc(lost[3] & 16383u)] + 14u];
        if (lost[3] >> 15 & 1u) h[3][15] = h[3][15] + terms[19u * walls[link[3] + __popc(lost[3] & 32767u)] + 15u];
        if (lost[3] >> 16 & 1u) h[3][16] = h[3][16] + terms[19u * walls[link[3] + __popc(lost[3] & 65535u)] + 16u];
        if (lost[3] >> 17 & 1u) h[3][17] = h[3][17] + terms[19u * walls[link[3] + __popc(lost[3] & 131071u)] + 17u];
        if (lost[3] >> 18 & 1u) h[3][18] = h[3][18] + terms[19u * walls[link[3] + __popc(lost[3] & 262143u)] + 18u];
    }
    collide(h[0], uniforms.k, post[0]);
    collide(h[1], uniforms.k, post[1]);
    collide(h[2], uniforms.k, post[2]);
    collide(h[3], uniforms.k, post[3]);
    if (solid != 0u) {
        if (solid >> 0 & 1u) {
            post[0][0] = 0;
            post[0][1] = 0;
            post[0][2] = 0;
            post[0][3] = 0;
            post[0][4] = 0;
            post[0][5] = 0;
            post[0][6] = 0;
            post[0][7] = 0;
            post[0][8] = 0;
            post[0][9] = 0;
            post[0][10] = 0;
            post[0][11] = 0;
            post[0][12] = 0;
            post[0][13] = 0;
            post[0][14] = 0;
            post[0][15] = 0;
            post[0][16] = 0;
            post[0][17] = 0;
            post[0][18] = 0;
        }
        if (solid >> 1 & 1u) {
            post[1][0] = 0;
            post[1][1] = 0;
            post[1][2] = 0;
            post[1][3] = 0;
            post[1][4] = 0;
            post[1][5] = 0;
            post[1][6] = 0;
            post[1][7] = 0;
            post[1][8] = 0;
            post[1][9] = 0;
            post[1][10] = 0;
            post[1][11] = 0;
            post[1][12] = 0;
            post[1][13] = 0;
            post[1][14] = 0;
            post[1][15] = 0;
            post[1][16] = 0;
            post[1][17] = 0;
            post[1][18] = 0;
        }
        if (solid >> 2 & 1u) {
            post[2][0] = 0;
            post[2][1] = 0;
            post[2][2] = 0;
            post[2][3] = 0;
            post[2][4] = 0;
            post[2][5] = 0;
            post[2][6] = 0;
            post[2][7] = 0;
            post[2][8] = 0;
            post[2][9] = 0;
            post[2][10] = 0;
            post[2][11] = 0;
            post[2][12] = 0;
            post[2][13] = 0;
            post[2][14] = 0;
            post[2][15] = 0;
            post[2][16] = 0;
            post[2][17] = 0;
            post[2][18] = 0;
        }
        if (solid >> 3 & 1u) {
            post[3][0] = 0;
            post[3][1] = 0;
            post[3][2] = 0;
            post[3][3] = 0;
            post[3][4] = 0;
            post[3][5] = 0;
            post[3][6] = 0;
            post[3][7] = 0;
            post[3][8] = 0;
            post[3][9] = 0;
            post[3][10] = 0;
            post[3][11] = 0;
            post[3][12] = 0;
            post[3][13] = 0;
            post[3][14] = 0;
            post[3][15] = 0;
            post[3][16] = 0;
            post[3][17] = 0;
            post[3][18] = 0;
        }
    }
    const bool idle = solid == 15u;
    const int idle_west = __shfl_up_sync(0xffffffffu, (int)idle, 1);
    const int idle_east = __shfl_down_sync(0xffffffffu, (int)idle, 1);
    const bool first_out = first || idle_west != 0, last_out = last || idle_east != 0;
    // All has been read before anything is written.
    asm volatile("" ::: "memory");
    // Populations that leave.
    write_to_east(&populations[128u + node / 128u * 2432u + node % 128u], &populations[128u + node_xp1 / 128u * 2432u + node_xp1 % 128u], post, 1, first_out, last_out, idle);
    write_to_east(&populations[896u + node_yp1 / 128u * 2432u + node_yp1 % 128u], &populations[896u + node_xp1_yp1 / 128u * 2432u + node_xp1_yp1 % 128u], post, 7, first_out, last_out, idle);
    write_to_east(&populations[1152u + node_zp1 / 128u * 2432u + node_zp1 % 128u], &populations[1152u + node_xp1_zp1 / 128u * 2432u + node_xp1_zp1 % 128u], post, 9, first_out, last_out, idle);
    write_to_east(&populations[1408u + node_zm1 / 128u * 2432u + node_zm1 % 128u], &populations[1408u + node_xp1_zm1 / 128u * 2432u + node_xp1_zm1 % 128u], post, 11, first_out, last_out, idle);
    write_to_east(&populations[1664u + node_ym1 / 128u * 2432u + node_ym1 % 128u], &populations[1664u + node_xp1_ym1 / 128u * 2432u + node_xp1_ym1 % 128u], post, 13, first_out, last_out, idle);
    if (idle) return;
    write(&populations[node / 128u * 2432u + node % 128u], post, 0);
    write(&populations[256u + node / 128u * 2432u + node % 128u], post, 2);
    write(&populations[384u + node_yp1 / 128u * 2432u + node_yp1 % 128u], post, 3);
    write(&populations[512u + node / 128u * 2432u + node % 128u], post, 4);
    write(&populations[640u + node_zp1 / 128u * 2432u + node_zp1 % 128u], post, 5);
    write(&populations[768u + node / 128u * 2432u + node % 128u], post, 6);
    write(&populations[1024u + node / 128u * 2432u + node % 128u], post, 8);
    write(&populations[1280u + node / 128u * 2432u + node % 128u], post, 10);
    write(&populations[1536u + node / 128u * 2432u + node % 128u], post, 12);
    write(&populations[1792u + node / 128u * 2432u + node % 128u], post, 14);
    write(&populations[1920u + node_yp1_zp1 / 128u * 2432u + node_yp1_zp1 % 128u], post, 15);
    write(&populations[2048u + node / 128u * 2432u + node % 128u], post, 16);
    write(&populations[2176u + node_yp1_zm1 / 128u * 2432u + node_yp1_zm1 % 128u], post, 17);
    write(&populations[2304u + node / 128u * 2432u + node % 128u], post, 18);
    // What goes into walls comes back in the next step.
    if (at_west) {
        kept[kept_west + 0u] = encode(post[0][2]);
        kept[kept_west + 1u] = encode(post[0][8]);
        kept[kept_west + 2u] = encode(post[0][10]);
        kept[kept_west + 3u] = encode(post[0][12]);
        kept[kept_west + 4u] = encode(post[0][14]);
    }
    if (at_east) {
        kept[kept_east + 0u] = encode(post[3][1]);
        kept[kept_east + 1u] = encode(post[3][7]);
        kept[kept_east + 2u] = encode(post[3][9]);
        kept[kept_east + 3u] = encode(post[3][11]);
        kept[kept_east + 4u] = encode(post[3][13]);
    }
    if (at_south) {
        kept[kept_south + 0u] = encode(post[0][4]);
        kept[kept_south + 1u] = encode(post[0][8]);
        kept[kept_south + 2u] = encode(post[0][13]);
        kept[kept_south + 3u] = encode(post[0][16]);
        kept[kept_south + 4u] = encode(post[0][18]);
        kept[kept_south + 5u] = encode(post[1][4]);
        kept[kept_south + 6u] = encode(post[1][8]);
        kept[kept_south + 7u] = encode(post[1][13]);
        kept[kept_south + 8u] = encode(post[1][16]);
        kept[kept_south + 9u] = encode(post[1][18]);
        kept[kept_south + 10u] = encode(post[2][4]);
        kept[kept_south + 11u] = encode(post[2][8]);
        kept[kept_south + 12u] = encode(post[2][13]);
        kept[kept_south + 13u] = encode(post[2][16]);
        kept[kept_south + 14u] = encode(post[2][18]);
        kept[kept_south + 15u] = encode(post[3][4]);
        kept[kept_south + 16u] = encode(post[3][8]);
        kept[kept_south + 17u] = encode(post[3][13]);
        kept[kept_south + 18u] = encode(post[3][16]);
        kept[kept_south + 19u] = encode(post[3][18]);
    }
    if (at_north) {
        kept[kept_north + 0u] = encode(post[0][3]);
        kept[kept_north + 1u] = encode(post[0][7]);
        kept[kept_north + 2u] = encode(post[0][14]);
        kept[kept_north + 3u] = encode(post[0][15]);
        kept[kept_north + 4u] = encode(post[0][17]);
        kept[kept_north + 5u] = encode(post[1][3]);
        kept[kept_north + 6u] = encode(post[1][7]);
        kept[kept_north + 7u] = encode(post[1][14]);
        kept[kept_north + 8u] = encode(post[1][15]);
        kept[kept_north + 9u] = encode(post[1][17]);
        kept[kept_north + 10u] = encode(post[2][3]);
        kept[kept_north + 11u] = encode(post[2][7]);
        kept[kept_north + 12u] = encode(post[2][14]);
        kept[kept_north + 13u] = encode(post[2][15]);
        kept[kept_north + 14u] = encode(post[2][17]);
        kept[kept_north + 15u] = encode(post[3][3]);
        kept[kept_north + 16u] = encode(post[3][7]);
        kept[kept_north + 17u] = encode(post[3][14]);
        kept[kept_north + 18u] = encode(post[3][15]);
        kept[kept_north + 19u] = encode(post[3][17]);
    }
    if (at_bottom) {
        kept[kept_bottom + 0u] = encode(post[0][6]);
        kept[kept_bottom + 1u] = encode(post[0][10]);
        kept[kept_bottom + 2u] = encode(post[0][11]);
        kept[kept_bottom + 3u] = encode(post[0][16]);
        kept[kept_bottom + 4u] = encode(post[0][17]);
        kept[kept_bottom + 5u] = encode(post[1][6]);
        kept[kept_bottom + 6u] = encode(post[1][10]);
        kept[kept_bottom + 7u] = encode(post[1][11]);
        kept[kept_bottom + 8u] = encode(post[1][16]);
        kept[kept_bottom + 9u] = encode(post[1][17]);
        kept[kept_bottom + 10u] = encode(post[2][6]);
        kept[kept_bottom + 11u] = encode(post[2][10]);
        kept[kept_bottom + 12u] = encode(post[2][11]);
        kept[kept_bottom + 13u] = encode(post[2][16]);
        kept[kept_bottom + 14u] = encode(post[2][17]);
        kept[kept_bottom + 15u] = encode(post[3][6]);
        kept[kept_bottom + 16u] = encode(post[3][10]);
        kept[kept_bottom + 17u] = encode(post[3][11]);
        kept[kept_bottom + 18u] = encode(post[3][16]);
        kept[kept_bottom + 19u] = encode(post[3][17]);
    }
    if (at_top) {
        kept[kept_top + 0u] = encode(post[0][5]);
        kept[kept_top + 1u] = encode(post[0][9]);
        kept[kept_top + 2u] = encode(post[0][12]);
        kept[kept_top + 3u] = encode(post[0][15]);
        kept[kept_top + 4u] = encode(post[0][18]);
        kept[kept_top + 5u] = encode(post[1][5]);
        kept[kept_top + 6u] = encode(post[1][9]);
        kept[kept_top + 7u] = encode(post[1][12]);
        kept[kept_top + 8u] = encode(post[1][15]);
        kept[kept_top + 9u] = encode(post[1][18]);
        kept[kept_top + 10u] = encode(post[2][5]);
        kept[kept_top + 11u] = encode(post[2][9]);
        kept[kept_top + 12u] = encode(post[2][12]);
        kept[kept_top + 13u] = encode(post[2][15]);
        kept[kept_top + 14u] = encode(post[2][18]);
        kept[kept_top + 15u] = encode(post[3][5]);
        kept[kept_top + 16u] = encode(post[3][9]);
        kept[kept_top + 17u] = encode(post[3][12]);
        kept[kept_top + 18u] = encode(post[3][15]);
        kept[kept_top + 19u] = encode(post[3][18]);
    }
    if (special != 0u) {
        if (special >> 0 & linked[index >> 5] >> (index & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, index);
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[0][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[0][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[0][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[0][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[0][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[0][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[0][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[0][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[0][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[0][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[0][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[0][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[0][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[0][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[0][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[0][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[0][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[0][17]);
        }
        if (special >> 1 & linked[(index + 1u) >> 5] >> ((index + 1u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 1u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[1][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[1][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[1][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[1][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[1][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[1][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[1][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[1][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[1][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[1][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[1][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[1][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[1][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[1][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[1][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[1][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[1][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[1][17]);
        }
        if (special >> 2 & linked[(index + 2u) >> 5] >> ((index + 2u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 2u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[2][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[2][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[2][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[2][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[2][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[2][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[2][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[2][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[2][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[2][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[2][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[2][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[2][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[2][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[2][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[2][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[2][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[2][17]);
        }
        if (special >> 3 & linked[(index + 3u) >> 5] >> ((index + 3u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 3u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[3][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[3][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[3][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[3][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[3][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[3][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[3][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[3][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[3][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[3][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[3][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[3][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[3][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[3][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[3][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[3][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[3][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[3][17]);
        }
    }
}

// A time step, 4 nodes side by side each thread.
extern "C" __global__ void __launch_bounds__(128) step_1(
    stored* const populations,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms,
    stored* const kept
) {
    const unsigned x = 4u * (32u * blockIdx.x + threadIdx.x);
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    // Nodes in memory, with neighbours around the box.
    const unsigned xp1 = x < 252u ? x + 4u : x - 252u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const unsigned zm1 = z < 1u ? z + 7u : z - 1u;
    const unsigned zp1 = z < 7u ? z + 1u : z - 7u;
    const size_t node_ym1 = x + 256u * (ym1 + 16u * z);
    const size_t node_zm1 = x + 256u * (y + 16u * zm1);
    const size_t node = x + 256u * (y + 16u * z);
    const size_t node_zp1 = x + 256u * (y + 16u * zp1);
    const size_t node_yp1_zm1 = x + 256u * (yp1 + 16u * zm1);
    const size_t node_yp1 = x + 256u * (yp1 + 16u * z);
    const size_t node_yp1_zp1 = x + 256u * (yp1 + 16u * zp1);
    const size_t node_xp1_ym1 = xp1 + 256u * (ym1 + 16u * z);
    const size_t node_xp1_zm1 = xp1 + 256u * (y + 16u * zm1);
    const size_t node_xp1 = xp1 + 256u * (y + 16u * z);
    const size_t node_xp1_zp1 = xp1 + 256u * (y + 16u * zp1);
    const size_t node_xp1_yp1 = xp1 + 256u * (yp1 + 16u * z);
    // Populations that meet here.
    real h[4][19], post[4][19];
    const size_t index = x + 256u * (y + 16u * z);
    const bool at_west = x == 0u;
    const size_t kept_west = 5u * (y + (size_t)16u * z);
    const bool at_east = x + 4u == 256u;
    const size_t kept_east = 5u * (size_t)16u * 8u + 5u * (y + (size_t)16u * z);
    const bool at_south = y == 0u;
    const size_t kept_south = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (x + (size_t)256u * z);
    const bool at_north = y + 1u == 16u;
    const size_t kept_north = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (x + (size_t)256u * z);
    const bool at_bottom = z == 0u;
    const size_t kept_bottom = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 8u + 5u * (x + (size_t)256u * y);
    const bool at_top = z + 1u == 8u;
    const size_t kept_top = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 8u + 5u * (size_t)256u * 16u + 5u * (x + (size_t)256u * y);
    real back_west[5] = {};
    if (at_west) {
        back_west[0] = decode(kept[kept_west + 0u]);
        back_west[1] = decode(kept[kept_west + 1u]);
        back_west[2] = decode(kept[kept_west + 2u]);
        back_west[3] = decode(kept[kept_west + 3u]);
        back_west[4] = decode(kept[kept_west + 4u]);
    }
    real back_east[5] = {};
    if (at_east) {
    }
    read(h, 0, &populations[node / 128u * 2432u + node % 128u]);
    read(h, 1, &populations[128u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 2, &populations[256u + node / 128u * 2432u + node % 128u], at_east ? &kept[kept_east + 0u] : &populations[256u + node_xp1 / 128u * 2432u + node_xp1 % 128u], last);
    read(h, 3, &populations[384u + node / 128u * 2432u + node % 128u]);
    read(h, 4, &populations[512u + node_yp1 / 128u * 2432u + node_yp1 % 128u]);
    read(h, 5, &populations[640u + node / 128u * 2432u + node % 128u]);
    read(h, 6, &populations[768u + node_zp1 / 128u * 2432u + node_zp1 % 128u]);
    read(h, 7, &populations[896u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 8, &populations[1024u + node_yp1 / 128u * 2432u + node_yp1 % 128u], at_east ? &kept[kept_east + 1u] : &populations[1024u + node_xp1_yp1 / 128u * 2432u + node_xp1_yp1 % 128u], last);
    read(h, 9, &populations[1152u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 10, &populations[1280u + node_zp1 / 128u * 2432u + node_zp1 % 128u], at_east ? &kept[kept_east + 2u] : &populations[1280u + node_xp1_zp1 / 128u * 2432u + node_xp1_zp1 % 128u], last);
    read(h, 11, &populations[1408u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 12, &populations[1536u + node_zm1 / 128u * 2432u + node_zm1 % 128u], at_east ? &kept[kept_east + 3u] : &populations[1536u + node_xp1_zm1 / 128u * 2432u + node_xp1_zm1 % 128u], last);
    read(h, 13, &populations[1664u + node / 128u * 2432u + node % 128u]);
    read_from_east(h, 14, &populations[1792u + node_ym1 / 128u * 2432u + node_ym1 % 128u], at_east ? &kept[kept_east + 4u] : &populations[1792u + node_xp1_ym1 / 128u * 2432u + node_xp1_ym1 % 128u], last);
    read(h, 15, &populations[1920u + node / 128u * 2432u + node % 128u]);
    read(h, 16, &populations[2048u + node_yp1_zp1 / 128u * 2432u + node_yp1_zp1 % 128u]);
    read(h, 17, &populations[2176u + node / 128u * 2432u + node % 128u]);
    read(h, 18, &populations[2304u + node_yp1_zm1 / 128u * 2432u + node_yp1_zm1 % 128u]);
    // What comes back from walls is what these nodes sent there.
    if (at_west) {
        h[0][1] = back_west[0];
        h[0][7] = back_west[1];
        h[0][9] = back_west[2];
        h[0][11] = back_west[3];
        h[0][13] = back_west[4];
    }
    if (at_south) {
        h[0][3] = decode(kept[kept_south + 0u]);
        h[0][7] = decode(kept[kept_south + 1u]);
        h[0][14] = decode(kept[kept_south + 2u]);
        h[0][15] = decode(kept[kept_south + 3u]);
        h[0][17] = decode(kept[kept_south + 4u]);
        h[1][3] = decode(kept[kept_south + 5u]);
        h[1][7] = decode(kept[kept_south + 6u]);
        h[1][14] = decode(kept[kept_south + 7u]);
        h[1][15] = decode(kept[kept_south + 8u]);
        h[1][17] = decode(kept[kept_south + 9u]);
        h[2][3] = decode(kept[kept_south + 10u]);
        h[2][7] = decode(kept[kept_south + 11u]);
        h[2][14] = decode(kept[kept_south + 12u]);
        h[2][15] = decode(kept[kept_south + 13u]);
        h[2][17] = decode(kept[kept_south + 14u]);
        h[3][3] = decode(kept[kept_south + 15u]);
        h[3][7] = decode(kept[kept_south + 16u]);
        h[3][14] = decode(kept[kept_south + 17u]);
        h[3][15] = decode(kept[kept_south + 18u]);
        h[3][17] = decode(kept[kept_south + 19u]);
    }
    if (at_north) {
        h[0][4] = decode(kept[kept_north + 0u]);
        h[0][8] = decode(kept[kept_north + 1u]);
        h[0][13] = decode(kept[kept_north + 2u]);
        h[0][16] = decode(kept[kept_north + 3u]);
        h[0][18] = decode(kept[kept_north + 4u]);
        h[1][4] = decode(kept[kept_north + 5u]);
        h[1][8] = decode(kept[kept_north + 6u]);
        h[1][13] = decode(kept[kept_north + 7u]);
        h[1][16] = decode(kept[kept_north + 8u]);
        h[1][18] = decode(kept[kept_north + 9u]);
        h[2][4] = decode(kept[kept_north + 10u]);
        h[2][8] = decode(kept[kept_north + 11u]);
        h[2][13] = decode(kept[kept_north + 12u]);
        h[2][16] = decode(kept[kept_north + 13u]);
        h[2][18] = decode(kept[kept_north + 14u]);
        h[3][4] = decode(kept[kept_north + 15u]);
        h[3][8] = decode(kept[kept_north + 16u]);
        h[3][13] = decode(kept[kept_north + 17u]);
        h[3][16] = decode(kept[kept_north + 18u]);
        h[3][18] = decode(kept[kept_north + 19u]);
    }
    if (at_bottom) {
        h[0][5] = decode(kept[kept_bottom + 0u]);
        h[0][9] = decode(kept[kept_bottom + 1u]);
        h[0][12] = decode(kept[kept_bottom + 2u]);
        h[0][15] = decode(kept[kept_bottom + 3u]);
        h[0][18] = decode(kept[kept_bottom + 4u]);
        h[1][5] = decode(kept[kept_bottom + 5u]);
        h[1][9] = decode(kept[kept_bottom + 6u]);
        h[1][12] = decode(kept[kept_bottom + 7u]);
        h[1][15] = decode(kept[kept_bottom + 8u]);
        h[1][18] = decode(kept[kept_bottom + 9u]);
        h[2][5] = decode(kept[kept_bottom + 10u]);
        h[2][9] = decode(kept[kept_bottom + 11u]);
        h[2][12] = decode(kept[kept_bottom + 12u]);
        h[2][15] = decode(kept[kept_bottom + 13u]);
        h[2][18] = decode(kept[kept_bottom + 14u]);
        h[3][5] = decode(kept[kept_bottom + 15u]);
        h[3][9] = decode(kept[kept_bottom + 16u]);
        h[3][12] = decode(kept[kept_bottom + 17u]);
        h[3][15] = decode(kept[kept_bottom + 18u]);
        h[3][18] = decode(kept[kept_bottom + 19u]);
    }
    if (at_top) {
        h[0][6] = decode(kept[kept_top + 0u]);
        h[0][6] = h[0][6] + terms[101u];
        h[0][10] = decode(kept[kept_top + 1u]);
        h[0][10] = h[0][10] + terms[105u];
        h[0][11] = decode(kept[kept_top + 2u]);
        h[0][11] = h[0][11] + terms[106u];
        h[0][16] = decode(kept[kept_top + 3u]);
        h[0][16] = h[0][16] + terms[111u];
        h[0][17] = decode(kept[kept_top + 4u]);
        h[0][17] = h[0][17] + terms[112u];
        h[1][6] = decode(kept[kept_top + 5u]);
        h[1][6] = h[1][6] + terms[101u];
        h[1][10] = decode(kept[kept_top + 6u]);
        h[1][10] = h[1][10] + terms[105u];
        h[1][11] = decode(kept[kept_top + 7u]);
        h[1][11] = h[1][11] + terms[106u];
        h[1][16] = decode(kept[kept_top + 8u]);
        h[1][16] = h[1][16] + terms[111u];
        h[1][17] = decode(kept[kept_top + 9u]);
        h[1][17] = h[1][17] + terms[112u];
        h[2][6] = decode(kept[kept_top + 10u]);
        h[2][6] = h[2][6] + terms[101u];
        h[2][10] = decode(kept[kept_top + 11u]);
        h[2][10] = h[2][10] + terms[105u];
        h[2][11] = decode(kept[kept_top + 12u]);
        h[2][11] = h[2][11] + terms[106u];
        h[2][16] = decode(kept[kept_top + 13u]);
        h[2][16] = h[2][16] + terms[111u];
        h[2][17] = decode(kept[kept_top + 14u]);
        h[2][17] = h[2][17] + terms[112u];
        h[3][6] = decode(kept[kept_top + 15u]);
        h[3][6] = h[3][6] + terms[101u];
        h[3][10] = decode(kept[kept_top + 16u]);
        h[3][10] = h[3][10] + terms[105u];
        h[3][11] = decode(kept[kept_top + 17u]);
        h[3][11] = h[3][11] + terms[106u];
        h[3][16] = decode(kept[kept_top + 18u]);
        h[3][16] = h[3][16] + terms[111u];
        h[3][17] = decode(kept[kept_top + 19u]);
        h[3][17] = h[3][17] + terms[112u];
    }
    const unsigned special = skip[index >> 5] >> (index & 31u) & 15u;
    unsigned solid = 0u;
    if (special != 0u) {
        const unsigned word = linked[index >> 5], before = ranks[index >> 5];
        const unsigned with_links = special & word >> (index & 31u);
        const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));
        solid = special & ~with_links;
        unsigned lost[4] = {}, link[4] = {};
        if (with_links >> 0 & 1u) lost[0] = missing[number], link[0] = links[number];
        if (with_links >> 1 & 1u) lost[1] = missing[number + __popc(with_links & 1u)], link[1] = links[number + __popc(with_links & 1u)];
        if (with_links >> 2 & 1u) lost[2] = missing[number + __popc(with_links & 3u)], link[2] = links[number + __popc(with_links & 3u)];
        if (with_links >> 3 & 1u) lost[3] = missing[number + __popc(with_links & 7u)], link[3] = links[number + __popc(with_links & 7u)];
        if (lost[0] >> 1 & 1u) h[0][1] = decode(kept[link[0] + __popc(lost[0] & 1u)]);
        if (lost[0] >> 2 & 1u) h[0][2] = decode(kept[link[0] + __popc(lost[0] & 3u)]);
        if (lost[0] >> 3 & 1u) h[0][3] = decode(kept[link[0] + __popc(lost[0] & 7u)]);
        if (lost[0] >> 4 & 1u) h[0][4] = decode(kept[link[0] + __popc(lost[0] & 15u)]);
        if (lost[0] >> 5 & 1u) h[0][5] = decode(kept[link[0] + __popc(lost[0] & 31u)]);
        if (lost[0] >> 6 & 1u) h[0][6] = decode(kept[link[0] + __popc(lost[0] & 63u)]);
        if (lost[0] >> 7 & 1u) h[0][7] = decode(kept[link[0] + __popc(lost[0] & 127u)]);
        if (lost[0] >> 8 & 1u) h[0][8] = decode(kept[link[0] + __popc(lost[0] & 255u)]);
        if (lost[0] >> 9 & 1u) h[0][9] = decode(kept[link[0] + __popc(lost[0] & 511u)]);
        if (lost[0] >> 10 & 1u) h[0][10] = decode(kept[link[0] + __popc(lost[0] & 1023u)]);
        if (lost[0] >> 11 & 1u) h[0][11] = decode(kept[link[0] + __popc(lost[0] & 2047u)]);
        if (lost[0] >> 12 & 1u) h[0][12] = decode(kept[link[0] + __popc(lost[0] & 4095u)]);
        if (lost[0] >> 13 & 1u) h[0][13] = decode(kept[link[0] + __popc(lost[0] & 8191u)]);
        if (lost[0] >> 14 & 1u) h[0][14] = decode(kept[link[0] + __popc(lost[0] & 16383u)]);
        if (lost[0] >> 15 & 1u) h[0][15] = decode(kept[link[0] + __popc(lost[0] & 32767u)]);
        if (lost[0] >> 16 & 1u) h[0][16] = decode(kept[link[0] + __popc(lost[0] & 65535u)]);
        if (lost[0] >> 17 & 1u) h[0][17] = decode(kept[link[0] + __popc(lost[0] & 131071u)]);
        if (lost[0] >> 18 & 1u) h[0][18] = decode(kept[link[0] + __popc(lost[0] & 262143u)]);
        if (lost[1] >> 1 & 1u) h[1][1] = decode(kept[link[1] + __popc(lost[1] & 1u)]);
        if (lost[1] >> 2 & 1u) h[1][2] = decode(kept[link[1] + __popc(lost[1] & 3u)]);
        if (lost[1] >> 3 & 1u) h[1][3] = decode(kept[link[1] + __popc(lost[1] & 7u)]);
        if (lost[1] >> 4 & 1u) h[1][4] = decode(kept[link[1] + __popc(lost[1] & 15u)]);
        if (lost[1] >> 5 & 1u) h[1][5] = decode(kept[link[1] + __popc(lost[1] & 31u)]);
        if (lost[1] >> 6 & 1u) h[1][6] = decode(kept[link[1] + __popc(lost[1] & 63u)]);
        if (lost[1] >> 7 & 1u) h[1][7] = decode(kept[link[1] + __popc(lost[1] & 127u)]);
        if (lost[1] >> 8 & 1u) h[1][8] = decode(kept[link[1] + __popc(lost[1] & 255u)]);
        if (lost[1] >> 9 & 1u) h[1][9] = decode(kept[link[1] + __popc(lost[1] & 511u)]);
        if (lost[1] >> 10 & 1u) h[1][10] = decode(kept[link[1] + __popc(lost[1] & 1023u)]);
        if (lost[1] >> 11 & 1u) h[1][11] = decode(kept[link[1] + __popc(lost[1] & 2047u)]);
        if (lost[1] >> 12 & 1u) h[1][12] = decode(kept[link[1] + __popc(lost[1] & 4095u)]);
        if (lost[1] >> 13 & 1u) h[1][13] = decode(kept[link[1] + __popc(lost[1] & 8191u)]);
        if (lost[1] >> 14 & 1u) h[1][14] = decode(kept[link[1] + __popc(lost[1] & 16383u)]);
        if (lost[1] >> 15 & 1u) h[1][15] = decode(kept[link[1] + __popc(lost[1] & 32767u)]);
        if (lost[1] >> 16 & 1u) h[1][16] = decode(kept[link[1] + __popc(lost[1] & 65535u)]);
        if (lost[1] >> 17 & 1u) h[1][17] = decode(kept[link[1] + __popc(lost[1] & 131071u)]);
        if (lost[1] >> 18 & 1u) h[1][18] = decode(kept[link[1] + __popc(lost[1] & 262143u)]);
        if (lost[2] >> 1 & 1u) h[2][1] = decode(kept[link[2] + __popc(lost[2] & 1u)]);
        if (lost[2] >> 2 & 1u) h[2][2] = decode(kept[link[2] + __popc(lost[2] & 3u)]);
        if (lost[2] >> 3 & 1u) h[2][3] = decode(kept[link[2] + __popc(lost[2] & 7u)]);
        if (lost[2] >> 4 & 1u) h[2][4] = decode(kept[link[2] + __popc(lost[2] & 15u)]);
        if (lost[2] >> 5 & 1u) h[2][5] = decode(kept[link[2] + __popc(lost[2] & 31u)]);
        if (lost[2] >> 6 & 1u) h[2][6] = decode(kept[link[2] + __popc(lost[2] & 63u)]);
        if (lost[2] >> 7 & 1u) h[2][7] = decode(kept[link[2] + __popc(lost[2] & 127u)]);
        if (lost[2] >> 8 & 1u) h[2][8] = decode(kept[link[2] + __popc(lost[2] & 255u)]);
        if (lost[2] >> 9 & 1u) h[2][9] = decode(kept[link[2] + __popc(lost[2] & 511u)]);
        if (lost[2] >> 10 & 1u) h[2][10] = decode(kept[link[2] + __popc(lost[2] & 1023u)]);
        if (lost[2] >> 11 & 1u) h[2][11] = decode(kept[link[2] + __popc(lost[2] & 2047u)]);
        if (lost[2] >> 12 & 1u) h[2][12] = decode(kept[link[2] + __popc(lost[2] & 4095u)]);
        if (lost[2] >> 13 & 1u) h[2][13] = decode(kept[link[2] + __popc(lost[2] & 8191u)]);
        if (lost[2] >> 14 & 1u) h[2][14] = decode(kept[link[2] + __popc(lost[2] & 16383u)]);
        if (lost[2] >> 15 & 1u) h[2][15] = decode(kept[link[2] + __popc(lost[2] & 32767u)]);
        if (lost[2] >> 16 & 1u) h[2][16] = decode(kept[link[2] + __popc(lost[2] & 65535u)]);
        if (lost[2] >> 17 & 1u) h[2][17] = decode(kept[link[2] + __popc(lost[2] & 131071u)]);
        if (lost[2] >> 18 & 1u) h[2][18] = decode(kept[link[2] + __popc(lost[2] & 262143u)]);
        if (lost[3] >> 1 & 1u) h[3][1] = decode(kept[link[3] + __popc(lost[3] & 1u)]);
        if (lost[3] >> 2 & 1u) h[3][2] = decode(kept[link[3] + __popc(lost[3] & 3u)]);
        if (lost[3] >> 3 & 1u) h[3][3] = decode(kept[link[3] + __popc(lost[3] & 7u)]);
        if (lost[3] >> 4 & 1u) h[3][4] = decode(kept[link[3] + __popc(lost[3] & 15u)]);
        if (lost[3] >> 5 & 1u) h[3][5] = decode(kept[link[3] + __popc(lost[3] & 31u)]);
        if (lost[3] >> 6 & 1u) h[3][6] = decode(kept[link[3] + __popc(lost[3] & 63u)]);
        if (lost[3] >> 7 & 1u) h[3][7] = decode(kept[link[3] + __popc(lost[3] & 127u)]);
        if (lost[3] >> 8 & 1u) h[3][8] = decode(kept[link[3] + __popc(lost[3] & 255u)]);
        if (lost[3] >> 9 & 1u) h[3][9] = decode(kept[link[3] + __popc(lost[3] & 511u)]);
        if (lost[3] >> 10 & 1u) h[3][10] = decode(kept[link[3] + __popc(lost[3] & 1023u)]);
        if (lost[3] >> 11 & 1u) h[3][11] = decode(kept[link[3] + __popc(lost[3] & 2047u)]);
        if (lost[3] >> 12 & 1u) h[3][12] = decode(kept[link[3] + __popc(lost[3] & 4095u)]);
        if (lost[3] >> 13 & 1u) h[3][13] = decode(kept[link[3] + __popc(lost[3] & 8191u)]);
        if (lost[3] >> 14 & 1u) h[3][14] = decode(kept[link[3] + __popc(lost[3] & 16383u)]);
        if (lost[3] >> 15 & 1u) h[3][15] = decode(kept[link[3] + __popc(lost[3] & 32767u)]);
        if (lost[3] >> 16 & 1u) h[3][16] = decode(kept[link[3] + __popc(lost[3] & 65535u)]);
        if (lost[3] >> 17 & 1u) h[3][17] = decode(kept[link[3] + __popc(lost[3] & 131071u)]);
        if (lost[3] >> 18 & 1u) h[3][18] = decode(kept[link[3] + __popc(lost[3] & 262143u)]);
        if (lost[0] >> 1 & 1u) h[0][1] = h[0][1] + terms[19u * walls[link[0] + __popc(lost[0] & 1u)] + 1u];
        if (lost[0] >> 2 & 1u) h[0][2] = h[0][2] + terms[19u * walls[link[0] + __popc(lost[0] & 3u)] + 2u];
        if (lost[0] >> 3 & 1u) h[0][3] = h[0][3] + terms[19u * walls[link[0] + __popc(lost[0] & 7u)] + 3u];
        if (lost[0] >> 4 & 1u) h[0][4] = h[0][4] + terms[19u * walls[link[0] + __popc(lost[0] & 15u)] + 4u];
        if (lost[0] >> 5 & 1u) h[0][5] = h[0][5] + terms[19u * walls[link[0] + __popc(lost[0] & 31u)] + 5u];
        if (lost[0] >> 6 & 1u) h[0][6] = h[0][6] + terms[19u * walls[link[0] + __popc(lost[0] & 63u)] + 6u];
        if (lost[0] >> 7 & 1u) h[0][7] = h[0][7] + terms[19u * walls[link[0] + __popc(lost[0] & 127u)] + 7u];
        if (lost[0] >> 8 & 1u) h[0][8] = h[0][8] + terms[19u * walls[link[0] + __popc(lost[0] & 255u)] + 8u];
        if (lost[0] >> 9 & 1u) h[0][9] = h[0][9] + terms[19u * walls[link[0] + __popc(lost[0] & 511u)] + 9u];
        if (lost[0] >> 10 & 1u) h[0][10] = h[0][10] + terms[19u * walls[link[0] + __popc(lost[0] & 1023u)] + 10u];
        if (lost[0] >> 11 & 1u) h[0][11] = h[0][11] + terms[19u * walls[link[0] + __popc(lost[0] & 2047u)] + 11u];
        if (lost[0] >> 12 & 1u) h[0][12] = h[0][12] + terms[19u * walls[link[0] + __popc(lost[0] & 4095u)] + 12u];
        if (lost[0] >> 13 & 1u) h[0][13] = h[0][13] + terms[19u * walls[link[0] + __popc(lost[0] & 8191u)] + 13u];
        if (lost[0] >> 14 & 1u) h[0][14] = h[0][14] + terms[19u * walls[link[0] + __popc(lost[0] & 16383u)] + 14u];
        if (lost[0] >> 15 & 1u) h[0][15] = h[0][15] + terms[19u * walls[link[0] + __popc(lost[0] & 32767u)] + 15u];
        if (lost[0] >> 16 & 1u) h[0][16] = h[0][16] + terms[19u * walls[link[0] + __popc(lost[0] & 65535u)] + 16u];
        if (lost[0] >> 17 & 1u) h[0][17] = h[0][17] + terms[19u * walls[link[0] + __popc(lost[0] & 131071u)] + 17u];
        if (lost[0] >> 18 & 1u) h[0][18] = h[0][18] + terms[19u * walls[link[0] + __popc(lost[0] & 262143u)] + 18u];
        if (lost[1] >> 1 & 1u) h[1][1] = h[1][1] + terms[19u * walls[link[1] + __popc(lost[1] & 1u)] + 1u];
        if (lost[1] >> 2 & 1u) h[1][2] = h[1][2] + terms[19u * walls[link[1] + __popc(lost[1] & 3u)] + 2u];
        if (lost[1] >> 3 & 1u) h[1][3] = h[1][3] + terms[19u * walls[link[1] + __popc(lost[1] & 7u)] + 3u];
        if (lost[1] >> 4 & 1u) h[1][4] = h[1][4] + terms[19u * walls[link[1] + __popc(lost[1] & 15u)] + 4u];
        if (lost[1] >> 5 & 1u) h[1][5] = h[1][5] + terms[19u * walls[link[1] + __popc(lost[1] & 31u)] + 5u];
        if (lost[1] >> 6 & 1u) h[1][6] = h[1][6] + terms[19u * walls[link[1] + __popc(lost[1] & 63u)] + 6u];
        if (lost[1] >> 7 & 1u) h[1][7] = h[1][7] + terms[19u * walls[link[1] + __popc(lost[1] & 127u)] + 7u];
        if (lost[1] >> 8 & 1u) h[1][8] = h[1][8] + terms[19u * walls[link[1] + __popc(lost[1] & 255u)] + 8u];
        if (lost[1] >> 9 & 1u) h[1][9] = h[1][9] + terms[19u * walls[link[1] + __popc(lost[1] & 511u)] + 9u];
        if (lost[1] >> 10 & 1u) h[1][10] = h[1][10] + terms[19u * walls[link[1] + __popc(lost[1] & 1023u)] + 10u];
        if (lost[1] >> 11 & 1u) h[1][11] = h[1][11] + terms[19u * walls[link[1] + __popc(lost[1] & 2047u)] + 11u];
        if (lost[1] >> 12 & 1u) h[1][12] = h[1][12] + terms[19u * walls[link[1] + __popc(lost[1] & 4095u)] + 12u];
        if (lost[1] >> 13 & 1u) h[1][13] = h[1][13] + terms[19u * walls[link[1] + __popc(lost[1] & 8191u)] + 13u];
        if (lost[1] >> 14 & 1u) h[1][14] = h[1][14] + terms[19u * walls[link[1] + __popc(lost[1] & 16383u)] + 14u];
        if (lost[1] >> 15 & 1u) h[1][15] = h[1][15] + terms[19u * walls[link[1] + __popc(lost[1] & 32767u)] + 15u];
        if (lost[1] >> 16 & 1u) h[1][16] = h[1][16] + terms[19u * walls[link[1] + __popc(lost[1] & 65535u)] + 16u];
        if (lost[1] >> 17 & 1u) h[1][17] = h[1][17] + terms[19u * walls[link[1] + __popc(lost[1] & 131071u)] + 17u];
        if (lost[1] >> 18 & 1u) h[1][18] = h[1][18] + terms[19u * walls[link[1] + __popc(lost[1] & 262143u)] + 18u];
        if (lost[2] >> 1 & 1u) h[2][1] = h[2][1] + terms[19u * walls[link[2] + __popc(lost[2] & 1u)] + 1u];
        if (lost[2] >> 2 & 1u) h[2][2] = h[2][2] + terms[19u * walls[link[2] + __popc(lost[2] & 3u)] + 2u];
        if (lost[2] >> 3 & 1u) h[2][3] = h[2][3] + terms[19u * walls[link[2] + __popc(lost[2] & 7u)] + 3u];
        if (lost[2] >> 4 & 1u) h[2][4] = h[2][4] + terms[19u * walls[link[2] + __popc(lost[2] & 15u)] + 4u];
        if (lost[2] >> 5 & 1u) h[2][5] = h[2][5] + terms[19u * walls[link[2] + __popc(lost[2] & 31u)] + 5u];
        if (lost[2] >> 6 & 1u) h[2][6] = h[2][6] + terms[19u * walls[link[2] + __popc(lost[2] & 63u)] + 6u];
        if (lost[2] >> 7 & 1u) h[2][7] = h[2][7] + terms[19u * walls[link[2] + __popc(lost[2] & 127u)] + 7u];
        if (lost[2] >> 8 & 1u) h[2][8] = h[2][8] + terms[19u * walls[link[2] + __popc(lost[2] & 255u)] + 8u];
        if (lost[2] >> 9 & 1u) h[2][9] = h[2][9] + terms[19u * walls[link[2] + __popc(lost[2] & 511u)] + 9u];
        if (lost[2] >> 10 & 1u) h[2][10] = h[2][10] + terms[19u * walls[link[2] + __popc(lost[2] & 1023u)] + 10u];
        if (lost[2] >> 11 & 1u) h[2][11] = h[2][11] + terms[19u * walls[link[2] + __popc(lost[2] & 2047u)] + 11u];
        if (lost[2] >> 12 & 1u) h[2][12] = h[2][12] + terms[19u * walls[link[2] + __popc(lost[2] & 4095u)] + 12u];
        if (lost[2] >> 13 & 1u) h[2][13] = h[2][13] + terms[19u * walls[link[2] + __popc(lost[2] & 8191u)] + 13u];
        if (lost[2] >> 14 & 1u) h[2][14] = h[2][14] + terms[19u * walls[link[2] + __popc(lost[2] & 16383u)] + 14u];
        if (lost[2] >> 15 & 1u) h[2][15] = h[2][15] + terms[19u * walls[link[2] + __popc(lost[2] & 32767u)] + 15u];
        if (lost[2] >> 16 & 1u) h[2][16] = h[2][16] + terms[19u * walls[link[2] + __popc(lost[2] & 65535u)] + 16u];
        if (lost[2] >> 17 & 1u) h[2][17] = h[2][17] + terms[19u * walls[link[2] + __popc(lost[2] & 131071u)] + 17u];
        if (lost[2] >> 18 & 1u) h[2][18] = h[2][18] + terms[19u * walls[link[2] + __popc(lost[2] & 262143u)] + 18u];
        if (lost[3] >> 1 & 1u) h[3][1] = h[3][1] + terms[19u * walls[link[3] + __popc(lost[3] & 1u)] + 1u];
        if (lost[3] >> 2 & 1u) h[3][2] = h[3][2] + terms[19u * walls[link[3] + __popc(lost[3] & 3u)] + 2u];
        if (lost[3] >> 3 & 1u) h[3][3] = h[3][3] + terms[19u * walls[link[3] + __popc(lost[3] & 7u)] + 3u];
        if (lost[3] >> 4 & 1u) h[3][4] = h[3][4] + terms[19u * walls[link[3] + __popc(lost[3] & 15u)] + 4u];
        if (lost[3] >> 5 & 1u) h[3][5] = h[3][5] + terms[19u * walls[link[3] + __popc(lost[3] & 31u)] + 5u];
        if (lost[3] >> 6 & 1u) h[3][6] = h[3][6] + terms[19u * walls[link[3] + __popc(lost[3] & 63u)] + 6u];
        if (lost[3] >> 7 & 1u) h[3][7] = h[3][7] + terms[19u * walls[link[3] + __popc(lost[3] & 127u)] + 7u];
        if (lost[3] >> 8 & 1u) h[3][8] = h[3][8] + terms[19u * walls[link[3] + __popc(lost[3] & 255u)] + 8u];
        if (lost[3] >> 9 & 1u) h[3][9] = h[3][9] + terms[19u * walls[link[3] + __popc(lost[3] & 511u)] + 9u];
        if (lost[3] >> 10 & 1u) h[3][10] = h[3][10] + terms[19u * walls[link[3] + __popc(lost[3] & 1023u)] + 10u];
        if (lost[3] >> 11 & 1u) h[3][11] = h[3][11] + terms[19u * walls[link[3] + __popc(lost[3] & 2047u)] + 11u];
        if (lost[3] >> 12 & 1u) h[3][12] = h[3][12] + terms[19u * walls[link[3] + __popc(lost[3] & 4095u)] + 12u];
        if (lost[3] >> 13 & 1u) h[3][13] = h[3][13] + terms[19u * walls[link[3] + __popc(lost[3] & 8191u)] + 13u];
        if (lost[3] >> 14 & 1u) h[3][14] = h[3][14] + terms[19u * walls[link[3] + __popc(lost[3] & 16383u)] + 14u];
        if (lost[3] >> 15 & 1u) h[3][15] = h[3][15] + terms[19u * walls[link[3] + __popc(lost[3] & 32767u)] + 15u];
        if (lost[3] >> 16 & 1u) h[3][16] = h[3][16] + terms[19u * walls[link[3] + __popc(lost[3] & 65535u)] + 16u];
        if (lost[3] >> 17 & 1u) h[3][17] = h[3][17] + terms[19u * walls[link[3] + __popc(lost[3] & 131071u)] + 17u];
        if (lost[3] >> 18 & 1u) h[3][18] = h[3][18] + terms[19u * walls[link[3] + __popc(lost[3] & 262143u)] + 18u];
    }
    collide(h[0], uniforms.k, post[0]);
    collide(h[1], uniforms.k, post[1]);
    collide(h[2], uniforms.k, post[2]);
    collide(h[3], uniforms.k, post[3]);
    if (solid != 0u) {
        if (solid >> 0 & 1u) {
            post[0][0] = 0;
            post[0][1] = 0;
            post[0][2] = 0;
            post[0][3] = 0;
            post[0][4] = 0;
            post[0][5] = 0;
            post[0][6] = 0;
            post[0][7] = 0;
            post[0][8] = 0;
            post[0][9] = 0;
            post[0][10] = 0;
            post[0][11] = 0;
            post[0][12] = 0;
            post[0][13] = 0;
            post[0][14] = 0;
            post[0][15] = 0;
            post[0][16] = 0;
            post[0][17] = 0;
            post[0][18] = 0;
        }
        if (solid >> 1 & 1u) {
            post[1][0] = 0;
            post[1][1] = 0;
            post[1][2] = 0;
            post[1][3] = 0;
            post[1][4] = 0;
            post[1][5] = 0;
            post[1][6] = 0;
            post[1][7] = 0;
            post[1][8] = 0;
            post[1][9] = 0;
            post[1][10] = 0;
            post[1][11] = 0;
            post[1][12] = 0;
            post[1][13] = 0;
            post[1][14] = 0;
            post[1][15] = 0;
            post[1][16] = 0;
            post[1][17] = 0;
            post[1][18] = 0;
        }
        if (solid >> 2 & 1u) {
            post[2][0] = 0;
            post[2][1] = 0;
            post[2][2] = 0;
            post[2][3] = 0;
            post[2][4] = 0;
            post[2][5] = 0;
            post[2][6] = 0;
            post[2][7] = 0;
            post[2][8] = 0;
            post[2][9] = 0;
            post[2][10] = 0;
            post[2][11] = 0;
            post[2][12] = 0;
            post[2][13] = 0;
            post[2][14] = 0;
            post[2][15] = 0;
            post[2][16] = 0;
            post[2][17] = 0;
            post[2][18] = 0;
        }
        if (solid >> 3 & 1u) {
            post[3][0] = 0;
            post[3][1] = 0;
            post[3][2] = 0;
            post[3][3] = 0;
            post[3][4] = 0;
            post[3][5] = 0;
            post[3][6] = 0;
            post[3][7] = 0;
            post[3][8] = 0;
            post[3][9] = 0;
            post[3][10] = 0;
            post[3][11] = 0;
            post[3][12] = 0;
            post[3][13] = 0;
            post[3][14] = 0;
            post[3][15] = 0;
            post[3][16] = 0;
            post[3][17] = 0;
            post[3][18] = 0;
        }
    }
    const bool idle = solid == 15u;
    const int idle_west = __shfl_up_sync(0xffffffffu, (int)idle, 1);
    const int idle_east = __shfl_down_sync(0xffffffffu, (int)idle, 1);
    const bool first_out = first || idle_west != 0, last_out = last || idle_east != 0;
    // All has been read before anything is written.
    asm volatile("" ::: "memory");
    // Populations that leave.
    write_to_east(&populations[256u + node / 128u * 2432u + node % 128u], &populations[256u + node_xp1 / 128u * 2432u + node_xp1 % 128u], post, 1, first_out, last_out, idle);
    write_to_east(&populations[1024u + node_yp1 / 128u * 2432u + node_yp1 % 128u], &populations[1024u + node_xp1_yp1 / 128u * 2432u + node_xp1_yp1 % 128u], post, 7, first_out, last_out, idle);
    write_to_east(&populations[1280u + node_zp1 / 128u * 2432u + node_zp1 % 128u], &populations[1280u + node_xp1_zp1 / 128u * 2432u + node_xp1_zp1 % 128u], post, 9, first_out, last_out, idle);
    write_to_east(&populations[1536u + node_zm1 / 128u * 2432u + node_zm1 % 128u], &populations[1536u + node_xp1_zm1 / 128u * 2432u + node_xp1_zm1 % 128u], post, 11, first_out, last_out, idle);
    write_to_east(&populations[1792u + node_ym1 / 128u * 2432u + node_ym1 % 128u], &populations[1792u + node_xp1_ym1 / 128u * 2432u + node_xp1_ym1 % 128u], post, 13, first_out, last_out, idle);
    if (idle) return;
    write(&populations[node / 128u * 2432u + node % 128u], post, 0);
    write(&populations[128u + node / 128u * 2432u + node % 128u], post, 2);
    write(&populations[512u + node_yp1 / 128u * 2432u + node_yp1 % 128u], post, 3);
    write(&populations[384u + node / 128u * 2432u + node % 128u], post, 4);
    write(&populations[768u + node_zp1 / 128u * 2432u + node_zp1 % 128u], post, 5);
    write(&populations[640u + node / 128u * 2432u + node % 128u], post, 6);
    write(&populations[896u + node / 128u * 2432u + node % 128u], post, 8);
    write(&populations[1152u + node / 128u * 2432u + node % 128u], post, 10);
    write(&populations[1408u + node / 128u * 2432u + node % 128u], post, 12);
    write(&populations[1664u + node / 128u * 2432u + node % 128u], post, 14);
    write(&populations[2048u + node_yp1_zp1 / 128u * 2432u + node_yp1_zp1 % 128u], post, 15);
    write(&populations[1920u + node / 128u * 2432u + node % 128u], post, 16);
    write(&populations[2304u + node_yp1_zm1 / 128u * 2432u + node_yp1_zm1 % 128u], post, 17);
    write(&populations[2176u + node / 128u * 2432u + node % 128u], post, 18);
    // What goes into walls comes back in the next step.
    if (at_west) {
        kept[kept_west + 0u] = encode(post[0][2]);
        kept[kept_west + 1u] = encode(post[0][8]);
        kept[kept_west + 2u] = encode(post[0][10]);
        kept[kept_west + 3u] = encode(post[0][12]);
        kept[kept_west + 4u] = encode(post[0][14]);
    }
    if (at_east) {
        kept[kept_east + 0u] = encode(post[3][1]);
        kept[kept_east + 1u] = encode(post[3][7]);
        kept[kept_east + 2u] = encode(post[3][9]);
        kept[kept_east + 3u] = encode(post[3][11]);
        kept[kept_east + 4u] = encode(post[3][13]);
    }
    if (at_south) {
        kept[kept_south + 0u] = encode(post[0][4]);
        kept[kept_south + 1u] = encode(post[0][8]);
        kept[kept_south + 2u] = encode(post[0][13]);
        kept[kept_south + 3u] = encode(post[0][16]);
        kept[kept_south + 4u] = encode(post[0][18]);
        kept[kept_south + 5u] = encode(post[1][4]);
        kept[kept_south + 6u] = encode(post[1][8]);
        kept[kept_south + 7u] = encode(post[1][13]);
        kept[kept_south + 8u] = encode(post[1][16]);
        kept[kept_south + 9u] = encode(post[1][18]);
        kept[kept_south + 10u] = encode(post[2][4]);
        kept[kept_south + 11u] = encode(post[2][8]);
        kept[kept_south + 12u] = encode(post[2][13]);
        kept[kept_south + 13u] = encode(post[2][16]);
        kept[kept_south + 14u] = encode(post[2][18]);
        kept[kept_south + 15u] = encode(post[3][4]);
        kept[kept_south + 16u] = encode(post[3][8]);
        kept[kept_south + 17u] = encode(post[3][13]);
        kept[kept_south + 18u] = encode(post[3][16]);
        kept[kept_south + 19u] = encode(post[3][18]);
    }
    if (at_north) {
        kept[kept_north + 0u] = encode(post[0][3]);
        kept[kept_north + 1u] = encode(post[0][7]);
        kept[kept_north + 2u] = encode(post[0][14]);
        kept[kept_north + 3u] = encode(post[0][15]);
        kept[kept_north + 4u] = encode(post[0][17]);
        kept[kept_north + 5u] = encode(post[1][3]);
        kept[kept_north + 6u] = encode(post[1][7]);
        kept[kept_north + 7u] = encode(post[1][14]);
        kept[kept_north + 8u] = encode(post[1][15]);
        kept[kept_north + 9u] = encode(post[1][17]);
        kept[kept_north + 10u] = encode(post[2][3]);
        kept[kept_north + 11u] = encode(post[2][7]);
        kept[kept_north + 12u] = encode(post[2][14]);
        kept[kept_north + 13u] = encode(post[2][15]);
        kept[kept_north + 14u] = encode(post[2][17]);
        kept[kept_north + 15u] = encode(post[3][3]);
        kept[kept_north + 16u] = encode(post[3][7]);
        kept[kept_north + 17u] = encode(post[3][14]);
        kept[kept_north + 18u] = encode(post[3][15]);
        kept[kept_north + 19u] = encode(post[3][17]);
    }
    if (at_bottom) {
        kept[kept_bottom + 0u] = encode(post[0][6]);
        kept[kept_bottom + 1u] = encode(post[0][10]);
        kept[kept_bottom + 2u] = encode(post[0][11]);
        kept[kept_bottom + 3u] = encode(post[0][16]);
        kept[kept_bottom + 4u] = encode(post[0][17]);
        kept[kept_bottom + 5u] = encode(post[1][6]);
        kept[kept_bottom + 6u] = encode(post[1][10]);
        kept[kept_bottom + 7u] = encode(post[1][11]);
        kept[kept_bottom + 8u] = encode(post[1][16]);
        kept[kept_bottom + 9u] = encode(post[1][17]);
        kept[kept_bottom + 10u] = encode(post[2][6]);
        kept[kept_bottom + 11u] = encode(post[2][10]);
        kept[kept_bottom + 12u] = encode(post[2][11]);
        kept[kept_bottom + 13u] = encode(post[2][16]);
        kept[kept_bottom + 14u] = encode(post[2][17]);
        kept[kept_bottom + 15u] = encode(post[3][6]);
        kept[kept_bottom + 16u] = encode(post[3][10]);
        kept[kept_bottom + 17u] = encode(post[3][11]);
        kept[kept_bottom + 18u] = encode(post[3][16]);
        kept[kept_bottom + 19u] = encode(post[3][17]);
    }
    if (at_top) {
        kept[kept_top + 0u] = encode(post[0][5]);
        kept[kept_top + 1u] = encode(post[0][9]);
        kept[kept_top + 2u] = encode(post[0][12]);
        kept[kept_top + 3u] = encode(post[0][15]);
        kept[kept_top + 4u] = encode(post[0][18]);
        kept[kept_top + 5u] = encode(post[1][5]);
        kept[kept_top + 6u] = encode(post[1][9]);
        kept[kept_top + 7u] = encode(post[1][12]);
        kept[kept_top + 8u] = encode(post[1][15]);
        kept[kept_top + 9u] = encode(post[1][18]);
        kept[kept_top + 10u] = encode(post[2][5]);
        kept[kept_top + 11u] = encode(post[2][9]);
        kept[kept_top + 12u] = encode(post[2][12]);
        kept[kept_top + 13u] = encode(post[2][15]);
        kept[kept_top + 14u] = encode(post[2][18]);
        kept[kept_top + 15u] = encode(post[3][5]);
        kept[kept_top + 16u] = encode(post[3][9]);
        kept[kept_top + 17u] = encode(post[3][12]);
        kept[kept_top + 18u] = encode(post[3][15]);
        kept[kept_top + 19u] = encode(post[3][18]);
    }
    if (special != 0u) {
        if (special >> 0 & linked[index >> 5] >> (index & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, index);
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[0][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[0][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[0][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[0][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[0][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[0][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[0][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[0][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[0][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[0][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[0][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[0][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[0][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[0][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[0][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[0][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[0][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[0][17]);
        }
        if (special >> 1 & linked[(index + 1u) >> 5] >> ((index + 1u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 1u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[1][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[1][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[1][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[1][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[1][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[1][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[1][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[1][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[1][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[1][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[1][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[1][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[1][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[1][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[1][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[1][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[1][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[1][17]);
        }
        if (special >> 2 & linked[(index + 2u) >> 5] >> ((index + 2u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 2u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[2][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[2][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[2][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[2][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[2][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[2][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[2][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[2][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[2][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[2][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[2][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[2][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[2][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[2][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[2][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[2][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[2][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[2][17]);
        }
        if (special >> 3 & linked[(index + 3u) >> 5] >> ((index + 3u) & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, (index + 3u));
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[3][2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[3][1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[3][4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[3][3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[3][6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[3][5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[3][8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[3][7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[3][10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[3][9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[3][12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[3][11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[3][14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[3][13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[3][16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[3][15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[3][18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[3][17]);
        }
    }
}
