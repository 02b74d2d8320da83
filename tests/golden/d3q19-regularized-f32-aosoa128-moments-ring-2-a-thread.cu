using real = float;
__device__ __forceinline__ real fma_rn(const real a, const real b, const real c) { return __fmaf_rn(a, b, c); }
__device__ __forceinline__ real div_rn(const real a, const real b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ real rcp_rn(const real a) { return __frcp_rn(a); }
__device__ __forceinline__ real sqrt_rn(const real a) { return __fsqrt_rn(a); }
__device__ __forceinline__ real smaller(const real a, const real b) { return a < b ? a : b; }
__device__ __forceinline__ real larger(const real a, const real b) { return a > b ? a : b; }
using stored = real;
__device__ __forceinline__ real decode(const stored x) { return x; }
__device__ __forceinline__ stored encode(const real x) { return x; }

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

// Where each slot began in the last step, and begins in this one: the copy is a ring, and new planes lie
// where old ones are no longer needed.
struct Origins { unsigned before[1], now[1]; };

// Where a storage node stands in a ring of so many.
__device__ __forceinline__ size_t turned(const unsigned node, const unsigned origin, const unsigned nodes) {
    const unsigned at = node + origin;
    return at < nodes ? at : at - nodes;
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
    const real rho = 1.0f + delta_rho;
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
    const real rho = 1.0f + delta_rho;
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

// Before a step: the plane that changes first beyond the one that is done last, which finds it there as it was; and no block has
// a ticket.
extern "C" __global__ void __launch_bounds__(256, 1) keep_plane_0(
    stored* const moments,
    unsigned* const progress,
    const Origins origins
) {
    const unsigned number = 256u * blockIdx.x + threadIdx.x;
    if (number <= 8u) progress[number] = 0u;
    if (number >= 4096u) return;
    const unsigned x = number % 256u;
    const unsigned y = number / 256u;
    const size_t kept = turned(x + 256u * y, origins.before[0], 45056u), beyond = turned(x + 256u * (128u + y), origins.before[0], 45056u);
    moments[beyond / 128u * 1280u + beyond % 128u] = moments[kept / 128u * 1280u + kept % 128u];
    moments[128u + beyond / 128u * 1280u + beyond % 128u] = moments[128u + kept / 128u * 1280u + kept % 128u];
    moments[256u + beyond / 128u * 1280u + beyond % 128u] = moments[256u + kept / 128u * 1280u + kept % 128u];
    moments[384u + beyond / 128u * 1280u + beyond % 128u] = moments[384u + kept / 128u * 1280u + kept % 128u];
    moments[512u + beyond / 128u * 1280u + beyond % 128u] = moments[512u + kept / 128u * 1280u + kept % 128u];
    moments[640u + beyond / 128u * 1280u + beyond % 128u] = moments[640u + kept / 128u * 1280u + kept % 128u];
    moments[768u + beyond / 128u * 1280u + beyond % 128u] = moments[768u + kept / 128u * 1280u + kept % 128u];
    moments[896u + beyond / 128u * 1280u + beyond % 128u] = moments[896u + kept / 128u * 1280u + kept % 128u];
    moments[1024u + beyond / 128u * 1280u + beyond % 128u] = moments[1024u + kept / 128u * 1280u + kept % 128u];
    moments[1152u + beyond / 128u * 1280u + beyond % 128u] = moments[1152u + kept / 128u * 1280u + kept % 128u];
}

// A time step: each thread marches along z through one of 8 parts of the box, 2 nodes wide.
extern "C" __global__ void __launch_bounds__(128) step_0(
    stored* const moments,
    const Uniforms uniforms,
    const Origins origins,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms,
    unsigned* const progress
) {
    // Blocks take their parts in order, so that all parts before are under way.
    __shared__ unsigned ticket;
    if (threadIdx.x == 0u && threadIdx.y == 0u && threadIdx.z == 0u) ticket = atomicAdd(&progress[0], 1u);
    __syncthreads();
    const unsigned block_x = ticket % gridDim.x, block_y = ticket / gridDim.x % gridDim.y;
    const unsigned block_z = ticket / gridDim.x / gridDim.y;
    const unsigned x = 2u * (32u * block_x + threadIdx.x);
    const unsigned y = 4u * block_y + threadIdx.y;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    const unsigned begin = (size_t)8u * block_z / 8u, end = (size_t)8u * (block_z + 1u) / 8u;
    const unsigned xm1 = x < 1u ? x + 255u : x - 1u;
    const unsigned xp1 = x < 254u ? x + 2u : x - 254u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const unsigned beside = first ? xm1 : xp1;
    // What waits: sums for the plane below, and populations on their way up, for the plane at hand.
    real waiting[2][9] = {}, rising[2][5] = {};
    extern __shared__ real exchange[];
    const bool at_west = x == 0u;
    const bool at_east = x + 2u == 256u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 16u;
    const bool at_side = at_west || at_east || at_south || at_north;
    const unsigned thread = threadIdx.x + 32u * (threadIdx.y + 4u * threadIdx.z);
    // Of the planes met last, a bit for each node that is solid or in lists.
    unsigned special = 0u;
    unsigned* const lost_at = reinterpret_cast<unsigned*>(exchange + 2560u) + thread;
    real* const back = exchange + 0u + thread;
#pragma unroll 1
    for (unsigned number = 0; number < end - begin + 2u; ++number) {
        // From the plane below the first one to that above the last.
        const unsigned above = begin + number;
        const unsigned z = above == 0u ? 8u - 1u : above > 8u ? 8u : above - 1u;
        real h[2][19];
        const size_t node_0 = turned(x + 256u * (ym1 + 16u * z), origins.before[0], 45056u);
        real m_0[2][10];
        read(m_0, 0, &moments[node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 1, &moments[128u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 2, &moments[256u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 3, &moments[384u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 4, &moments[512u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 5, &moments[640u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 7, &moments[896u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 8, &moments[1024u + node_0 / 128u * 1280u + node_0 % 128u]);
        read(m_0, 9, &moments[1152u + node_0 / 128u * 1280u + node_0 % 128u]);
        const size_t node_1 = turned(x + 256u * (y + 16u * z), origins.before[0], 45056u);
        real m_1[2][10];
        read(m_1, 0, &moments[node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 1, &moments[128u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 2, &moments[256u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 3, &moments[384u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 4, &moments[512u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 5, &moments[640u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 6, &moments[768u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 7, &moments[896u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 8, &moments[1024u + node_1 / 128u * 1280u + node_1 % 128u]);
        read(m_1, 9, &moments[1152u + node_1 / 128u * 1280u + node_1 % 128u]);
        const size_t node_2 = turned(x + 256u * (yp1 + 16u * z), origins.before[0], 45056u);
        real m_2[2][10];
        read(m_2, 0, &moments[node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 1, &moments[128u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 2, &moments[256u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 3, &moments[384u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 4, &moments[512u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 5, &moments[640u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 7, &moments[896u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 8, &moments[1024u + node_2 / 128u * 1280u + node_2 % 128u]);
        read(m_2, 9, &moments[1152u + node_2 / 128u * 1280u + node_2 % 128u]);
        real e_0[10] = {};
        real e_1[10] = {};
        real e_2[10] = {};
        if (first || last) {
            const size_t end_0 = turned(beside + 256u * (ym1 + 16u * z), origins.before[0], 45056u);
            e_0[0] = decode(moments[end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[1] = decode(moments[128u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[2] = decode(moments[256u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[4] = decode(moments[512u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[5] = decode(moments[640u + end_0 / 128u * 1280u + end_0 % 128u]);
            e_0[7] = decode(moments[896u + end_0 / 128u * 1280u + end_0 % 128u]);
            const size_t end_1 = turned(beside + 256u * (y + 16u * z), origins.before[0], 45056u);
            e_1[0] = decode(moments[end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[1] = decode(moments[128u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[3] = decode(moments[384u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[4] = decode(moments[512u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[6] = decode(moments[768u + end_1 / 128u * 1280u + end_1 % 128u]);
            e_1[9] = decode(moments[1152u + end_1 / 128u * 1280u + end_1 % 128u]);
            const size_t end_2 = turned(beside + 256u * (yp1 + 16u * z), origins.before[0], 45056u);
            e_2[0] = decode(moments[end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[1] = decode(moments[128u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[2] = decode(moments[256u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[4] = decode(moments[512u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[5] = decode(moments[640u + end_2 / 128u * 1280u + end_2 % 128u]);
            e_2[7] = decode(moments[896u + end_2 / 128u * 1280u + end_2 % 128u]);
        }
        special <<= 2;
        if (number - 1u < end - begin) special |= bits_at(skip, x + 256u * (y + 16u * z), 3u);
        h[0][3] = rebuild_3(m_0[0]);
        h[1][3] = rebuild_3(m_0[1]);
        h[0][15] = rebuild_15(m_0[0]);
        h[1][15] = rebuild_15(m_0[1]);
        h[0][17] = rebuild_17(m_0[0]);
        h[1][17] = rebuild_17(m_0[1]);
        {
            real leaving[2][19];
            leaving[0][7] = rebuild_7(m_0[0]);
            leaving[1][7] = rebuild_7(m_0[1]);
            leaving[0][14] = rebuild_14(m_0[0]);
            leaving[1][14] = rebuild_14(m_0[1]);
            arrive_from_west(h, 7, leaving, rebuild_7(e_0), first);
            arrive_from_east(h, 14, leaving, rebuild_14(e_0), last);
        }
        h[0][4] = rebuild_4(m_2[0]);
        h[1][4] = rebuild_4(m_2[1]);
        h[0][16] = rebuild_16(m_2[0]);
        h[1][16] = rebuild_16(m_2[1]);
        h[0][18] = rebuild_18(m_2[0]);
        h[1][18] = rebuild_18(m_2[1]);
        {
            real leaving[2][19];
            leaving[0][8] = rebuild_8(m_2[0]);
            leaving[1][8] = rebuild_8(m_2[1]);
            leaving[0][13] = rebuild_13(m_2[0]);
            leaving[1][13] = rebuild_13(m_2[1]);
            arrive_from_east(h, 8, leaving, rebuild_8(e_2), last);
            arrive_from_west(h, 13, leaving, rebuild_13(e_2), first);
        }
        if (at_side || above == 1u || above == 8u || above == 8u + 1u || (special >> 0 & 15u) != 0u) {
            if (special & 1u) {
                const size_t index = x + 256u * (y + 16u * z);
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 256u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            if (special >> 1 & 1u) {
                const size_t index = x + 256u * (y + 16u * z) + 1u;
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 256u + 128u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            const unsigned lost_below_0 = (special >> 2 & 1u) ? lost_at[((number + 1u) & 1u) * 256u] : 0u;
            if (at_north || above == 8u + 1u || (lost_below_0 >> 16 & 1u)) h[0][16] = back[2048u];
            if (at_south || above == 8u + 1u || (lost_below_0 >> 17 & 1u)) h[0][17] = back[2304u];
            const unsigned lost_below_1 = (special >> 3 & 1u) ? lost_at[((number + 1u) & 1u) * 256u + 128u] : 0u;
            if (at_north || above == 8u + 1u || (lost_below_1 >> 16 & 1u)) h[1][16] = back[2176u];
            if (at_south || above == 8u + 1u || (lost_below_1 >> 17 & 1u)) h[1][17] = back[2432u];
            if (special & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 256u];
                if (lost >> 1 & 1u) back[0u] = rebuild_2(m_1[0]);
                if (lost >> 2 & 1u) back[256u] = rebuild_1(m_1[0]);
                if (lost >> 3 & 1u) h[0][3] = rebuild_4(m_1[0]);
                if (lost >> 4 & 1u) h[0][4] = rebuild_3(m_1[0]);
                if (lost >> 5 & 1u) rising[0][0] = rebuild_6(m_1[0]);
                if (lost >> 6 & 1u) back[512u + (number & 1u) * 256u] = rebuild_5(m_1[0]);
                if (lost >> 7 & 1u) h[0][7] = rebuild_8(m_1[0]);
                if (lost >> 8 & 1u) h[0][8] = rebuild_7(m_1[0]);
                if (lost >> 9 & 1u) rising[0][1] = rebuild_10(m_1[0]);
                if (lost >> 10 & 1u) back[1024u + (number & 1u) * 256u] = rebuild_9(m_1[0]);
                if (lost >> 11 & 1u) back[1536u + (number & 1u) * 256u] = rebuild_12(m_1[0]);
                if (lost >> 12 & 1u) rising[0][2] = rebuild_11(m_1[0]);
                if (lost >> 13 & 1u) h[0][13] = rebuild_14(m_1[0]);
                if (lost >> 14 & 1u) h[0][14] = rebuild_13(m_1[0]);
                if (lost >> 15 & 1u) rising[0][3] = rebuild_16(m_1[0]);
                if (lost >> 16 & 1u) back[2048u] = rebuild_15(m_1[0]);
                if (lost >> 17 & 1u) back[2304u] = rebuild_18(m_1[0]);
                if (lost >> 18 & 1u) rising[0][4] = rebuild_17(m_1[0]);
            }
            if (special >> 1 & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 256u + 128u];
                if (lost >> 1 & 1u) back[128u] = rebuild_2(m_1[1]);
                if (lost >> 2 & 1u) back[384u] = rebuild_1(m_1[1]);
                if (lost >> 3 & 1u) h[1][3] = rebuild_4(m_1[1]);
                if (lost >> 4 & 1u) h[1][4] = rebuild_3(m_1[1]);
                if (lost >> 5 & 1u) rising[1][0] = rebuild_6(m_1[1]);
                if (lost >> 6 & 1u) back[640u + (number & 1u) * 256u] = rebuild_5(m_1[1]);
                if (lost >> 7 & 1u) h[1][7] = rebuild_8(m_1[1]);
                if (lost >> 8 & 1u) h[1][8] = rebuild_7(m_1[1]);
                if (lost >> 9 & 1u) rising[1][1] = rebuild_10(m_1[1]);
                if (lost >> 10 & 1u) back[1152u + (number & 1u) * 256u] = rebuild_9(m_1[1]);
                if (lost >> 11 & 1u) back[1664u + (number & 1u) * 256u] = rebuild_12(m_1[1]);
                if (lost >> 12 & 1u) rising[1][2] = rebuild_11(m_1[1]);
                if (lost >> 13 & 1u) h[1][13] = rebuild_14(m_1[1]);
                if (lost >> 14 & 1u) h[1][14] = rebuild_13(m_1[1]);
                if (lost >> 15 & 1u) rising[1][3] = rebuild_16(m_1[1]);
                if (lost >> 16 & 1u) back[2176u] = rebuild_15(m_1[1]);
                if (lost >> 17 & 1u) back[2432u] = rebuild_18(m_1[1]);
                if (lost >> 18 & 1u) rising[1][4] = rebuild_17(m_1[1]);
            }
            if (at_west) {
                back[0u] = rebuild_2(m_1[0]);
                h[0][7] = rebuild_8(m_1[0]);
                rising[0][1] = rebuild_10(m_1[0]);
                back[1536u + (number & 1u) * 256u] = rebuild_12(m_1[0]);
                h[0][13] = rebuild_14(m_1[0]);
            }
            if (at_east) {
                back[384u] = rebuild_1(m_1[1]);
                h[1][8] = rebuild_7(m_1[1]);
                back[1152u + (number & 1u) * 256u] = rebuild_9(m_1[1]);
                rising[1][2] = rebuild_11(m_1[1]);
                h[1][14] = rebuild_13(m_1[1]);
            }
            if (at_south) {
                h[0][3] = rebuild_4(m_1[0]);
                h[0][7] = rebuild_8(m_1[0]);
                h[0][14] = rebuild_13(m_1[0]);
                rising[0][3] = rebuild_16(m_1[0]);
                back[2304u] = rebuild_18(m_1[0]);
                h[1][3] = rebuild_4(m_1[1]);
                h[1][7] = rebuild_8(m_1[1]);
                h[1][14] = rebuild_13(m_1[1]);
                rising[1][3] = rebuild_16(m_1[1]);
                back[2432u] = rebuild_18(m_1[1]);
            }
            if (at_north) {
                h[0][4] = rebuild_3(m_1[0]);
                h[0][8] = rebuild_7(m_1[0]);
                h[0][13] = rebuild_14(m_1[0]);
                back[2048u] = rebuild_15(m_1[0]);
                rising[0][4] = rebuild_17(m_1[0]);
                h[1][4] = rebuild_3(m_1[1]);
                h[1][8] = rebuild_7(m_1[1]);
                h[1][13] = rebuild_14(m_1[1]);
                back[2176u] = rebuild_15(m_1[1]);
                rising[1][4] = rebuild_17(m_1[1]);
            }
            if (above == 1u) {
                rising[0][0] = rebuild_6(m_1[0]);
                rising[0][1] = rebuild_10(m_1[0]);
                rising[0][2] = rebuild_11(m_1[0]);
                rising[0][3] = rebuild_16(m_1[0]);
                rising[0][4] = rebuild_17(m_1[0]);
                rising[1][0] = rebuild_6(m_1[1]);
                rising[1][1] = rebuild_10(m_1[1]);
                rising[1][2] = rebuild_11(m_1[1]);
                rising[1][3] = rebuild_16(m_1[1]);
                rising[1][4] = rebuild_17(m_1[1]);
            }
            if (above == 8u) {
                back[512u + (number & 1u) * 256u] = rebuild_5(m_1[0]) + terms[101u];
                back[1024u + (number & 1u) * 256u] = rebuild_9(m_1[0]) + terms[105u];
                if (!(at_west)) back[1536u + (number & 1u) * 256u] = rebuild_12(m_1[0]) + terms[106u];
                if (!(at_north)) back[2048u] = rebuild_15(m_1[0]) + terms[111u];
                if (!(at_south)) back[2304u] = rebuild_18(m_1[0]) + terms[112u];
                back[640u + (number & 1u) * 256u] = rebuild_5(m_1[1]) + terms[101u];
                if (!(at_east)) back[1152u + (number & 1u) * 256u] = rebuild_9(m_1[1]) + terms[105u];
                back[1664u + (number & 1u) * 256u] = rebuild_12(m_1[1]) + terms[106u];
                if (!(at_north)) back[2176u] = rebuild_15(m_1[1]) + terms[111u];
                if (!(at_south)) back[2432u] = rebuild_18(m_1[1]) + terms[112u];
            }
        }
        h[0][0] = rebuild_0(m_1[0]);
        h[1][0] = rebuild_0(m_1[1]);
        h[0][5] = rebuild_5(m_1[0]);
        h[1][5] = rebuild_5(m_1[1]);
        h[0][6] = rebuild_6(m_1[0]);
        h[1][6] = rebuild_6(m_1[1]);
        {
            real leaving[2][19];
            leaving[0][1] = rebuild_1(m_1[0]);
            leaving[1][1] = rebuild_1(m_1[1]);
            leaving[0][2] = rebuild_2(m_1[0]);
            leaving[1][2] = rebuild_2(m_1[1]);
            leaving[0][9] = rebuild_9(m_1[0]);
            leaving[1][9] = rebuild_9(m_1[1]);
            leaving[0][10] = rebuild_10(m_1[0]);
            leaving[1][10] = rebuild_10(m_1[1]);
            leaving[0][11] = rebuild_11(m_1[0]);
            leaving[1][11] = rebuild_11(m_1[1]);
            leaving[0][12] = rebuild_12(m_1[0]);
            leaving[1][12] = rebuild_12(m_1[1]);
            arrive_from_west(h, 1, leaving, rebuild_1(e_1), first);
            arrive_from_east(h, 2, leaving, rebuild_2(e_1), last);
            arrive_from_west(h, 9, leaving, rebuild_9(e_1), first);
            arrive_from_east(h, 10, leaving, rebuild_10(e_1), last);
            arrive_from_west(h, 11, leaving, rebuild_11(e_1), first);
            arrive_from_east(h, 12, leaving, rebuild_12(e_1), last);
        }
        if (at_side || above == 1u || above == 8u || above == 8u + 1u || (special >> 0 & 15u) != 0u) {
            const unsigned lost_below_0 = (special >> 2 & 1u) ? lost_at[((number + 1u) & 1u) * 256u] : 0u;
            const unsigned lost_0 = (special & 1u) ? lost_at[(number & 1u) * 256u] : 0u;
            if (at_west || (lost_0 >> 1 & 1u)) h[0][1] = back[0u];
            if ((lost_0 >> 2 & 1u)) h[0][2] = back[256u];
            if (above == 8u + 1u || (lost_below_0 >> 6 & 1u)) h[0][6] = back[512u + (~number & 1u) * 256u];
            if (above == 8u + 1u || (lost_below_0 >> 10 & 1u)) h[0][10] = back[1024u + (~number & 1u) * 256u];
            if (at_west || above == 8u + 1u || (lost_below_0 >> 11 & 1u)) h[0][11] = back[1536u + (~number & 1u) * 256u];
            const unsigned lost_below_1 = (special >> 3 & 1u) ? lost_at[((number + 1u) & 1u) * 256u + 128u] : 0u;
            const unsigned lost_1 = (special >> 1 & 1u) ? lost_at[(number & 1u) * 256u + 128u] : 0u;
            if ((lost_1 >> 1 & 1u)) h[1][1] = back[128u];
            if (at_east || (lost_1 >> 2 & 1u)) h[1][2] = back[384u];
            if (above == 8u + 1u || (lost_below_1 >> 6 & 1u)) h[1][6] = back[640u + (~number & 1u) * 256u];
            if (at_east || above == 8u + 1u || (lost_below_1 >> 10 & 1u)) h[1][10] = back[1152u + (~number & 1u) * 256u];
            if (above == 8u + 1u || (lost_below_1 >> 11 & 1u)) h[1][11] = back[1664u + (~number & 1u) * 256u];
        }
        if (number >= 2u) {
            if (number == 2u) {
                // Parts whose planes read what this one overwrites are to be done.
                if (threadIdx.x == 0u && threadIdx.y == 0u && threadIdx.z == 0u) {
                    for (unsigned other = 0; other < block_z; ++other) {
                        const unsigned from = (size_t)8u * other / 8u;
                        const unsigned to = (size_t)8u * (other + 1u) / 8u;
                        if (to + 2u + 1u <= begin || from + 2u > end) continue;
                        const volatile unsigned* const done = &progress[1u + other];
                        while (*done < gridDim.x * gridDim.y) __nanosleep(100);
                    }
                    __threadfence();
                }
                __syncthreads();
            }
            // The plane below is complete.
            const unsigned z = above - 2u;
            real after[2][10];
            late(waiting[0], h[0], uniforms.k, after[0]);
            late(waiting[1], h[1], uniforms.k, after[1]);
            if ((special >> 2 & 1u) && (lost_at[((number + 1u) & 1u) * 256u] >> 0 & 1u)) {
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
            if ((special >> 3 & 1u) && (lost_at[((number + 1u) & 1u) * 256u + 128u] >> 0 & 1u)) {
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
            const size_t node = turned(x + 256u * (y + 16u * z), origins.now[0], 45056u);
            write(&moments[node / 128u * 1280u + node % 128u], after, 0);
            write(&moments[128u + node / 128u * 1280u + node % 128u], after, 1);
            write(&moments[256u + node / 128u * 1280u + node % 128u], after, 2);
            write(&moments[384u + node / 128u * 1280u + node % 128u], after, 3);
            write(&moments[512u + node / 128u * 1280u + node % 128u], after, 4);
            write(&moments[640u + node / 128u * 1280u + node % 128u], after, 5);
            write(&moments[768u + node / 128u * 1280u + node % 128u], after, 6);
            write(&moments[896u + node / 128u * 1280u + node % 128u], after, 7);
            write(&moments[1024u + node / 128u * 1280u + node % 128u], after, 8);
            write(&moments[1152u + node / 128u * 1280u + node % 128u], after, 9);
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
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0u && threadIdx.y == 0u && threadIdx.z == 0u) atomicAdd(&progress[1u + block_z], 1u);
}
