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

// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
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

// The populations that leave a node, from its moments.
__device__ __forceinline__ void rebuild_all(const real (&m)[10], real (&post)[19]) {
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_xz_post = m[6];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real post_0 = 0.33333334f * isotropic_post;
    post[0] = post_0;
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_1 = fma_rn(0.16666667f, j_x_post, even_0);
    post[1] = post_1;
    const real post_2 = fma_rn(-0.16666667f, j_x_post, even_0);
    post[2] = post_2;
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_3 = fma_rn(0.16666667f, j_y_post, even_1);
    post[3] = post_3;
    const real post_4 = fma_rn(-0.16666667f, j_y_post, even_1);
    post[4] = post_4;
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_5 = fma_rn(0.16666667f, j_z_post, even_2);
    post[5] = post_5;
    const real post_6 = fma_rn(-0.16666667f, j_z_post, even_2);
    post[6] = post_6;
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_7 = even_3 + odd_3;
    post[7] = post_7;
    const real post_8 = even_3 - odd_3;
    post[8] = post_8;
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_9 = even_4 + odd_4;
    post[9] = post_9;
    const real post_10 = even_4 - odd_4;
    post[10] = post_10;
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_11 = even_5 + odd_5;
    post[11] = post_11;
    const real post_12 = even_5 - odd_5;
    post[12] = post_12;
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_13 = even_6 + odd_6;
    post[13] = post_13;
    const real post_14 = even_6 - odd_6;
    post[14] = post_14;
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_15 = even_7 + odd_7;
    post[15] = post_15;
    const real post_16 = even_7 - odd_7;
    post[16] = post_16;
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_17 = even_8 + odd_8;
    post[17] = post_17;
    const real post_18 = even_8 - odd_8;
    post[18] = post_18;
}

// Warps of a block meet in turns, without a barrier at which all stand still: each says that it has sent, goes on with
// something else, and waits for all others only before it reads what they sent. Nobody says so a second time before all have
// done so once: a turn differs from the next in one bit.
//
// From sm_90 on every lane says it, with release semantics, and each thread that waits acquires (the defaults of both instructions,
// for the block): all that a warp did before comes before all that others do after waiting (PTX ISA, memory consistency model).
// One lane after `__syncwarp` could say it for its warp, since causality order is transitive, as it does on older devices; but
// `racecheck` of CUDA 13.0 does not follow that.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned shared_address(const unsigned long long* const meeting) {
    return (unsigned)__cvta_generic_to_shared(meeting);
}
__device__ __forceinline__ void open_meeting(unsigned long long* const meeting, const unsigned warps) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(meeting)), "r"(32u * warps) : "memory");
}
__device__ __forceinline__ void say_sent(unsigned long long* const meeting) {
    __syncwarp();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(meeting)) : "memory");
}
__device__ __forceinline__ void wait_for_all(
    const unsigned long long* const meeting, const unsigned turn, const unsigned
) {
    unsigned met;
    do {
        asm volatile(
            "{ .reg .pred met; mbarrier.try_wait.parity.shared::cta.b64 met, [%1], %2; selp.u32 %0, 1, 0, met; }"
            : "=r"(met)
            : "r"(shared_address(meeting)), "r"(turn & 1u)
            : "memory"
        );
    } while (met == 0u);
}
#else
__device__ __forceinline__ void open_meeting(unsigned long long* const meeting, const unsigned) {
    *meeting = 0;
}
__device__ __forceinline__ void say_sent(unsigned long long* const meeting) {
    __syncwarp();
    if (threadIdx.x == 0u) {
        __threadfence_block();
        atomicAdd(meeting, 1ull);
    }
}
__device__ __forceinline__ void wait_for_all(
    const unsigned long long* const meeting, const unsigned turn, const unsigned warps
) {
    const volatile unsigned long long* const sent = meeting;
    while (*sent < (turn + 1ull) * warps) __nanosleep(20);
    __threadfence_block();
}
#endif

// 2 time steps: each block marches along z through its part of the box. Threads at its sides only serve
// the others.
extern "C" __global__ void __launch_bounds__(384) steps_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms,
    const unsigned* __restrict__ parts
) {
    const unsigned* const part = parts + 8u * blockIdx.x;
    const unsigned x = (part[0] + threadIdx.x) % 256u;
    const unsigned y = (part[3] + threadIdx.y) % 32u;
    const bool stores = threadIdx.x - part[1] < part[2] && threadIdx.y - part[4] < part[5];
    const unsigned begin = part[6], end = part[7];
    extern __shared__ real exchange[];
    const bool at_west = x == 0u;
    const bool at_east = x + 1u == 256u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 32u;
    const bool beside_sides = __any_sync(0xffffffffu, at_west || at_east || at_south || at_north);
    const unsigned thread = threadIdx.x + 32u * (threadIdx.y + 12u * threadIdx.z);
    // Of the planes met last, a bit for each node that is solid or in lists.
    unsigned special = 0u;
    unsigned* const lost_at = reinterpret_cast<unsigned*>(exchange + 19365u) + thread;
    real waiting_0[9] = {}, rising_0[5] = {};
    real* const back_0 = exchange + 15525u + thread;
    real waiting_1[9] = {}, rising_1[5] = {};
    real* const back_1 = exchange + 17445u + thread;
    real state_1[10] = {};
    real h_1[19] = {};
    const unsigned me = 33u + threadIdx.x + 32u * threadIdx.y;
    __shared__ unsigned long long meetings[2];
    if (threadIdx.x == 0u && threadIdx.y == 0u) {
        open_meeting(&meetings[0], 12u);
        open_meeting(&meetings[1], 12u);
    }
    __syncthreads();
    // The first plane of what is exchanged later is nobody's.
    exchange[me + 3873u] = 0;
    exchange[me + 4257u] = 0;
    exchange[me + 4641u] = 0;
    exchange[me + 5025u] = 0;
    exchange[me + 5409u] = 0;
    exchange[me + 5793u] = 0;
    exchange[me + 6177u] = 0;
    exchange[me + 6561u] = 0;
    exchange[me + 6945u] = 0;
    exchange[me + 7329u] = 0;
    say_sent(&meetings[1]);
    real next[10];
    unsigned special_next, linked_next, rank_next, bit_next, lost_next = 0u;
    {
        const unsigned first = (begin + 0u + 6u) % 8u;
        const size_t node_next = x + 256u * (y + 32u * first);
        next[0] = decode(source[node_next / 32u * 320u + node_next % 32u]);
        next[1] = decode(source[32u + node_next / 32u * 320u + node_next % 32u]);
        next[2] = decode(source[64u + node_next / 32u * 320u + node_next % 32u]);
        next[3] = decode(source[96u + node_next / 32u * 320u + node_next % 32u]);
        next[4] = decode(source[128u + node_next / 32u * 320u + node_next % 32u]);
        next[5] = decode(source[160u + node_next / 32u * 320u + node_next % 32u]);
        next[6] = decode(source[192u + node_next / 32u * 320u + node_next % 32u]);
        next[7] = decode(source[224u + node_next / 32u * 320u + node_next % 32u]);
        next[8] = decode(source[256u + node_next / 32u * 320u + node_next % 32u]);
        next[9] = decode(source[288u + node_next / 32u * 320u + node_next % 32u]);
        const size_t index = x + 256u * (y + 32u * first);
        special_next = bits_at(skip, index, 1u);
        linked_next = linked[index >> 5];
        rank_next = ranks[index >> 5];
        bit_next = (unsigned)index & 31u;
        if (special_next != 0u) {
            const unsigned before = __popc(linked_next & ((1u << bit_next) - 1u));
            lost_next = linked_next >> bit_next & 1u ? missing[rank_next + before] : 1u;
        }
    }
#pragma unroll 1
    for (unsigned number = 0; number < end - begin + 5u; ++number) {
        // Two halves in turn: nobody writes what others still read.
        real* const at = exchange + (number & 1u) * 7746u + me;
        real* const at_next = exchange + (~number & 1u) * 7746u + me;
        special = special << 1 | special_next;
        if (((begin + number + 6u) % 8u + 1u) % 8u < 4u || __any_sync(0xffffffffu, (special & 15u) != 0u)) {
        // The first step, with the plane that was read.
        real h_0[19];
        {
            real leaving[19];
            rebuild_all(next, leaving);
            at[0] = leaving[3];
            at[384] = leaving[4];
            at[768] = leaving[7];
            at[1152] = leaving[8];
            at[1536] = leaving[13];
            at[1920] = leaving[14];
            at[2304] = leaving[15];
            at[2688] = leaving[16];
            at[3072] = leaving[17];
            at[3456] = leaving[18];
            say_sent(&meetings[0]);
            h_0[0] = leaving[0];
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[1], 1); h_0[1] = at_west ? leaving[2] : beside; }
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[2], 1); h_0[2] = at_east ? leaving[1] : beside; }
            h_0[5] = leaving[5];
            h_0[6] = leaving[6];
            h_0[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1); if (at_west) rising_0[1] = leaving[10];
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[10], 1); h_0[10] = at_east ? back_0[384u] : beside; if (at_east) back_0[384u] = leaving[9]; }
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[11], 1); h_0[11] = at_west ? back_0[768u] : beside; if (at_west) back_0[768u] = leaving[12]; }
            h_0[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1); if (at_east) rising_0[2] = leaving[11];
            if (((begin + number + 6u) % 8u) == 0u || ((begin + number + 6u) % 8u) + 1u == 8u || ((begin + number + 6u) % 8u) == 0u || (special >> 0 & 3u) != 0u) {
                if (special & 1u) lost_at[(number & 3u) * 384u] = lost_next;
                const unsigned lost_below_0 = (special >> 1 & 1u) ? lost_at[((number + 3u) & 3u) * 384u] : 0u;
                if (((begin + number + 6u) % 8u) == 0u || (lost_below_0 >> 6 & 1u)) h_0[6] = back_0[0u];
                if (!at_east && (((begin + number + 6u) % 8u) == 0u || (lost_below_0 >> 10 & 1u))) h_0[10] = back_0[384u];
                if (!at_west && (((begin + number + 6u) % 8u) == 0u || (lost_below_0 >> 11 & 1u))) h_0[11] = back_0[768u];
                if (special & 1u) {
                    const unsigned lost = lost_at[(number & 3u) * 384u];
                    if (lost >> 1 & 1u) h_0[1] = leaving[2];
                    if (lost >> 2 & 1u) h_0[2] = leaving[1];
                    if (lost >> 5 & 1u) rising_0[0] = leaving[6];
                    if (lost >> 6 & 1u) back_0[0u] = leaving[5];
                    if (lost >> 9 & 1u) rising_0[1] = leaving[10];
                    if (lost >> 10 & 1u) back_0[384u] = leaving[9];
                    if (lost >> 11 & 1u) back_0[768u] = leaving[12];
                    if (lost >> 12 & 1u) rising_0[2] = leaving[11];
                }
                if (((begin + number + 6u) % 8u) == 0u) {
                    rising_0[0] = leaving[6];
                    rising_0[1] = leaving[10];
                    rising_0[2] = leaving[11];
                }
                if (((begin + number + 6u) % 8u) + 1u == 8u) {
                    back_0[0u] = leaving[5] + terms[101u];
                    if (!(at_east)) back_0[384u] = leaving[9] + terms[105u];
                    if (!(at_west)) back_0[768u] = leaving[12] + terms[106u];
                }
            }
        }
        {
            // Read now what the next plane begins with.
            const unsigned following = (begin + number + 1u + 6u) % 8u;
            const size_t node_next = x + 256u * (y + 32u * following);
            next[0] = decode(source[node_next / 32u * 320u + node_next % 32u]);
            next[1] = decode(source[32u + node_next / 32u * 320u + node_next % 32u]);
            next[2] = decode(source[64u + node_next / 32u * 320u + node_next % 32u]);
            next[3] = decode(source[96u + node_next / 32u * 320u + node_next % 32u]);
            next[4] = decode(source[128u + node_next / 32u * 320u + node_next % 32u]);
            next[5] = decode(source[160u + node_next / 32u * 320u + node_next % 32u]);
            next[6] = decode(source[192u + node_next / 32u * 320u + node_next % 32u]);
            next[7] = decode(source[224u + node_next / 32u * 320u + node_next % 32u]);
            next[8] = decode(source[256u + node_next / 32u * 320u + node_next % 32u]);
            next[9] = decode(source[288u + node_next / 32u * 320u + node_next % 32u]);
            const size_t index = x + 256u * (y + 32u * following);
            special_next = bits_at(skip, index, 1u);
            linked_next = linked[index >> 5];
            rank_next = ranks[index >> 5];
            bit_next = (unsigned)index & 31u;
        }
        wait_for_all(&meetings[1], number, 12u);
        h_1[3] = at[at_south ? 4257 : 3841];
        h_1[4] = at[at_north ? 3873 : 4289];
        h_1[7] = at[(at_west || at_south) ? 5025 : 4608];
        h_1[8] = at[(at_east || at_north) ? 4641 : 5058];
        h_1[13] = at[(at_west || at_north) ? 5793 : 5440];
        h_1[14] = at[(at_east || at_south) ? 5409 : 5762];
        h_1[15] = at[6145]; if (at_south) rising_1[3] = at[6561];
        h_1[16] = *(at_north ? at_next + 6177 : at + 6593);
        h_1[17] = *(at_south ? at_next + 7329 : at + 6913);
        h_1[18] = at[7361]; if (at_north) rising_1[4] = at[6945];
        if (((begin + number + 4u) % 8u) == 0u || ((begin + number + 4u) % 8u) + 1u == 8u || ((begin + number + 4u) % 8u) == 0u || (special >> 2 & 3u) != 0u) {
            const unsigned lost_below_0 = (special >> 3 & 1u) ? lost_at[((number + 1u) & 3u) * 384u] : 0u;
            if (!at_north && (((begin + number + 4u) % 8u) == 0u || (lost_below_0 >> 16 & 1u))) h_1[16] = back_1[1152u];
            if (!at_south && (((begin + number + 4u) % 8u) == 0u || (lost_below_0 >> 17 & 1u))) h_1[17] = back_1[1536u];
            if (special >> 2 & 1u) {
                const unsigned lost = lost_at[((number + 2u) & 3u) * 384u];
                if (lost >> 3 & 1u) h_1[3] = at[4257];
                if (lost >> 4 & 1u) h_1[4] = at[3873];
                if (lost >> 7 & 1u) h_1[7] = at[5025];
                if (lost >> 8 & 1u) h_1[8] = at[4641];
                if (lost >> 13 & 1u) h_1[13] = at[5793];
                if (lost >> 14 & 1u) h_1[14] = at[5409];
                if (lost >> 15 & 1u) rising_1[3] = at[6561];
                if (lost >> 16 & 1u) back_1[1152u] = at[6177];
                if (lost >> 17 & 1u) back_1[1536u] = at[7329];
                if (lost >> 18 & 1u) rising_1[4] = at[6945];
            }
            if (((begin + number + 4u) % 8u) == 0u) {
                rising_1[3] = at[6561];
                rising_1[4] = at[6945];
            }
            if (((begin + number + 4u) % 8u) + 1u == 8u) {
                if (!(at_north)) back_1[1152u] = at[6177] + terms[111u];
                if (!(at_south)) back_1[1536u] = at[7329] + terms[112u];
            }
        }
        real after_1[10];
        late(waiting_1, h_1, uniforms.k, after_1);
        if ((special >> 3 & 1u) && (lost_at[((number + 1u) & 3u) * 384u] >> 0 & 1u)) {
            after_1[0] = 0;
            after_1[1] = 0;
            after_1[2] = 0;
            after_1[3] = 0;
            after_1[4] = 0;
            after_1[5] = 0;
            after_1[6] = 0;
            after_1[7] = 0;
            after_1[8] = 0;
            after_1[9] = 0;
        }
        if (stores && number >= 5u) {
            const unsigned z = begin + number - 5u;
            const size_t node = x + 256u * (y + 32u * z);
            target[node / 32u * 320u + node % 32u] = encode(after_1[0]);
            target[32u + node / 32u * 320u + node % 32u] = encode(after_1[1]);
            target[64u + node / 32u * 320u + node % 32u] = encode(after_1[2]);
            target[96u + node / 32u * 320u + node % 32u] = encode(after_1[3]);
            target[128u + node / 32u * 320u + node % 32u] = encode(after_1[4]);
            target[160u + node / 32u * 320u + node % 32u] = encode(after_1[5]);
            target[192u + node / 32u * 320u + node % 32u] = encode(after_1[6]);
            target[224u + node / 32u * 320u + node % 32u] = encode(after_1[7]);
            target[256u + node / 32u * 320u + node % 32u] = encode(after_1[8]);
            target[288u + node / 32u * 320u + node % 32u] = encode(after_1[9]);
        }
        { const real up = h_1[5]; h_1[5] = rising_1[0]; rising_1[0] = up; }
        { const real up = h_1[9]; h_1[9] = rising_1[1]; rising_1[1] = up; }
        { const real up = h_1[12]; h_1[12] = rising_1[2]; rising_1[2] = up; }
        { const real up = h_1[15]; h_1[15] = rising_1[3]; rising_1[3] = up; }
        { const real up = h_1[18]; h_1[18] = rising_1[4]; rising_1[4] = up; }
        early(h_1, waiting_1);
        if (special_next != 0u) {
            const unsigned before = __popc(linked_next & ((1u << bit_next) - 1u));
            lost_next = linked_next >> bit_next & 1u ? missing[rank_next + before] : 1u;
        }
        wait_for_all(&meetings[0], number, 12u);
        h_0[3] = at[at_south ? 384 : -32];
        h_0[4] = at[at_north ? 0 : 416];
        h_0[7] = at[(at_west || at_south) ? 1152 : 735];
        h_0[8] = at[(at_east || at_north) ? 768 : 1185];
        h_0[13] = at[(at_west || at_north) ? 1920 : 1567];
        h_0[14] = at[(at_east || at_south) ? 1536 : 1889];
        h_0[15] = at[2272]; if (at_south) rising_0[3] = at[2688];
        h_0[16] = *(at_north ? at_next + 2304 : at + 2720);
        h_0[17] = *(at_south ? at_next + 3456 : at + 3040);
        h_0[18] = at[3488]; if (at_north) rising_0[4] = at[3072];
        if (((begin + number + 6u) % 8u) == 0u || ((begin + number + 6u) % 8u) + 1u == 8u || ((begin + number + 6u) % 8u) == 0u || (special >> 0 & 3u) != 0u) {
            const unsigned lost_below_0 = (special >> 1 & 1u) ? lost_at[((number + 3u) & 3u) * 384u] : 0u;
            if (!at_north && (((begin + number + 6u) % 8u) == 0u || (lost_below_0 >> 16 & 1u))) h_0[16] = back_0[1152u];
            if (!at_south && (((begin + number + 6u) % 8u) == 0u || (lost_below_0 >> 17 & 1u))) h_0[17] = back_0[1536u];
            if (special & 1u) {
                const unsigned lost = lost_at[(number & 3u) * 384u];
                if (lost >> 3 & 1u) h_0[3] = at[384];
                if (lost >> 4 & 1u) h_0[4] = at[0];
                if (lost >> 7 & 1u) h_0[7] = at[1152];
                if (lost >> 8 & 1u) h_0[8] = at[768];
                if (lost >> 13 & 1u) h_0[13] = at[1920];
                if (lost >> 14 & 1u) h_0[14] = at[1536];
                if (lost >> 15 & 1u) rising_0[3] = at[2688];
                if (lost >> 16 & 1u) back_0[1152u] = at[2304];
                if (lost >> 17 & 1u) back_0[1536u] = at[3456];
                if (lost >> 18 & 1u) rising_0[4] = at[3072];
            }
            if (((begin + number + 6u) % 8u) == 0u) {
                rising_0[3] = at[2688];
                rising_0[4] = at[3072];
            }
            if (((begin + number + 6u) % 8u) + 1u == 8u) {
                if (!(at_north)) back_0[1152u] = at[2304] + terms[111u];
                if (!(at_south)) back_0[1536u] = at[3456] + terms[112u];
            }
        }
        real after_0[10];
        late(waiting_0, h_0, uniforms.k, after_0);
        if ((special >> 1 & 1u) && (lost_at[((number + 3u) & 3u) * 384u] >> 0 & 1u)) {
            after_0[0] = 0;
            after_0[1] = 0;
            after_0[2] = 0;
            after_0[3] = 0;
            after_0[4] = 0;
            after_0[5] = 0;
            after_0[6] = 0;
            after_0[7] = 0;
            after_0[8] = 0;
            after_0[9] = 0;
        }
        { const real up = h_0[5]; h_0[5] = rising_0[0]; rising_0[0] = up; }
        { const real up = h_0[9]; h_0[9] = rising_0[1]; rising_0[1] = up; }
        { const real up = h_0[12]; h_0[12] = rising_0[2]; rising_0[2] = up; }
        { const real up = h_0[15]; h_0[15] = rising_0[3]; rising_0[3] = up; }
        { const real up = h_0[18]; h_0[18] = rising_0[4]; rising_0[4] = up; }
        early(h_0, waiting_0);
        state_1[0] = after_0[0];
        state_1[1] = after_0[1];
        state_1[2] = after_0[2];
        state_1[3] = after_0[3];
        state_1[4] = after_0[4];
        state_1[5] = after_0[5];
        state_1[6] = after_0[6];
        state_1[7] = after_0[7];
        state_1[8] = after_0[8];
        state_1[9] = after_0[9];
        {
            real leaving[19];
            rebuild_all(state_1, leaving);
            at_next[3873] = leaving[3];
            at_next[4257] = leaving[4];
            at_next[4641] = leaving[7];
            at_next[5025] = leaving[8];
            at_next[5409] = leaving[13];
            at_next[5793] = leaving[14];
            at_next[6177] = leaving[15];
            at_next[6561] = leaving[16];
            at_next[6945] = leaving[17];
            at_next[7329] = leaving[18];
            say_sent(&meetings[1]);
            h_1[0] = leaving[0];
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[1], 1); h_1[1] = at_west ? leaving[2] : beside; }
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[2], 1); h_1[2] = at_east ? leaving[1] : beside; }
            h_1[5] = leaving[5];
            h_1[6] = leaving[6];
            h_1[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1); if (at_west) rising_1[1] = leaving[10];
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[10], 1); h_1[10] = at_east ? back_1[384u] : beside; if (at_east) back_1[384u] = leaving[9]; }
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[11], 1); h_1[11] = at_west ? back_1[768u] : beside; if (at_west) back_1[768u] = leaving[12]; }
            h_1[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1); if (at_east) rising_1[2] = leaving[11];
            if (((begin + number + 1u + 4u) % 8u) == 0u || ((begin + number + 1u + 4u) % 8u) + 1u == 8u || ((begin + number + 1u + 4u) % 8u) == 0u || (special >> 1 & 3u) != 0u) {
                const unsigned lost_below_0 = (special >> 2 & 1u) ? lost_at[((number + 2u) & 3u) * 384u] : 0u;
                if (((begin + number + 1u + 4u) % 8u) == 0u || (lost_below_0 >> 6 & 1u)) h_1[6] = back_1[0u];
                if (!at_east && (((begin + number + 1u + 4u) % 8u) == 0u || (lost_below_0 >> 10 & 1u))) h_1[10] = back_1[384u];
                if (!at_west && (((begin + number + 1u + 4u) % 8u) == 0u || (lost_below_0 >> 11 & 1u))) h_1[11] = back_1[768u];
                if (special >> 1 & 1u) {
                    const unsigned lost = lost_at[((number + 3u) & 3u) * 384u];
                    if (lost >> 1 & 1u) h_1[1] = leaving[2];
                    if (lost >> 2 & 1u) h_1[2] = leaving[1];
                    if (lost >> 5 & 1u) rising_1[0] = leaving[6];
                    if (lost >> 6 & 1u) back_1[0u] = leaving[5];
                    if (lost >> 9 & 1u) rising_1[1] = leaving[10];
                    if (lost >> 10 & 1u) back_1[384u] = leaving[9];
                    if (lost >> 11 & 1u) back_1[768u] = leaving[12];
                    if (lost >> 12 & 1u) rising_1[2] = leaving[11];
                }
                if (((begin + number + 1u + 4u) % 8u) == 0u) {
                    rising_1[0] = leaving[6];
                    rising_1[1] = leaving[10];
                    rising_1[2] = leaving[11];
                }
                if (((begin + number + 1u + 4u) % 8u) + 1u == 8u) {
                    back_1[0u] = leaving[5] + terms[101u];
                    if (!(at_east)) back_1[384u] = leaving[9] + terms[105u];
                    if (!(at_west)) back_1[768u] = leaving[12] + terms[106u];
                }
            }
        }
        } else if (beside_sides) {
        // The first step, with the plane that was read.
        real h_0[19];
        {
            real leaving[19];
            rebuild_all(next, leaving);
            at[0] = leaving[3];
            at[384] = leaving[4];
            at[768] = leaving[7];
            at[1152] = leaving[8];
            at[1536] = leaving[13];
            at[1920] = leaving[14];
            at[2304] = leaving[15];
            at[2688] = leaving[16];
            at[3072] = leaving[17];
            at[3456] = leaving[18];
            say_sent(&meetings[0]);
            h_0[0] = leaving[0];
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[1], 1); h_0[1] = at_west ? leaving[2] : beside; }
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[2], 1); h_0[2] = at_east ? leaving[1] : beside; }
            h_0[5] = leaving[5];
            h_0[6] = leaving[6];
            h_0[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1); if (at_west) rising_0[1] = leaving[10];
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[10], 1); h_0[10] = at_east ? back_0[384u] : beside; if (at_east) back_0[384u] = leaving[9]; }
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[11], 1); h_0[11] = at_west ? back_0[768u] : beside; if (at_west) back_0[768u] = leaving[12]; }
            h_0[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1); if (at_east) rising_0[2] = leaving[11];
        }
        {
            // Read now what the next plane begins with.
            const unsigned following = (begin + number + 1u + 6u) % 8u;
            const size_t node_next = x + 256u * (y + 32u * following);
            next[0] = decode(source[node_next / 32u * 320u + node_next % 32u]);
            next[1] = decode(source[32u + node_next / 32u * 320u + node_next % 32u]);
            next[2] = decode(source[64u + node_next / 32u * 320u + node_next % 32u]);
            next[3] = decode(source[96u + node_next / 32u * 320u + node_next % 32u]);
            next[4] = decode(source[128u + node_next / 32u * 320u + node_next % 32u]);
            next[5] = decode(source[160u + node_next / 32u * 320u + node_next % 32u]);
            next[6] = decode(source[192u + node_next / 32u * 320u + node_next % 32u]);
            next[7] = decode(source[224u + node_next / 32u * 320u + node_next % 32u]);
            next[8] = decode(source[256u + node_next / 32u * 320u + node_next % 32u]);
            next[9] = decode(source[288u + node_next / 32u * 320u + node_next % 32u]);
            const size_t index = x + 256u * (y + 32u * following);
            special_next = bits_at(skip, index, 1u);
            linked_next = linked[index >> 5];
            rank_next = ranks[index >> 5];
            bit_next = (unsigned)index & 31u;
        }
        wait_for_all(&meetings[1], number, 12u);
        h_1[3] = at[at_south ? 4257 : 3841];
        h_1[4] = at[at_north ? 3873 : 4289];
        h_1[7] = at[(at_west || at_south) ? 5025 : 4608];
        h_1[8] = at[(at_east || at_north) ? 4641 : 5058];
        h_1[13] = at[(at_west || at_north) ? 5793 : 5440];
        h_1[14] = at[(at_east || at_south) ? 5409 : 5762];
        h_1[15] = at[6145]; if (at_south) rising_1[3] = at[6561];
        h_1[16] = *(at_north ? at_next + 6177 : at + 6593);
        h_1[17] = *(at_south ? at_next + 7329 : at + 6913);
        h_1[18] = at[7361]; if (at_north) rising_1[4] = at[6945];
        real after_1[10];
        late(waiting_1, h_1, uniforms.k, after_1);
        if (stores && number >= 5u) {
            const unsigned z = begin + number - 5u;
            const size_t node = x + 256u * (y + 32u * z);
            target[node / 32u * 320u + node % 32u] = encode(after_1[0]);
            target[32u + node / 32u * 320u + node % 32u] = encode(after_1[1]);
            target[64u + node / 32u * 320u + node % 32u] = encode(after_1[2]);
            target[96u + node / 32u * 320u + node % 32u] = encode(after_1[3]);
            target[128u + node / 32u * 320u + node % 32u] = encode(after_1[4]);
            target[160u + node / 32u * 320u + node % 32u] = encode(after_1[5]);
            target[192u + node / 32u * 320u + node % 32u] = encode(after_1[6]);
            target[224u + node / 32u * 320u + node % 32u] = encode(after_1[7]);
            target[256u + node / 32u * 320u + node % 32u] = encode(after_1[8]);
            target[288u + node / 32u * 320u + node % 32u] = encode(after_1[9]);
        }
        { const real up = h_1[5]; h_1[5] = rising_1[0]; rising_1[0] = up; }
        { const real up = h_1[9]; h_1[9] = rising_1[1]; rising_1[1] = up; }
        { const real up = h_1[12]; h_1[12] = rising_1[2]; rising_1[2] = up; }
        { const real up = h_1[15]; h_1[15] = rising_1[3]; rising_1[3] = up; }
        { const real up = h_1[18]; h_1[18] = rising_1[4]; rising_1[4] = up; }
        early(h_1, waiting_1);
        if (special_next != 0u) {
            const unsigned before = __popc(linked_next & ((1u << bit_next) - 1u));
            lost_next = linked_next >> bit_next & 1u ? missing[rank_next + before] : 1u;
        }
        wait_for_all(&meetings[0], number, 12u);
        h_0[3] = at[at_south ? 384 : -32];
        h_0[4] = at[at_north ? 0 : 416];
        h_0[7] = at[(at_west || at_south) ? 1152 : 735];
        h_0[8] = at[(at_east || at_north) ? 768 : 1185];
        h_0[13] = at[(at_west || at_north) ? 1920 : 1567];
        h_0[14] = at[(at_east || at_south) ? 1536 : 1889];
        h_0[15] = at[2272]; if (at_south) rising_0[3] = at[2688];
        h_0[16] = *(at_north ? at_next + 2304 : at + 2720);
        h_0[17] = *(at_south ? at_next + 3456 : at + 3040);
        h_0[18] = at[3488]; if (at_north) rising_0[4] = at[3072];
        real after_0[10];
        late(waiting_0, h_0, uniforms.k, after_0);
        { const real up = h_0[5]; h_0[5] = rising_0[0]; rising_0[0] = up; }
        { const real up = h_0[9]; h_0[9] = rising_0[1]; rising_0[1] = up; }
        { const real up = h_0[12]; h_0[12] = rising_0[2]; rising_0[2] = up; }
        { const real up = h_0[15]; h_0[15] = rising_0[3]; rising_0[3] = up; }
        { const real up = h_0[18]; h_0[18] = rising_0[4]; rising_0[4] = up; }
        early(h_0, waiting_0);
        state_1[0] = after_0[0];
        state_1[1] = after_0[1];
        state_1[2] = after_0[2];
        state_1[3] = after_0[3];
        state_1[4] = after_0[4];
        state_1[5] = after_0[5];
        state_1[6] = after_0[6];
        state_1[7] = after_0[7];
        state_1[8] = after_0[8];
        state_1[9] = after_0[9];
        {
            real leaving[19];
            rebuild_all(state_1, leaving);
            at_next[3873] = leaving[3];
            at_next[4257] = leaving[4];
            at_next[4641] = leaving[7];
            at_next[5025] = leaving[8];
            at_next[5409] = leaving[13];
            at_next[5793] = leaving[14];
            at_next[6177] = leaving[15];
            at_next[6561] = leaving[16];
            at_next[6945] = leaving[17];
            at_next[7329] = leaving[18];
            say_sent(&meetings[1]);
            h_1[0] = leaving[0];
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[1], 1); h_1[1] = at_west ? leaving[2] : beside; }
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[2], 1); h_1[2] = at_east ? leaving[1] : beside; }
            h_1[5] = leaving[5];
            h_1[6] = leaving[6];
            h_1[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1); if (at_west) rising_1[1] = leaving[10];
            { const real beside = __shfl_down_sync(0xffffffffu, leaving[10], 1); h_1[10] = at_east ? back_1[384u] : beside; if (at_east) back_1[384u] = leaving[9]; }
            { const real beside = __shfl_up_sync(0xffffffffu, leaving[11], 1); h_1[11] = at_west ? back_1[768u] : beside; if (at_west) back_1[768u] = leaving[12]; }
            h_1[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1); if (at_east) rising_1[2] = leaving[11];
        }
        } else {
        // The first step, with the plane that was read.
        real h_0[19];
        {
            real leaving[19];
            rebuild_all(next, leaving);
            at[0] = leaving[3];
            at[384] = leaving[4];
            at[768] = leaving[7];
            at[1152] = leaving[8];
            at[1536] = leaving[13];
            at[1920] = leaving[14];
            at[2304] = leaving[15];
            at[2688] = leaving[16];
            at[3072] = leaving[17];
            at[3456] = leaving[18];
            say_sent(&meetings[0]);
            h_0[0] = leaving[0];
            h_0[1] = __shfl_up_sync(0xffffffffu, leaving[1], 1);
            h_0[2] = __shfl_down_sync(0xffffffffu, leaving[2], 1);
            h_0[5] = leaving[5];
            h_0[6] = leaving[6];
            h_0[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1);
            h_0[10] = __shfl_down_sync(0xffffffffu, leaving[10], 1);
            h_0[11] = __shfl_up_sync(0xffffffffu, leaving[11], 1);
            h_0[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1);
        }
        {
            // Read now what the next plane begins with.
            const unsigned following = (begin + number + 1u + 6u) % 8u;
            const size_t node_next = x + 256u * (y + 32u * following);
            next[0] = decode(source[node_next / 32u * 320u + node_next % 32u]);
            next[1] = decode(source[32u + node_next / 32u * 320u + node_next % 32u]);
            next[2] = decode(source[64u + node_next / 32u * 320u + node_next % 32u]);
            next[3] = decode(source[96u + node_next / 32u * 320u + node_next % 32u]);
            next[4] = decode(source[128u + node_next / 32u * 320u + node_next % 32u]);
            next[5] = decode(source[160u + node_next / 32u * 320u + node_next % 32u]);
            next[6] = decode(source[192u + node_next / 32u * 320u + node_next % 32u]);
            next[7] = decode(source[224u + node_next / 32u * 320u + node_next % 32u]);
            next[8] = decode(source[256u + node_next / 32u * 320u + node_next % 32u]);
            next[9] = decode(source[288u + node_next / 32u * 320u + node_next % 32u]);
            const size_t index = x + 256u * (y + 32u * following);
            special_next = bits_at(skip, index, 1u);
            linked_next = linked[index >> 5];
            rank_next = ranks[index >> 5];
            bit_next = (unsigned)index & 31u;
        }
        wait_for_all(&meetings[1], number, 12u);
        h_1[3] = at[3841];
        h_1[4] = at[4289];
        h_1[7] = at[4608];
        h_1[8] = at[5058];
        h_1[13] = at[5440];
        h_1[14] = at[5762];
        h_1[15] = at[6145];
        h_1[16] = at[6593];
        h_1[17] = at[6913];
        h_1[18] = at[7361];
        real after_1[10];
        late(waiting_1, h_1, uniforms.k, after_1);
        if (stores && number >= 5u) {
            const unsigned z = begin + number - 5u;
            const size_t node = x + 256u * (y + 32u * z);
            target[node / 32u * 320u + node % 32u] = encode(after_1[0]);
            target[32u + node / 32u * 320u + node % 32u] = encode(after_1[1]);
            target[64u + node / 32u * 320u + node % 32u] = encode(after_1[2]);
            target[96u + node / 32u * 320u + node % 32u] = encode(after_1[3]);
            target[128u + node / 32u * 320u + node % 32u] = encode(after_1[4]);
            target[160u + node / 32u * 320u + node % 32u] = encode(after_1[5]);
            target[192u + node / 32u * 320u + node % 32u] = encode(after_1[6]);
            target[224u + node / 32u * 320u + node % 32u] = encode(after_1[7]);
            target[256u + node / 32u * 320u + node % 32u] = encode(after_1[8]);
            target[288u + node / 32u * 320u + node % 32u] = encode(after_1[9]);
        }
        { const real up = h_1[5]; h_1[5] = rising_1[0]; rising_1[0] = up; }
        { const real up = h_1[9]; h_1[9] = rising_1[1]; rising_1[1] = up; }
        { const real up = h_1[12]; h_1[12] = rising_1[2]; rising_1[2] = up; }
        { const real up = h_1[15]; h_1[15] = rising_1[3]; rising_1[3] = up; }
        { const real up = h_1[18]; h_1[18] = rising_1[4]; rising_1[4] = up; }
        early(h_1, waiting_1);
        if (special_next != 0u) {
            const unsigned before = __popc(linked_next & ((1u << bit_next) - 1u));
            lost_next = linked_next >> bit_next & 1u ? missing[rank_next + before] : 1u;
        }
        wait_for_all(&meetings[0], number, 12u);
        h_0[3] = at[-32];
        h_0[4] = at[416];
        h_0[7] = at[735];
        h_0[8] = at[1185];
        h_0[13] = at[1567];
        h_0[14] = at[1889];
        h_0[15] = at[2272];
        h_0[16] = at[2720];
        h_0[17] = at[3040];
        h_0[18] = at[3488];
        real after_0[10];
        late(waiting_0, h_0, uniforms.k, after_0);
        { const real up = h_0[5]; h_0[5] = rising_0[0]; rising_0[0] = up; }
        { const real up = h_0[9]; h_0[9] = rising_0[1]; rising_0[1] = up; }
        { const real up = h_0[12]; h_0[12] = rising_0[2]; rising_0[2] = up; }
        { const real up = h_0[15]; h_0[15] = rising_0[3]; rising_0[3] = up; }
        { const real up = h_0[18]; h_0[18] = rising_0[4]; rising_0[4] = up; }
        early(h_0, waiting_0);
        state_1[0] = after_0[0];
        state_1[1] = after_0[1];
        state_1[2] = after_0[2];
        state_1[3] = after_0[3];
        state_1[4] = after_0[4];
        state_1[5] = after_0[5];
        state_1[6] = after_0[6];
        state_1[7] = after_0[7];
        state_1[8] = after_0[8];
        state_1[9] = after_0[9];
        {
            real leaving[19];
            rebuild_all(state_1, leaving);
            at_next[3873] = leaving[3];
            at_next[4257] = leaving[4];
            at_next[4641] = leaving[7];
            at_next[5025] = leaving[8];
            at_next[5409] = leaving[13];
            at_next[5793] = leaving[14];
            at_next[6177] = leaving[15];
            at_next[6561] = leaving[16];
            at_next[6945] = leaving[17];
            at_next[7329] = leaving[18];
            say_sent(&meetings[1]);
            h_1[0] = leaving[0];
            h_1[1] = __shfl_up_sync(0xffffffffu, leaving[1], 1);
            h_1[2] = __shfl_down_sync(0xffffffffu, leaving[2], 1);
            h_1[5] = leaving[5];
            h_1[6] = leaving[6];
            h_1[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1);
            h_1[10] = __shfl_down_sync(0xffffffffu, leaving[10], 1);
            h_1[11] = __shfl_up_sync(0xffffffffu, leaving[11], 1);
            h_1[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1);
        }
        }
    }
}

// A time step: each thread marches along z through one of 2 parts of the box, a node wide.
extern "C" __global__ void __launch_bounds__(256) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms
) {
    const unsigned x = 32u * blockIdx.x + threadIdx.x;
    const unsigned y = 8u * blockIdx.y + threadIdx.y;
    const unsigned begin = (size_t)8u * blockIdx.z / 2u, end = (size_t)8u * (blockIdx.z + 1u) / 2u;
    const unsigned xm1 = x < 1u ? x + 255u : x - 1u;
    const unsigned xp1 = x < 255u ? x + 1u : x - 255u;
    const unsigned ym1 = y < 1u ? y + 31u : y - 1u;
    const unsigned yp1 = y < 31u ? y + 1u : y - 31u;
    // What waits: sums for the plane below, and populations on their way up, for the plane at hand.
    real waiting[9] = {}, rising[5] = {};
    extern __shared__ real exchange[];
    const bool at_west = x == 0u;
    const bool at_east = x + 1u == 256u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 32u;
    const bool at_side = at_west || at_east || at_south || at_north;
    const unsigned thread = threadIdx.x + 32u * (threadIdx.y + 8u * threadIdx.z);
    // Of the planes met last, a bit for each node that is solid or in lists.
    unsigned special = 0u;
    unsigned* const lost_at = reinterpret_cast<unsigned*>(exchange + 1536u) + thread;
    real* const back = exchange + 0u + thread;
#pragma unroll 1
    for (unsigned number = 0; number < end - begin + 2u; ++number) {
        // From the plane below the first one to that above the last.
        const unsigned above = begin + number;
        const unsigned z = above == 0u ? 8u - 1u : above > 8u ? 0u : above - 1u;
        real h[19];
        const size_t node_0 = xm1 + 256u * (ym1 + 32u * z);
        real m_0[10];
        m_0[0] = decode(source[node_0 / 32u * 320u + node_0 % 32u]);
        m_0[1] = decode(source[32u + node_0 / 32u * 320u + node_0 % 32u]);
        m_0[2] = decode(source[64u + node_0 / 32u * 320u + node_0 % 32u]);
        m_0[4] = decode(source[128u + node_0 / 32u * 320u + node_0 % 32u]);
        m_0[5] = decode(source[160u + node_0 / 32u * 320u + node_0 % 32u]);
        m_0[7] = decode(source[224u + node_0 / 32u * 320u + node_0 % 32u]);
        const size_t node_1 = xm1 + 256u * (y + 32u * z);
        real m_1[10];
        m_1[0] = decode(source[node_1 / 32u * 320u + node_1 % 32u]);
        m_1[1] = decode(source[32u + node_1 / 32u * 320u + node_1 % 32u]);
        m_1[3] = decode(source[96u + node_1 / 32u * 320u + node_1 % 32u]);
        m_1[4] = decode(source[128u + node_1 / 32u * 320u + node_1 % 32u]);
        m_1[6] = decode(source[192u + node_1 / 32u * 320u + node_1 % 32u]);
        m_1[9] = decode(source[288u + node_1 / 32u * 320u + node_1 % 32u]);
        const size_t node_2 = xm1 + 256u * (yp1 + 32u * z);
        real m_2[10];
        m_2[0] = decode(source[node_2 / 32u * 320u + node_2 % 32u]);
        m_2[1] = decode(source[32u + node_2 / 32u * 320u + node_2 % 32u]);
        m_2[2] = decode(source[64u + node_2 / 32u * 320u + node_2 % 32u]);
        m_2[4] = decode(source[128u + node_2 / 32u * 320u + node_2 % 32u]);
        m_2[5] = decode(source[160u + node_2 / 32u * 320u + node_2 % 32u]);
        m_2[7] = decode(source[224u + node_2 / 32u * 320u + node_2 % 32u]);
        const size_t node_3 = x + 256u * (ym1 + 32u * z);
        real m_3[10];
        m_3[0] = decode(source[node_3 / 32u * 320u + node_3 % 32u]);
        m_3[2] = decode(source[64u + node_3 / 32u * 320u + node_3 % 32u]);
        m_3[3] = decode(source[96u + node_3 / 32u * 320u + node_3 % 32u]);
        m_3[7] = decode(source[224u + node_3 / 32u * 320u + node_3 % 32u]);
        m_3[8] = decode(source[256u + node_3 / 32u * 320u + node_3 % 32u]);
        m_3[9] = decode(source[288u + node_3 / 32u * 320u + node_3 % 32u]);
        const size_t node_4 = x + 256u * (y + 32u * z);
        real m_4[10];
        m_4[0] = decode(source[node_4 / 32u * 320u + node_4 % 32u]);
        m_4[1] = decode(source[32u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[2] = decode(source[64u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[3] = decode(source[96u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[4] = decode(source[128u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[5] = decode(source[160u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[6] = decode(source[192u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[7] = decode(source[224u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[8] = decode(source[256u + node_4 / 32u * 320u + node_4 % 32u]);
        m_4[9] = decode(source[288u + node_4 / 32u * 320u + node_4 % 32u]);
        const size_t node_5 = x + 256u * (yp1 + 32u * z);
        real m_5[10];
        m_5[0] = decode(source[node_5 / 32u * 320u + node_5 % 32u]);
        m_5[2] = decode(source[64u + node_5 / 32u * 320u + node_5 % 32u]);
        m_5[3] = decode(source[96u + node_5 / 32u * 320u + node_5 % 32u]);
        m_5[7] = decode(source[224u + node_5 / 32u * 320u + node_5 % 32u]);
        m_5[8] = decode(source[256u + node_5 / 32u * 320u + node_5 % 32u]);
        m_5[9] = decode(source[288u + node_5 / 32u * 320u + node_5 % 32u]);
        const size_t node_6 = xp1 + 256u * (ym1 + 32u * z);
        real m_6[10];
        m_6[0] = decode(source[node_6 / 32u * 320u + node_6 % 32u]);
        m_6[1] = decode(source[32u + node_6 / 32u * 320u + node_6 % 32u]);
        m_6[2] = decode(source[64u + node_6 / 32u * 320u + node_6 % 32u]);
        m_6[4] = decode(source[128u + node_6 / 32u * 320u + node_6 % 32u]);
        m_6[5] = decode(source[160u + node_6 / 32u * 320u + node_6 % 32u]);
        m_6[7] = decode(source[224u + node_6 / 32u * 320u + node_6 % 32u]);
        const size_t node_7 = xp1 + 256u * (y + 32u * z);
        real m_7[10];
        m_7[0] = decode(source[node_7 / 32u * 320u + node_7 % 32u]);
        m_7[1] = decode(source[32u + node_7 / 32u * 320u + node_7 % 32u]);
        m_7[3] = decode(source[96u + node_7 / 32u * 320u + node_7 % 32u]);
        m_7[4] = decode(source[128u + node_7 / 32u * 320u + node_7 % 32u]);
        m_7[6] = decode(source[192u + node_7 / 32u * 320u + node_7 % 32u]);
        m_7[9] = decode(source[288u + node_7 / 32u * 320u + node_7 % 32u]);
        const size_t node_8 = xp1 + 256u * (yp1 + 32u * z);
        real m_8[10];
        m_8[0] = decode(source[node_8 / 32u * 320u + node_8 % 32u]);
        m_8[1] = decode(source[32u + node_8 / 32u * 320u + node_8 % 32u]);
        m_8[2] = decode(source[64u + node_8 / 32u * 320u + node_8 % 32u]);
        m_8[4] = decode(source[128u + node_8 / 32u * 320u + node_8 % 32u]);
        m_8[5] = decode(source[160u + node_8 / 32u * 320u + node_8 % 32u]);
        m_8[7] = decode(source[224u + node_8 / 32u * 320u + node_8 % 32u]);
        special <<= 1;
        if (number - 1u < end - begin) special |= bits_at(skip, x + 256u * (y + 32u * z), 1u);
        h[7] = rebuild_7(m_0);
        h[1] = rebuild_1(m_1);
        h[9] = rebuild_9(m_1);
        h[11] = rebuild_11(m_1);
        h[13] = rebuild_13(m_2);
        h[3] = rebuild_3(m_3);
        h[15] = rebuild_15(m_3);
        h[17] = rebuild_17(m_3);
        h[4] = rebuild_4(m_5);
        h[16] = rebuild_16(m_5);
        h[18] = rebuild_18(m_5);
        h[14] = rebuild_14(m_6);
        h[2] = rebuild_2(m_7);
        h[10] = rebuild_10(m_7);
        h[12] = rebuild_12(m_7);
        h[8] = rebuild_8(m_8);
        if (at_side || above == 1u || above == 8u || above == 8u + 1u || (special >> 0 & 3u) != 0u) {
            if (special & 1u) {
                const size_t index = x + 256u * (y + 32u * z);
                const bool listed = bits_at(linked, index, 1u);
                lost_at[(number & 1u) * 256u] = listed ? missing[number_linked(linked, ranks, index)] : 1u;
            }
            const unsigned lost_below_0 = (special >> 1 & 1u) ? lost_at[((number + 1u) & 1u) * 256u] : 0u;
            if (at_east || above == 8u + 1u || (lost_below_0 >> 10 & 1u)) h[10] = back[512u];
            if (at_west || above == 8u + 1u || (lost_below_0 >> 11 & 1u)) h[11] = back[768u];
            if (at_north || above == 8u + 1u || (lost_below_0 >> 16 & 1u)) h[16] = back[1024u];
            if (at_south || above == 8u + 1u || (lost_below_0 >> 17 & 1u)) h[17] = back[1280u];
            if (special & 1u) {
                const unsigned lost = lost_at[(number & 1u) * 256u];
                if (lost >> 1 & 1u) h[1] = rebuild_2(m_4);
                if (lost >> 2 & 1u) h[2] = rebuild_1(m_4);
                if (lost >> 3 & 1u) h[3] = rebuild_4(m_4);
                if (lost >> 4 & 1u) h[4] = rebuild_3(m_4);
                if (lost >> 5 & 1u) rising[0] = rebuild_6(m_4);
                if (lost >> 6 & 1u) back[0u + (number & 1u) * 256u] = rebuild_5(m_4);
                if (lost >> 7 & 1u) h[7] = rebuild_8(m_4);
                if (lost >> 8 & 1u) h[8] = rebuild_7(m_4);
                if (lost >> 9 & 1u) rising[1] = rebuild_10(m_4);
                if (lost >> 10 & 1u) back[512u] = rebuild_9(m_4);
                if (lost >> 11 & 1u) back[768u] = rebuild_12(m_4);
                if (lost >> 12 & 1u) rising[2] = rebuild_11(m_4);
                if (lost >> 13 & 1u) h[13] = rebuild_14(m_4);
                if (lost >> 14 & 1u) h[14] = rebuild_13(m_4);
                if (lost >> 15 & 1u) rising[3] = rebuild_16(m_4);
                if (lost >> 16 & 1u) back[1024u] = rebuild_15(m_4);
                if (lost >> 17 & 1u) back[1280u] = rebuild_18(m_4);
                if (lost >> 18 & 1u) rising[4] = rebuild_17(m_4);
            }
            if (at_west) {
                h[1] = rebuild_2(m_4);
                h[7] = rebuild_8(m_4);
                rising[1] = rebuild_10(m_4);
                back[768u] = rebuild_12(m_4);
                h[13] = rebuild_14(m_4);
            }
            if (at_east) {
                h[2] = rebuild_1(m_4);
                h[8] = rebuild_7(m_4);
                back[512u] = rebuild_9(m_4);
                rising[2] = rebuild_11(m_4);
                h[14] = rebuild_13(m_4);
            }
            if (at_south) {
                h[3] = rebuild_4(m_4);
                h[7] = rebuild_8(m_4);
                h[14] = rebuild_13(m_4);
                rising[3] = rebuild_16(m_4);
                back[1280u] = rebuild_18(m_4);
            }
            if (at_north) {
                h[4] = rebuild_3(m_4);
                h[8] = rebuild_7(m_4);
                h[13] = rebuild_14(m_4);
                back[1024u] = rebuild_15(m_4);
                rising[4] = rebuild_17(m_4);
            }
            if (above == 1u) {
                rising[0] = rebuild_6(m_4);
                rising[1] = rebuild_10(m_4);
                rising[2] = rebuild_11(m_4);
                rising[3] = rebuild_16(m_4);
                rising[4] = rebuild_17(m_4);
            }
            if (above == 8u) {
                back[0u + (number & 1u) * 256u] = rebuild_5(m_4) + terms[101u];
                if (!(at_east)) back[512u] = rebuild_9(m_4) + terms[105u];
                if (!(at_west)) back[768u] = rebuild_12(m_4) + terms[106u];
                if (!(at_north)) back[1024u] = rebuild_15(m_4) + terms[111u];
                if (!(at_south)) back[1280u] = rebuild_18(m_4) + terms[112u];
            }
        }
        h[0] = rebuild_0(m_4);
        h[5] = rebuild_5(m_4);
        h[6] = rebuild_6(m_4);
        if (at_side || above == 1u || above == 8u || above == 8u + 1u || (special >> 0 & 3u) != 0u) {
            const unsigned lost_below_0 = (special >> 1 & 1u) ? lost_at[((number + 1u) & 1u) * 256u] : 0u;
            if (above == 8u + 1u || (lost_below_0 >> 6 & 1u)) h[6] = back[0u + (~number & 1u) * 256u];
        }
        if (number >= 2u) {
            // The plane below is complete.
            const unsigned z = above - 2u;
            real after[10];
            late(waiting, h, uniforms.k, after);
            if ((special >> 1 & 1u) && (lost_at[((number + 1u) & 1u) * 256u] >> 0 & 1u)) {
                after[0] = 0;
                after[1] = 0;
                after[2] = 0;
                after[3] = 0;
                after[4] = 0;
                after[5] = 0;
                after[6] = 0;
                after[7] = 0;
                after[8] = 0;
                after[9] = 0;
            }
            const size_t node = x + 256u * (y + 32u * z);
            target[node / 32u * 320u + node % 32u] = encode(after[0]);
            target[32u + node / 32u * 320u + node % 32u] = encode(after[1]);
            target[64u + node / 32u * 320u + node % 32u] = encode(after[2]);
            target[96u + node / 32u * 320u + node % 32u] = encode(after[3]);
            target[128u + node / 32u * 320u + node % 32u] = encode(after[4]);
            target[160u + node / 32u * 320u + node % 32u] = encode(after[5]);
            target[192u + node / 32u * 320u + node % 32u] = encode(after[6]);
            target[224u + node / 32u * 320u + node % 32u] = encode(after[7]);
            target[256u + node / 32u * 320u + node % 32u] = encode(after[8]);
            target[288u + node / 32u * 320u + node % 32u] = encode(after[9]);
        }
        // What came up meets what stays; what goes up waits in its place.
        { const real up = h[5]; h[5] = rising[0]; rising[0] = up; }
        { const real up = h[9]; h[9] = rising[1]; rising[1] = up; }
        { const real up = h[12]; h[12] = rising[2]; rising[2] = up; }
        { const real up = h[15]; h[15] = rising[3]; rising[3] = up; }
        { const real up = h[18]; h[18] = rising[4]; rising[4] = up; }
        early(h, waiting);
    }
}
