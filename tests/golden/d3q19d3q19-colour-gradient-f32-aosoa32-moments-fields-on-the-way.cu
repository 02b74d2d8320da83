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

// The population of each direction that leaves a node, from its moments.
__device__ __forceinline__ real rebuild_0(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real post_0 = 0.33333334f * isotropic_post;
    population = post_0;
    return population;
}
__device__ __forceinline__ real rebuild_1(const real (&m)[14]) {
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
__device__ __forceinline__ real rebuild_2(const real (&m)[14]) {
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
__device__ __forceinline__ real rebuild_3(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_3;
    const real post_3 = fma_rn(0.16666667f, j_y_post, even_1);
    population = post_3;
    return population;
}
__device__ __forceinline__ real rebuild_4(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_3;
    const real post_4 = fma_rn(-0.16666667f, j_y_post, even_1);
    population = post_4;
    return population;
}
__device__ __forceinline__ real rebuild_5(const real (&m)[14]) {
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
__device__ __forceinline__ real rebuild_6(const real (&m)[14]) {
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
__device__ __forceinline__ real rebuild_7(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_5, even_3_part_1);
    const real t_11 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_11;
    const real post_7 = even_3 + odd_3;
    population = post_7;
    return population;
}
__device__ __forceinline__ real rebuild_8(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_5, even_3_part_1);
    const real t_11 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_11;
    const real post_8 = even_3 - odd_3;
    population = post_8;
    return population;
}
__device__ __forceinline__ real rebuild_9(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_6 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_6, even_4_part_1);
    const real t_13 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_13;
    const real post_9 = even_4 + odd_4;
    population = post_9;
    return population;
}
__device__ __forceinline__ real rebuild_10(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_6 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_6, even_4_part_1);
    const real t_13 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_13;
    const real post_10 = even_4 - odd_4;
    population = post_10;
    return population;
}
__device__ __forceinline__ real rebuild_11(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_6 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_6, even_5_part_1);
    const real t_14 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_14;
    const real post_11 = even_5 + odd_5;
    population = post_11;
    return population;
}
__device__ __forceinline__ real rebuild_12(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_6 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_6, even_5_part_1);
    const real t_14 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_14;
    const real post_12 = even_5 - odd_5;
    population = post_12;
    return population;
}
__device__ __forceinline__ real rebuild_13(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_5, even_6_part_1);
    const real t_12 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_12;
    const real post_13 = even_6 + odd_6;
    population = post_13;
    return population;
}
__device__ __forceinline__ real rebuild_14(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_5, even_6_part_1);
    const real t_12 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_12;
    const real post_14 = even_6 - odd_6;
    population = post_14;
    return population;
}
__device__ __forceinline__ real rebuild_15(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_7 = fma_rn(0.22222222f, t_3, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_7, even_7_part_1);
    const real t_15 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_15;
    const real post_15 = even_7 + odd_7;
    population = post_15;
    return population;
}
__device__ __forceinline__ real rebuild_16(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_7 = fma_rn(0.22222222f, t_3, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_7, even_7_part_1);
    const real t_15 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_15;
    const real post_16 = even_7 - odd_7;
    population = post_16;
    return population;
}
__device__ __forceinline__ real rebuild_17(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_7 = fma_rn(0.22222222f, t_3, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_7, even_8_part_1);
    const real t_16 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_16;
    const real post_17 = even_8 + odd_8;
    population = post_17;
    return population;
}
__device__ __forceinline__ real rebuild_18(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_7 = fma_rn(0.22222222f, t_3, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_7, even_8_part_1);
    const real t_16 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_16;
    const real post_18 = even_8 - odd_8;
    population = post_18;
    return population;
}
__device__ __forceinline__ real rebuild_19(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real share_post_2 = m[10];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real post_19 = 0.33333334f * isotropic_post_2;
    population = post_19;
    return population;
}
__device__ __forceinline__ real rebuild_20(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real even_9 = 0.055555556f * t_2;
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real post_20 = fma_rn(0.16666667f, j_x_post_2, even_9);
    population = post_20;
    return population;
}
__device__ __forceinline__ real rebuild_21(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real even_9 = 0.055555556f * t_2;
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real post_21 = fma_rn(-0.16666667f, j_x_post_2, even_9);
    population = post_21;
    return population;
}
__device__ __forceinline__ real rebuild_22(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real even_10 = 0.055555556f * t_4;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real post_22 = fma_rn(0.16666667f, j_y_post_2, even_10);
    population = post_22;
    return population;
}
__device__ __forceinline__ real rebuild_23(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real even_10 = 0.055555556f * t_4;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real post_23 = fma_rn(-0.16666667f, j_y_post_2, even_10);
    population = post_23;
    return population;
}
__device__ __forceinline__ real rebuild_24(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real even_11_part_1 = 0.055555556f * isotropic_post_2;
    const real even_11 = fma_rn(0.25f, p_zz_post_2, even_11_part_1);
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real post_24 = fma_rn(0.16666667f, j_z_post_2, even_11);
    population = post_24;
    return population;
}
__device__ __forceinline__ real rebuild_25(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real even_11_part_1 = 0.055555556f * isotropic_post_2;
    const real even_11 = fma_rn(0.25f, p_zz_post_2, even_11_part_1);
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real post_25 = fma_rn(-0.16666667f, j_z_post_2, even_11);
    population = post_25;
    return population;
}
__device__ __forceinline__ real rebuild_26(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_xy_post_2 = p_xy_post * share_post_2;
    const real t_8 = fma_rn(0.22222222f, t_2, p_yy_post_2);
    const real even_12_part_1 = 0.25f * p_xy_post_2;
    const real even_12 = fma_rn(0.125f, t_8, even_12_part_1);
    const real t_17 = j_x_post_2 + j_y_post_2;
    const real odd_12 = 0.083333336f * t_17;
    const real post_26 = even_12 + odd_12;
    population = post_26;
    return population;
}
__device__ __forceinline__ real rebuild_27(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_xy_post_2 = p_xy_post * share_post_2;
    const real t_8 = fma_rn(0.22222222f, t_2, p_yy_post_2);
    const real even_12_part_1 = 0.25f * p_xy_post_2;
    const real even_12 = fma_rn(0.125f, t_8, even_12_part_1);
    const real t_17 = j_x_post_2 + j_y_post_2;
    const real odd_12 = 0.083333336f * t_17;
    const real post_27 = even_12 - odd_12;
    population = post_27;
    return population;
}
__device__ __forceinline__ real rebuild_28(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_xz_post_2 = p_xz_post * share_post_2;
    const real t_9 = fma_rn(0.22222222f, t_2, p_zz_post_2);
    const real even_13_part_1 = 0.25f * p_xz_post_2;
    const real even_13 = fma_rn(0.125f, t_9, even_13_part_1);
    const real t_19 = j_x_post_2 + j_z_post_2;
    const real odd_13 = 0.083333336f * t_19;
    const real post_28 = even_13 + odd_13;
    population = post_28;
    return population;
}
__device__ __forceinline__ real rebuild_29(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_xz_post_2 = p_xz_post * share_post_2;
    const real t_9 = fma_rn(0.22222222f, t_2, p_zz_post_2);
    const real even_13_part_1 = 0.25f * p_xz_post_2;
    const real even_13 = fma_rn(0.125f, t_9, even_13_part_1);
    const real t_19 = j_x_post_2 + j_z_post_2;
    const real odd_13 = 0.083333336f * t_19;
    const real post_29 = even_13 - odd_13;
    population = post_29;
    return population;
}
__device__ __forceinline__ real rebuild_30(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_xz_post_2 = p_xz_post * share_post_2;
    const real t_9 = fma_rn(0.22222222f, t_2, p_zz_post_2);
    const real even_14_part_1 = -0.25f * p_xz_post_2;
    const real even_14 = fma_rn(0.125f, t_9, even_14_part_1);
    const real t_20 = j_x_post_2 - j_z_post_2;
    const real odd_14 = 0.083333336f * t_20;
    const real post_30 = even_14 + odd_14;
    population = post_30;
    return population;
}
__device__ __forceinline__ real rebuild_31(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_xz_post_2 = p_xz_post * share_post_2;
    const real t_9 = fma_rn(0.22222222f, t_2, p_zz_post_2);
    const real even_14_part_1 = -0.25f * p_xz_post_2;
    const real even_14 = fma_rn(0.125f, t_9, even_14_part_1);
    const real t_20 = j_x_post_2 - j_z_post_2;
    const real odd_14 = 0.083333336f * t_20;
    const real post_31 = even_14 - odd_14;
    population = post_31;
    return population;
}
__device__ __forceinline__ real rebuild_32(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_xy_post_2 = p_xy_post * share_post_2;
    const real t_8 = fma_rn(0.22222222f, t_2, p_yy_post_2);
    const real even_15_part_1 = -0.25f * p_xy_post_2;
    const real even_15 = fma_rn(0.125f, t_8, even_15_part_1);
    const real t_18 = j_x_post_2 - j_y_post_2;
    const real odd_15 = 0.083333336f * t_18;
    const real post_32 = even_15 + odd_15;
    population = post_32;
    return population;
}
__device__ __forceinline__ real rebuild_33(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_y_post_2 = m[12];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_xy_post_2 = p_xy_post * share_post_2;
    const real t_8 = fma_rn(0.22222222f, t_2, p_yy_post_2);
    const real even_15_part_1 = -0.25f * p_xy_post_2;
    const real even_15 = fma_rn(0.125f, t_8, even_15_part_1);
    const real t_18 = j_x_post_2 - j_y_post_2;
    const real odd_15 = 0.083333336f * t_18;
    const real post_33 = even_15 - odd_15;
    population = post_33;
    return population;
}
__device__ __forceinline__ real rebuild_34(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_yz_post_2 = p_yz_post * share_post_2;
    const real t_10 = fma_rn(0.22222222f, t_4, p_zz_post_2);
    const real even_16_part_1 = 0.25f * p_yz_post_2;
    const real even_16 = fma_rn(0.125f, t_10, even_16_part_1);
    const real t_21 = j_y_post_2 + j_z_post_2;
    const real odd_16 = 0.083333336f * t_21;
    const real post_34 = even_16 + odd_16;
    population = post_34;
    return population;
}
__device__ __forceinline__ real rebuild_35(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_yz_post_2 = p_yz_post * share_post_2;
    const real t_10 = fma_rn(0.22222222f, t_4, p_zz_post_2);
    const real even_16_part_1 = 0.25f * p_yz_post_2;
    const real even_16 = fma_rn(0.125f, t_10, even_16_part_1);
    const real t_21 = j_y_post_2 + j_z_post_2;
    const real odd_16 = 0.083333336f * t_21;
    const real post_35 = even_16 - odd_16;
    population = post_35;
    return population;
}
__device__ __forceinline__ real rebuild_36(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_yz_post_2 = p_yz_post * share_post_2;
    const real t_10 = fma_rn(0.22222222f, t_4, p_zz_post_2);
    const real even_17_part_1 = -0.25f * p_yz_post_2;
    const real even_17 = fma_rn(0.125f, t_10, even_17_part_1);
    const real t_22 = j_y_post_2 - j_z_post_2;
    const real odd_17 = 0.083333336f * t_22;
    const real post_36 = even_17 + odd_17;
    population = post_36;
    return population;
}
__device__ __forceinline__ real rebuild_37(const real (&m)[14]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real share_post_2 = m[10];
    const real flux_y_post_2 = m[12];
    const real flux_z_post_2 = m[13];
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real p_yz_post_2 = p_yz_post * share_post_2;
    const real t_10 = fma_rn(0.22222222f, t_4, p_zz_post_2);
    const real even_17_part_1 = -0.25f * p_yz_post_2;
    const real even_17 = fma_rn(0.125f, t_10, even_17_part_1);
    const real t_22 = j_y_post_2 - j_z_post_2;
    const real odd_17 = 0.083333336f * t_22;
    const real post_37 = even_17 - odd_17;
    population = post_37;
    return population;
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[16]; };

// The collision of one node, to the moments that carry it.
__device__ __forceinline__ void gather(const real (&h)[38], const real (&k)[16], const real (&field)[4], real (&m)[14]) {
    // k[0] = 1 - inverse_viscosity_ratio
    // k[1] = 1/2 + 3 viscosity
    // k[2] = 3 viscosity - 3 viscosity inverse_viscosity_ratio
    // k[3] = 6 viscosity - 6 viscosity inverse_viscosity_ratio
    // k[4] = 6 viscosity
    // k[5] = 3/2 tension
    // k[6] = 1/2 tension
    // k[7] = 1/3 sharpness
    const real t_7 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    const real t_8 = h[4] + h[18];
    const real t_20 = t_7 + t_8;
    const real t_5 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    const real t_6 = h[2] + h[12];
    const real t_19 = t_5 + t_6;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_20;
    const real t_11 = h[22] + h[34];
    const real waiting_yz_2 = h[34] - h[37];
    const real t_12 = h[23] + h[37];
    const real t_22 = t_11 + t_12;
    const real t_9 = h[20] + h[28];
    const real waiting_xz_2 = h[28] - h[31];
    const real t_10 = h[21] + h[31];
    const real t_21 = t_9 + t_10;
    const real waiting_z_2_part_1 = h[24] + h[28];
    const real waiting_z_2_part_2 = waiting_z_2_part_1 + h[31];
    const real waiting_z_2_part_3 = waiting_z_2_part_2 + h[34];
    const real waiting_z_2 = waiting_z_2_part_3 + h[37];
    const real waiting_0_2_part_1 = h[19] + h[24];
    const real waiting_0_2_part_2 = waiting_0_2_part_1 + t_22;
    const real t_1 = h[7] + h[8];
    const real t_15 = h[7] - h[8];
    const real waiting_x_part_1 = t_5 + t_15;
    const real waiting_y_part_1 = t_7 + t_15;
    const real waiting_y_part_2 = waiting_y_part_1 - t_8;
    const real t_2 = h[13] + h[14];
    const real t_16 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_16;
    const real waiting_x_part_2 = waiting_x_part_1 + t_16;
    const real waiting_x = waiting_x_part_2 - t_6;
    const real waiting_xy = t_1 - t_2;
    const real t_13 = t_1 + t_2;
    const real waiting_yy = t_13 + t_20;
    const real t_23 = t_13 + t_19;
    const real waiting_0 = waiting_0_part_2 + t_23;
    const real t_3 = h[26] + h[27];
    const real t_17 = h[26] - h[27];
    const real waiting_x_2_part_1 = t_9 + t_17;
    const real waiting_y_2_part_1 = t_11 + t_17;
    const real waiting_y_2_part_2 = waiting_y_2_part_1 - t_12;
    const real t_4 = h[32] + h[33];
    const real t_18 = h[32] - h[33];
    const real waiting_y_2 = waiting_y_2_part_2 - t_18;
    const real waiting_x_2_part_2 = waiting_x_2_part_1 + t_18;
    const real waiting_x_2 = waiting_x_2_part_2 - t_10;
    const real waiting_xy_2 = t_3 - t_4;
    const real t_14 = t_3 + t_4;
    const real waiting_yy_2 = t_14 + t_22;
    const real t_24 = t_14 + t_21;
    const real waiting_0_2 = waiting_0_2_part_2 + t_24;
    const real red_delta_rho_part_1 = h[25] + h[29];
    const real red_delta_rho_part_2 = red_delta_rho_part_1 + h[30];
    const real red_delta_rho_part_3 = red_delta_rho_part_2 + h[35];
    const real red_delta_rho_part_4 = red_delta_rho_part_3 + h[36];
    const real red_delta_rho = red_delta_rho_part_4 + waiting_0_2;
    const real slope_0_slope_0 = field[1] * field[1];
    const real slope_1_slope_1 = field[2] * field[2];
    const real steepness_of_part_1 = slope_0_slope_0 + slope_1_slope_1;
    const real slope_2_slope_2 = field[3] * field[3];
    const real steepness_of = steepness_of_part_1 + slope_2_slope_2;
    const real steepness = sqrt_rn(steepness_of);
    const real maximum = larger(steepness, 0.0001f);
    const real inverse_maximum = rcp_rn(maximum);
    const real slope_2_inverse_maximum = field[3] * inverse_maximum;
    const real normal_2 = 0.0001f < steepness ? slope_2_inverse_maximum : 0.0f;
    const real slope_0_inverse_maximum = field[1] * inverse_maximum;
    const real slope_1_inverse_maximum = field[2] * inverse_maximum;
    const real normal_0 = 0.0001f < steepness ? slope_0_inverse_maximum : 0.0f;
    const real normal_1 = 0.0001f < steepness ? slope_1_inverse_maximum : 0.0f;
    const real steepness_normal_0 = steepness * normal_0;
    const real steepness_normal_0_normal_0 = steepness_normal_0 * normal_0;
    const real normal_0_red_delta_rho = normal_0 * red_delta_rho;
    const real t_2_late = h[16] + h[17];
    const real t_14_late = h[16] - h[17];
    const real j_y = waiting_y - t_14_late;
    m[2] = j_y;
    const real pi_neq_1_2_part_1 = waiting_yz + t_14_late;
    const real pi_neq_1_1_part_1 = waiting_yy + t_2_late;
    const real t_1_late = h[10] + h[11];
    const real t_13_late = h[10] - h[11];
    const real t_4_late = h[6] + t_1_late;
    const real t_6_late = t_2_late + t_4_late;
    const real pi_neq_0_0_part_1 = t_23 + t_1_late;
    const real delta_rho = waiting_0 + t_6_late;
    const real delta_rho_again_2 = 1.0f + delta_rho;
    const real inverse_delta_rho = rcp_rn(delta_rho_again_2);
    const real share = red_delta_rho * inverse_delta_rho;
    m[10] = share;
    const real inverse_of = fma_rn(-k[0], share, 1.0f);
    const real inverse = rcp_rn(inverse_of);
    const real share_inverse = share * inverse;
    const real inverse_2_of = fma_rn(k[2], share_inverse, k[1]);
    const real inverse_2 = rcp_rn(inverse_2_of);
    const real steepness_inverse_2 = steepness * inverse_2;
    const real steepness_normal_0_normal_0_inverse_2 = steepness_normal_0_normal_0 * inverse_2;
    const real by_inverse_2 = fma_rn(-k[3], share_inverse, -k[4]);
    const real omega = inverse_2 * by_inverse_2;
    const real steepness_normal_0_inverse_2 = steepness_normal_0 * inverse_2;
    const real steepness_inverse_2_normal_2 = steepness_inverse_2 * normal_2;
    const real steepness_inverse_2_normal_2_normal_2 = steepness_inverse_2_normal_2 * normal_2;
    const real steepness_inverse_2_normal_1 = steepness_inverse_2 * normal_1;
    const real steepness_inverse_2_normal_1_normal_1 = steepness_inverse_2_normal_1 * normal_1;
    const real steepness_inverse_2_normal_1_normal_2 = steepness_inverse_2_normal_1 * normal_2;
    const real t_5_late = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_1_normal_1;
    const real t_17_late = steepness_inverse_2_normal_1_normal_1 + steepness_inverse_2_normal_2_normal_2;
    const real t_16_late = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_2_normal_2;
    const real t_18_late = steepness_inverse_2_normal_2_normal_2 + t_5_late;
    const real isotropic_post_part_1 = fma_rn(k[5], t_18_late, delta_rho);
    const real j_x = waiting_x - t_13_late;
    m[1] = j_x;
    const real pi_neq_0_2_part_1 = waiting_xz + t_13_late;
    const real u_x = inverse_delta_rho * j_x;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real t_7_late = flux_xx - pi_neq_0_0;
    const real omega_pi_neq_0_0 = omega * pi_neq_0_0;
    const real t_10_late = omega_pi_neq_0_0 - t_7_late;
    const real p_xx_post = fma_rn(-k[6], t_17_late, -t_10_late);
    m[4] = p_xx_post;
    const real u_y = inverse_delta_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_8_late = flux_yy - pi_neq_1_1;
    const real omega_pi_neq_1_1 = omega * pi_neq_1_1;
    const real t_11_late = omega_pi_neq_1_1 - t_8_late;
    const real p_yy_post = fma_rn(-k[6], t_16_late, -t_11_late);
    m[7] = p_yy_post;
    const real t_19_late = t_10_late + t_11_late;
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = waiting_xy - flux_xy;
    const real p_xy_post_part_1 = flux_xy - pi_neq_0_1;
    const real omega_pi_neq_0_1 = omega * pi_neq_0_1;
    const real p_xy_post_part_2 = p_xy_post_part_1 - omega_pi_neq_0_1;
    const real steepness_normal_0_inverse_2_normal_1 = steepness_normal_0_inverse_2 * normal_1;
    const real p_xy_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_1, p_xy_post_part_2);
    m[5] = p_xy_post;
    const real steepness_normal_0_inverse_2_normal_2 = steepness_normal_0_inverse_2 * normal_2;
    const real t_15_late = 1.0f - share;
    const real by_normal_0_red_delta_rho = k[7] * t_15_late;
    const real with_normal_0_red_delta_rho = normal_0_red_delta_rho * by_normal_0_red_delta_rho;
    m[11] = with_normal_0_red_delta_rho;
    const real red_delta_rho_share = red_delta_rho * share;
    const real t_3_late = red_delta_rho - red_delta_rho_share;
    const real by_normal_1 = k[7] * t_3_late;
    const real with_normal_1 = normal_1 * by_normal_1;
    m[12] = with_normal_1;
    const real by_normal_2 = k[7] * t_3_late;
    const real with_normal_2 = normal_2 * by_normal_2;
    m[13] = with_normal_2;
    const real j_z = waiting_z - t_6_late;
    m[3] = j_z;
    const real pi_neq_2_2_part_1 = waiting_z + t_6_late;
    const real u_z = inverse_delta_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_9_late = flux_zz - pi_neq_2_2;
    const real omega_pi_neq_2_2 = omega * pi_neq_2_2;
    const real t_12_late = omega_pi_neq_2_2 - t_9_late;
    const real p_zz_post = fma_rn(-k[6], t_5_late, -t_12_late);
    m[9] = p_zz_post;
    const real t_20_late = t_12_late + t_19_late;
    const real isotropic_post = fma_rn(1.5f, t_20_late, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post_part_1 = flux_xz - pi_neq_0_2;
    const real omega_pi_neq_0_2 = omega * pi_neq_0_2;
    const real p_xz_post_part_2 = p_xz_post_part_1 - omega_pi_neq_0_2;
    const real p_xz_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_2, p_xz_post_part_2);
    m[6] = p_xz_post;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real omega_pi_neq_1_2 = omega * pi_neq_1_2;
    const real p_yz_post_part_1 = flux_yz - pi_neq_1_2;
    const real p_yz_post_part_2 = p_yz_post_part_1 - omega_pi_neq_1_2;
    const real p_yz_post = fma_rn(k[6], steepness_inverse_2_normal_1_normal_2, p_yz_post_part_2);
    m[8] = p_yz_post;
}
    
    // Fields that follow for one node.
    __device__ __forceinline__ void derive(const real (&h)[38], const real (&k)[16], const real (&field)[4], real (&derived)[1]) {
    const real t_7 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    const real t_8 = h[4] + h[18];
    const real t_20 = t_7 + t_8;
    const real t_5 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    const real t_6 = h[2] + h[12];
    const real t_19 = t_5 + t_6;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_20;
    const real t_11 = h[22] + h[34];
    const real waiting_yz_2 = h[34] - h[37];
    const real t_12 = h[23] + h[37];
    const real t_22 = t_11 + t_12;
    const real t_9 = h[20] + h[28];
    const real waiting_xz_2 = h[28] - h[31];
    const real t_10 = h[21] + h[31];
    const real t_21 = t_9 + t_10;
    const real waiting_z_2_part_1 = h[24] + h[28];
    const real waiting_z_2_part_2 = waiting_z_2_part_1 + h[31];
    const real waiting_z_2_part_3 = waiting_z_2_part_2 + h[34];
    const real waiting_z_2 = waiting_z_2_part_3 + h[37];
    const real waiting_0_2_part_1 = h[19] + h[24];
    const real waiting_0_2_part_2 = waiting_0_2_part_1 + t_22;
    const real t_1 = h[7] + h[8];
    const real t_15 = h[7] - h[8];
    const real waiting_x_part_1 = t_5 + t_15;
    const real waiting_y_part_1 = t_7 + t_15;
    const real waiting_y_part_2 = waiting_y_part_1 - t_8;
    const real t_2 = h[13] + h[14];
    const real t_16 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_16;
    const real waiting_x_part_2 = waiting_x_part_1 + t_16;
    const real waiting_x = waiting_x_part_2 - t_6;
    const real waiting_xy = t_1 - t_2;
    const real t_13 = t_1 + t_2;
    const real waiting_yy = t_13 + t_20;
    const real t_23 = t_13 + t_19;
    const real waiting_0 = waiting_0_part_2 + t_23;
    const real t_3 = h[26] + h[27];
    const real t_17 = h[26] - h[27];
    const real waiting_x_2_part_1 = t_9 + t_17;
    const real waiting_y_2_part_1 = t_11 + t_17;
    const real waiting_y_2_part_2 = waiting_y_2_part_1 - t_12;
    const real t_4 = h[32] + h[33];
    const real t_18 = h[32] - h[33];
    const real waiting_y_2 = waiting_y_2_part_2 - t_18;
    const real waiting_x_2_part_2 = waiting_x_2_part_1 + t_18;
    const real waiting_x_2 = waiting_x_2_part_2 - t_10;
    const real waiting_xy_2 = t_3 - t_4;
    const real t_14 = t_3 + t_4;
    const real waiting_yy_2 = t_14 + t_22;
    const real t_24 = t_14 + t_21;
    const real waiting_0_2 = waiting_0_2_part_2 + t_24;
    const real red_delta_rho_part_1 = h[25] + h[29];
    const real red_delta_rho_part_2 = red_delta_rho_part_1 + h[30];
    const real red_delta_rho_part_3 = red_delta_rho_part_2 + h[35];
    const real red_delta_rho_part_4 = red_delta_rho_part_3 + h[36];
    const real red_delta_rho = red_delta_rho_part_4 + waiting_0_2;
    const real delta_rho_part_1 = 1.0f + waiting_0;
    const real delta_rho_part_2 = delta_rho_part_1 + h[6];
    const real delta_rho_part_3 = delta_rho_part_2 + h[10];
    const real delta_rho_part_4 = delta_rho_part_3 + h[11];
    const real delta_rho_part_5 = delta_rho_part_4 + h[16];
    const real delta_rho = delta_rho_part_5 + h[17];
    const real inverse_delta_rho = rcp_rn(delta_rho);
    const real share = red_delta_rho * inverse_delta_rho;
    const real phi = fma_rn(2.0f, share, -1.0f);
    derived[0] = phi;
    }
    
    // Fields that follow for one node.
    __device__ __forceinline__ void near_1(const real (&near)[26], const real (&k)[16], real (&derived)[3]) {
    const real t_15 = near[13] - near[12];
    const real slope_0_part_1 = 0.22222222f * t_15;
    const real t_1 = near[25] - near[0];
    const real t_2 = near[23] - near[2];
    const real t_18 = t_1 - t_2;
    const real t_11 = t_1 + t_2;
    const real t_3 = near[19] - near[6];
    const real t_4 = near[17] - near[8];
    const real t_19 = t_3 - t_4;
    const real t_26 = t_18 + t_19;
    const real slope_0_part_2 = fma_rn(0.013888889f, t_26, slope_0_part_1);
    const real t_12 = t_3 + t_4;
    const real t_5 = near[16] - near[9];
    const real t_6 = near[14] - near[11];
    const real t_20 = t_5 - t_6;
    const real t_21 = t_5 + t_6;
    const real t_7 = near[22] - near[3];
    const real t_8 = near[20] - near[5];
    const real t_22 = t_7 - t_8;
    const real t_27 = t_20 + t_22;
    const real slope_0 = fma_rn(0.055555556f, t_27, slope_0_part_2);
    const real t_23 = t_7 + t_8;
    const real t_16 = near[15] - near[10];
    const real slope_1_part_1 = 0.22222222f * t_16;
    const real t_9 = near[24] - near[1];
    const real t_13 = fma_rn(0.25f, t_11, t_9);
    const real t_10 = near[18] - near[7];
    const real t_14 = fma_rn(0.25f, t_12, t_10);
    const real t_24 = t_13 - t_14;
    const real t_28 = t_21 + t_24;
    const real slope_1 = fma_rn(0.055555556f, t_28, slope_1_part_1);
    const real t_25 = t_13 + t_14;
    const real t_29 = t_23 + t_25;
    const real t_17 = near[21] - near[4];
    const real slope_2_part_1 = 0.22222222f * t_17;
    const real slope_2 = fma_rn(0.055555556f, t_29, slope_2_part_1);
    derived[0] = slope_0;
    derived[1] = slope_1;
    derived[2] = slope_2;
    }

// The same in two parts: what is known before the populations that come down, and what these make of it.
__device__ __forceinline__ void early(const real (&h)[38], real (&c)[18]) {
    const real t_7 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    c[8] = waiting_yz;
    const real t_8 = h[4] + h[18];
    const real t_20 = t_7 + t_8;
    const real t_5 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    c[6] = waiting_xz;
    const real t_6 = h[2] + h[12];
    const real t_19 = t_5 + t_6;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    c[3] = waiting_z;
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_20;
    const real t_11 = h[22] + h[34];
    const real waiting_yz_2 = h[34] - h[37];
    c[17] = waiting_yz_2;
    const real t_12 = h[23] + h[37];
    const real t_22 = t_11 + t_12;
    const real t_9 = h[20] + h[28];
    const real waiting_xz_2 = h[28] - h[31];
    c[15] = waiting_xz_2;
    const real t_10 = h[21] + h[31];
    const real t_21 = t_9 + t_10;
    const real waiting_z_2_part_1 = h[24] + h[28];
    const real waiting_z_2_part_2 = waiting_z_2_part_1 + h[31];
    const real waiting_z_2_part_3 = waiting_z_2_part_2 + h[34];
    const real waiting_z_2 = waiting_z_2_part_3 + h[37];
    c[12] = waiting_z_2;
    const real waiting_0_2_part_1 = h[19] + h[24];
    const real waiting_0_2_part_2 = waiting_0_2_part_1 + t_22;
    const real t_1 = h[7] + h[8];
    const real t_15 = h[7] - h[8];
    const real waiting_x_part_1 = t_5 + t_15;
    const real waiting_y_part_1 = t_7 + t_15;
    const real waiting_y_part_2 = waiting_y_part_1 - t_8;
    const real t_2 = h[13] + h[14];
    const real t_16 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_16;
    c[2] = waiting_y;
    const real waiting_x_part_2 = waiting_x_part_1 + t_16;
    const real waiting_x = waiting_x_part_2 - t_6;
    c[1] = waiting_x;
    const real waiting_xy = t_1 - t_2;
    c[5] = waiting_xy;
    const real t_13 = t_1 + t_2;
    const real waiting_yy = t_13 + t_20;
    c[7] = waiting_yy;
    const real t_23 = t_13 + t_19;
    c[4] = t_23;
    const real waiting_0 = waiting_0_part_2 + t_23;
    c[0] = waiting_0;
    const real t_3 = h[26] + h[27];
    const real t_17 = h[26] - h[27];
    const real waiting_x_2_part_1 = t_9 + t_17;
    const real waiting_y_2_part_1 = t_11 + t_17;
    const real waiting_y_2_part_2 = waiting_y_2_part_1 - t_12;
    const real t_4 = h[32] + h[33];
    const real t_18 = h[32] - h[33];
    const real waiting_y_2 = waiting_y_2_part_2 - t_18;
    c[11] = waiting_y_2;
    const real waiting_x_2_part_2 = waiting_x_2_part_1 + t_18;
    const real waiting_x_2 = waiting_x_2_part_2 - t_10;
    c[10] = waiting_x_2;
    const real waiting_xy_2 = t_3 - t_4;
    c[14] = waiting_xy_2;
    const real t_14 = t_3 + t_4;
    const real waiting_yy_2 = t_14 + t_22;
    c[16] = waiting_yy_2;
    const real t_24 = t_14 + t_21;
    c[13] = t_24;
    const real waiting_0_2 = waiting_0_2_part_2 + t_24;
    c[9] = waiting_0_2;
}

__device__ __forceinline__ void late(
    const real (&c)[18], const real (&h)[38], const real (&k)[16], const real (&field)[4], real (&m)[14]
) {
    const real red_delta_rho_part_1 = h[25] + h[29];
    const real red_delta_rho_part_2 = red_delta_rho_part_1 + h[30];
    const real red_delta_rho_part_3 = red_delta_rho_part_2 + h[35];
    const real red_delta_rho_part_4 = red_delta_rho_part_3 + h[36];
    const real red_delta_rho = red_delta_rho_part_4 + c[9];
    const real slope_0_slope_0 = field[1] * field[1];
    const real slope_1_slope_1 = field[2] * field[2];
    const real steepness_of_part_1 = slope_0_slope_0 + slope_1_slope_1;
    const real slope_2_slope_2 = field[3] * field[3];
    const real steepness_of = steepness_of_part_1 + slope_2_slope_2;
    const real steepness = sqrt_rn(steepness_of);
    const real maximum = larger(steepness, 0.0001f);
    const real inverse_maximum = rcp_rn(maximum);
    const real slope_2_inverse_maximum = field[3] * inverse_maximum;
    const real normal_2 = 0.0001f < steepness ? slope_2_inverse_maximum : 0.0f;
    const real slope_0_inverse_maximum = field[1] * inverse_maximum;
    const real slope_1_inverse_maximum = field[2] * inverse_maximum;
    const real normal_0 = 0.0001f < steepness ? slope_0_inverse_maximum : 0.0f;
    const real normal_1 = 0.0001f < steepness ? slope_1_inverse_maximum : 0.0f;
    const real steepness_normal_0 = steepness * normal_0;
    const real steepness_normal_0_normal_0 = steepness_normal_0 * normal_0;
    const real normal_0_red_delta_rho = normal_0 * red_delta_rho;
    const real t_2 = h[16] + h[17];
    const real t_14 = h[16] - h[17];
    const real j_y = c[2] - t_14;
    m[2] = j_y;
    const real pi_neq_1_2_part_1 = c[8] + t_14;
    const real pi_neq_1_1_part_1 = c[7] + t_2;
    const real t_1 = h[10] + h[11];
    const real t_13 = h[10] - h[11];
    const real t_4 = h[6] + t_1;
    const real t_6 = t_2 + t_4;
    const real pi_neq_0_0_part_1 = c[4] + t_1;
    const real delta_rho = c[0] + t_6;
    const real delta_rho_again_2 = 1.0f + delta_rho;
    const real inverse_delta_rho = rcp_rn(delta_rho_again_2);
    const real share = red_delta_rho * inverse_delta_rho;
    m[10] = share;
    const real inverse_of = fma_rn(-k[0], share, 1.0f);
    const real inverse = rcp_rn(inverse_of);
    const real share_inverse = share * inverse;
    const real inverse_2_of = fma_rn(k[2], share_inverse, k[1]);
    const real inverse_2 = rcp_rn(inverse_2_of);
    const real steepness_inverse_2 = steepness * inverse_2;
    const real steepness_normal_0_normal_0_inverse_2 = steepness_normal_0_normal_0 * inverse_2;
    const real by_inverse_2 = fma_rn(-k[3], share_inverse, -k[4]);
    const real omega = inverse_2 * by_inverse_2;
    const real steepness_normal_0_inverse_2 = steepness_normal_0 * inverse_2;
    const real steepness_inverse_2_normal_2 = steepness_inverse_2 * normal_2;
    const real steepness_inverse_2_normal_2_normal_2 = steepness_inverse_2_normal_2 * normal_2;
    const real steepness_inverse_2_normal_1 = steepness_inverse_2 * normal_1;
    const real steepness_inverse_2_normal_1_normal_1 = steepness_inverse_2_normal_1 * normal_1;
    const real steepness_inverse_2_normal_1_normal_2 = steepness_inverse_2_normal_1 * normal_2;
    const real t_5 = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_1_normal_1;
    const real t_17 = steepness_inverse_2_normal_1_normal_1 + steepness_inverse_2_normal_2_normal_2;
    const real t_16 = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_2_normal_2;
    const real t_18 = steepness_inverse_2_normal_2_normal_2 + t_5;
    const real isotropic_post_part_1 = fma_rn(k[5], t_18, delta_rho);
    const real j_x = c[1] - t_13;
    m[1] = j_x;
    const real pi_neq_0_2_part_1 = c[6] + t_13;
    const real u_x = inverse_delta_rho * j_x;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real t_7 = flux_xx - pi_neq_0_0;
    const real omega_pi_neq_0_0 = omega * pi_neq_0_0;
    const real t_10 = omega_pi_neq_0_0 - t_7;
    const real p_xx_post = fma_rn(-k[6], t_17, -t_10);
    m[4] = p_xx_post;
    const real u_y = inverse_delta_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_8 = flux_yy - pi_neq_1_1;
    const real omega_pi_neq_1_1 = omega * pi_neq_1_1;
    const real t_11 = omega_pi_neq_1_1 - t_8;
    const real p_yy_post = fma_rn(-k[6], t_16, -t_11);
    m[7] = p_yy_post;
    const real t_19 = t_10 + t_11;
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = c[5] - flux_xy;
    const real p_xy_post_part_1 = flux_xy - pi_neq_0_1;
    const real omega_pi_neq_0_1 = omega * pi_neq_0_1;
    const real p_xy_post_part_2 = p_xy_post_part_1 - omega_pi_neq_0_1;
    const real steepness_normal_0_inverse_2_normal_1 = steepness_normal_0_inverse_2 * normal_1;
    const real p_xy_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_1, p_xy_post_part_2);
    m[5] = p_xy_post;
    const real steepness_normal_0_inverse_2_normal_2 = steepness_normal_0_inverse_2 * normal_2;
    const real t_15 = 1.0f - share;
    const real by_normal_0_red_delta_rho = k[7] * t_15;
    const real with_normal_0_red_delta_rho = normal_0_red_delta_rho * by_normal_0_red_delta_rho;
    m[11] = with_normal_0_red_delta_rho;
    const real red_delta_rho_share = red_delta_rho * share;
    const real t_3 = red_delta_rho - red_delta_rho_share;
    const real by_normal_1 = k[7] * t_3;
    const real with_normal_1 = normal_1 * by_normal_1;
    m[12] = with_normal_1;
    const real by_normal_2 = k[7] * t_3;
    const real with_normal_2 = normal_2 * by_normal_2;
    m[13] = with_normal_2;
    const real j_z = c[3] - t_6;
    m[3] = j_z;
    const real pi_neq_2_2_part_1 = c[3] + t_6;
    const real u_z = inverse_delta_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_9 = flux_zz - pi_neq_2_2;
    const real omega_pi_neq_2_2 = omega * pi_neq_2_2;
    const real t_12 = omega_pi_neq_2_2 - t_9;
    const real p_zz_post = fma_rn(-k[6], t_5, -t_12);
    m[9] = p_zz_post;
    const real t_20 = t_12 + t_19;
    const real isotropic_post = fma_rn(1.5f, t_20, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post_part_1 = flux_xz - pi_neq_0_2;
    const real omega_pi_neq_0_2 = omega * pi_neq_0_2;
    const real p_xz_post_part_2 = p_xz_post_part_1 - omega_pi_neq_0_2;
    const real p_xz_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_2, p_xz_post_part_2);
    m[6] = p_xz_post;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real omega_pi_neq_1_2 = omega * pi_neq_1_2;
    const real p_yz_post_part_1 = flux_yz - pi_neq_1_2;
    const real p_yz_post_part_2 = p_yz_post_part_1 - omega_pi_neq_1_2;
    const real p_yz_post = fma_rn(k[6], steepness_inverse_2_normal_1_normal_2, p_yz_post_part_2);
    m[8] = p_yz_post;
}

// The same in two parts: what is known before the populations that come down, and what these make of it.
__device__ __forceinline__ void early_derived(const real (&h)[38], real (&c)[18]) {
    const real t_7 = h[3] + h[15];
    const real waiting_yz = h[15] - h[18];
    c[8] = waiting_yz;
    const real t_8 = h[4] + h[18];
    const real t_20 = t_7 + t_8;
    const real t_5 = h[1] + h[9];
    const real waiting_xz = h[9] - h[12];
    c[6] = waiting_xz;
    const real t_6 = h[2] + h[12];
    const real t_19 = t_5 + t_6;
    const real waiting_z_part_1 = h[5] + h[9];
    const real waiting_z_part_2 = waiting_z_part_1 + h[12];
    const real waiting_z_part_3 = waiting_z_part_2 + h[15];
    const real waiting_z = waiting_z_part_3 + h[18];
    c[3] = waiting_z;
    const real waiting_0_part_1 = h[0] + h[5];
    const real waiting_0_part_2 = waiting_0_part_1 + t_20;
    const real t_11 = h[22] + h[34];
    const real waiting_yz_2 = h[34] - h[37];
    c[17] = waiting_yz_2;
    const real t_12 = h[23] + h[37];
    const real t_22 = t_11 + t_12;
    const real t_9 = h[20] + h[28];
    const real waiting_xz_2 = h[28] - h[31];
    c[15] = waiting_xz_2;
    const real t_10 = h[21] + h[31];
    const real t_21 = t_9 + t_10;
    const real waiting_z_2_part_1 = h[24] + h[28];
    const real waiting_z_2_part_2 = waiting_z_2_part_1 + h[31];
    const real waiting_z_2_part_3 = waiting_z_2_part_2 + h[34];
    const real waiting_z_2 = waiting_z_2_part_3 + h[37];
    c[12] = waiting_z_2;
    const real waiting_0_2_part_1 = h[19] + h[24];
    const real waiting_0_2_part_2 = waiting_0_2_part_1 + t_22;
    const real t_1 = h[7] + h[8];
    const real t_15 = h[7] - h[8];
    const real waiting_x_part_1 = t_5 + t_15;
    const real waiting_y_part_1 = t_7 + t_15;
    const real waiting_y_part_2 = waiting_y_part_1 - t_8;
    const real t_2 = h[13] + h[14];
    const real t_16 = h[13] - h[14];
    const real waiting_y = waiting_y_part_2 - t_16;
    c[2] = waiting_y;
    const real waiting_x_part_2 = waiting_x_part_1 + t_16;
    const real waiting_x = waiting_x_part_2 - t_6;
    c[1] = waiting_x;
    const real waiting_xy = t_1 - t_2;
    c[5] = waiting_xy;
    const real t_13 = t_1 + t_2;
    const real waiting_yy = t_13 + t_20;
    c[7] = waiting_yy;
    const real t_23 = t_13 + t_19;
    c[4] = t_23;
    const real waiting_0 = waiting_0_part_2 + t_23;
    c[0] = waiting_0;
    const real t_3 = h[26] + h[27];
    const real t_17 = h[26] - h[27];
    const real waiting_x_2_part_1 = t_9 + t_17;
    const real waiting_y_2_part_1 = t_11 + t_17;
    const real waiting_y_2_part_2 = waiting_y_2_part_1 - t_12;
    const real t_4 = h[32] + h[33];
    const real t_18 = h[32] - h[33];
    const real waiting_y_2 = waiting_y_2_part_2 - t_18;
    c[11] = waiting_y_2;
    const real waiting_x_2_part_2 = waiting_x_2_part_1 + t_18;
    const real waiting_x_2 = waiting_x_2_part_2 - t_10;
    c[10] = waiting_x_2;
    const real waiting_xy_2 = t_3 - t_4;
    c[14] = waiting_xy_2;
    const real t_14 = t_3 + t_4;
    const real waiting_yy_2 = t_14 + t_22;
    c[16] = waiting_yy_2;
    const real t_24 = t_14 + t_21;
    c[13] = t_24;
    const real waiting_0_2 = waiting_0_2_part_2 + t_24;
    c[9] = waiting_0_2;
}

__device__ __forceinline__ void late_derived(
    const real (&c)[18], const real (&h)[38], const real (&k)[16], const real (&field)[4], real (&derived)[1]
) {
    const real red_delta_rho_part_1 = h[25] + h[29];
    const real red_delta_rho_part_2 = red_delta_rho_part_1 + h[30];
    const real red_delta_rho_part_3 = red_delta_rho_part_2 + h[35];
    const real red_delta_rho_part_4 = red_delta_rho_part_3 + h[36];
    const real red_delta_rho = red_delta_rho_part_4 + c[9];
    const real delta_rho_part_1 = 1.0f + c[0];
    const real delta_rho_part_2 = delta_rho_part_1 + h[6];
    const real delta_rho_part_3 = delta_rho_part_2 + h[10];
    const real delta_rho_part_4 = delta_rho_part_3 + h[11];
    const real delta_rho_part_5 = delta_rho_part_4 + h[16];
    const real delta_rho = delta_rho_part_5 + h[17];
    const real inverse_delta_rho = rcp_rn(delta_rho);
    const real share = red_delta_rho * inverse_delta_rho;
    const real phi = fma_rn(2.0f, share, -1.0f);
    derived[0] = phi;
}

// What these make in two parts: before fields of the node are known, and with them.
__device__ __forceinline__ void before_fields(
    const real (&c)[18], const real (&h)[38], const real (&k)[16], real (&d)[16]
) {
    const real red_delta_rho_part_1 = h[25] + h[29];
    const real red_delta_rho_part_2 = red_delta_rho_part_1 + h[30];
    const real red_delta_rho_part_3 = red_delta_rho_part_2 + h[35];
    const real red_delta_rho_part_4 = red_delta_rho_part_3 + h[36];
    const real red_delta_rho = red_delta_rho_part_4 + c[9];
    d[0] = red_delta_rho;
    const real t_2 = h[16] + h[17];
    const real t_14 = h[16] - h[17];
    const real j_y = c[2] - t_14;
    d[1] = j_y;
    const real pi_neq_1_2_part_1 = c[8] + t_14;
    const real pi_neq_1_1_part_1 = c[7] + t_2;
    const real t_1 = h[10] + h[11];
    const real t_13 = h[10] - h[11];
    const real t_4 = h[6] + t_1;
    const real t_6 = t_2 + t_4;
    const real pi_neq_0_0_part_1 = c[4] + t_1;
    const real delta_rho = c[0] + t_6;
    d[2] = delta_rho;
    const real delta_rho_again_2 = 1.0f + delta_rho;
    const real inverse_delta_rho = rcp_rn(delta_rho_again_2);
    const real share = red_delta_rho * inverse_delta_rho;
    d[3] = share;
    const real inverse_of = fma_rn(-k[0], share, 1.0f);
    const real inverse = rcp_rn(inverse_of);
    const real share_inverse = share * inverse;
    const real inverse_2_of = fma_rn(k[2], share_inverse, k[1]);
    const real inverse_2 = rcp_rn(inverse_2_of);
    d[4] = inverse_2;
    const real by_inverse_2 = fma_rn(-k[3], share_inverse, -k[4]);
    const real omega = inverse_2 * by_inverse_2;
    const real j_x = c[1] - t_13;
    d[5] = j_x;
    const real pi_neq_0_2_part_1 = c[6] + t_13;
    const real u_x = inverse_delta_rho * j_x;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real t_7 = flux_xx - pi_neq_0_0;
    const real omega_pi_neq_0_0 = omega * pi_neq_0_0;
    const real t_10 = omega_pi_neq_0_0 - t_7;
    d[6] = t_10;
    const real u_y = inverse_delta_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_8 = flux_yy - pi_neq_1_1;
    const real omega_pi_neq_1_1 = omega * pi_neq_1_1;
    const real t_11 = omega_pi_neq_1_1 - t_8;
    d[7] = t_11;
    const real t_19 = t_10 + t_11;
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = c[5] - flux_xy;
    const real p_xy_post_part_1 = flux_xy - pi_neq_0_1;
    const real omega_pi_neq_0_1 = omega * pi_neq_0_1;
    const real p_xy_post_part_2 = p_xy_post_part_1 - omega_pi_neq_0_1;
    d[8] = p_xy_post_part_2;
    const real t_15 = 1.0f - share;
    const real by_normal_0_red_delta_rho = k[7] * t_15;
    d[9] = by_normal_0_red_delta_rho;
    const real red_delta_rho_share = red_delta_rho * share;
    const real t_3 = red_delta_rho - red_delta_rho_share;
    d[10] = t_3;
    const real j_z = c[3] - t_6;
    d[11] = j_z;
    const real pi_neq_2_2_part_1 = c[3] + t_6;
    const real u_z = inverse_delta_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_9 = flux_zz - pi_neq_2_2;
    const real omega_pi_neq_2_2 = omega * pi_neq_2_2;
    const real t_12 = omega_pi_neq_2_2 - t_9;
    d[12] = t_12;
    const real t_20 = t_12 + t_19;
    d[13] = t_20;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post_part_1 = flux_xz - pi_neq_0_2;
    const real omega_pi_neq_0_2 = omega * pi_neq_0_2;
    const real p_xz_post_part_2 = p_xz_post_part_1 - omega_pi_neq_0_2;
    d[14] = p_xz_post_part_2;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real omega_pi_neq_1_2 = omega * pi_neq_1_2;
    const real p_yz_post_part_1 = flux_yz - pi_neq_1_2;
    const real p_yz_post_part_2 = p_yz_post_part_1 - omega_pi_neq_1_2;
    d[15] = p_yz_post_part_2;
}

__device__ __forceinline__ void with_fields(
    const real (&d)[16], const real (&k)[16], const real (&field)[4], real (&m)[14]
) {
    const real slope_0_slope_0 = field[1] * field[1];
    const real slope_1_slope_1 = field[2] * field[2];
    const real steepness_of_part_1 = slope_0_slope_0 + slope_1_slope_1;
    const real slope_2_slope_2 = field[3] * field[3];
    const real steepness_of = steepness_of_part_1 + slope_2_slope_2;
    const real steepness = sqrt_rn(steepness_of);
    const real maximum = larger(steepness, 0.0001f);
    const real inverse_maximum = rcp_rn(maximum);
    const real slope_2_inverse_maximum = field[3] * inverse_maximum;
    const real normal_2 = 0.0001f < steepness ? slope_2_inverse_maximum : 0.0f;
    const real slope_0_inverse_maximum = field[1] * inverse_maximum;
    const real slope_1_inverse_maximum = field[2] * inverse_maximum;
    const real normal_0 = 0.0001f < steepness ? slope_0_inverse_maximum : 0.0f;
    const real normal_1 = 0.0001f < steepness ? slope_1_inverse_maximum : 0.0f;
    const real steepness_normal_0 = steepness * normal_0;
    const real steepness_normal_0_normal_0 = steepness_normal_0 * normal_0;
    const real normal_0_red_delta_rho = normal_0 * d[0];
    const real steepness_inverse_2 = steepness * d[4];
    const real steepness_normal_0_normal_0_inverse_2 = steepness_normal_0_normal_0 * d[4];
    const real steepness_normal_0_inverse_2 = steepness_normal_0 * d[4];
    const real steepness_inverse_2_normal_2 = steepness_inverse_2 * normal_2;
    const real steepness_inverse_2_normal_2_normal_2 = steepness_inverse_2_normal_2 * normal_2;
    const real steepness_inverse_2_normal_1 = steepness_inverse_2 * normal_1;
    const real steepness_inverse_2_normal_1_normal_1 = steepness_inverse_2_normal_1 * normal_1;
    const real steepness_inverse_2_normal_1_normal_2 = steepness_inverse_2_normal_1 * normal_2;
    const real t_5 = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_1_normal_1;
    const real t_17 = steepness_inverse_2_normal_1_normal_1 + steepness_inverse_2_normal_2_normal_2;
    const real t_16 = steepness_normal_0_normal_0_inverse_2 + steepness_inverse_2_normal_2_normal_2;
    const real t_18 = steepness_inverse_2_normal_2_normal_2 + t_5;
    const real isotropic_post_part_1 = fma_rn(k[5], t_18, d[2]);
    const real p_xx_post = fma_rn(-k[6], t_17, -d[6]);
    m[4] = p_xx_post;
    const real p_yy_post = fma_rn(-k[6], t_16, -d[7]);
    m[7] = p_yy_post;
    const real steepness_normal_0_inverse_2_normal_1 = steepness_normal_0_inverse_2 * normal_1;
    const real p_xy_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_1, d[8]);
    m[5] = p_xy_post;
    const real steepness_normal_0_inverse_2_normal_2 = steepness_normal_0_inverse_2 * normal_2;
    const real with_normal_0_red_delta_rho = normal_0_red_delta_rho * d[9];
    m[11] = with_normal_0_red_delta_rho;
    const real by_normal_1 = k[7] * d[10];
    const real with_normal_1 = normal_1 * by_normal_1;
    m[12] = with_normal_1;
    const real by_normal_2 = k[7] * d[10];
    const real with_normal_2 = normal_2 * by_normal_2;
    m[13] = with_normal_2;
    const real p_zz_post = fma_rn(-k[6], t_5, -d[12]);
    m[9] = p_zz_post;
    const real isotropic_post = fma_rn(1.5f, d[13], isotropic_post_part_1);
    m[0] = isotropic_post;
    const real p_xz_post = fma_rn(k[6], steepness_normal_0_inverse_2_normal_2, d[14]);
    m[6] = p_xz_post;
    const real p_yz_post = fma_rn(k[6], steepness_inverse_2_normal_1_normal_2, d[15]);
    m[8] = p_yz_post;
    m[1] = d[5];
    m[2] = d[1];
    m[3] = d[11];
    m[10] = d[3];
}

// The populations that leave a node, from its moments.
__device__ __forceinline__ void rebuild_all(const real (&m)[14], real (&post)[38]) {
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
    const real share_post_2 = m[10];
    const real flux_x_post_2 = m[11];
    const real flux_y_post_2 = m[12];
    const real flux_z_post_2 = m[13];
    const real post_0 = 0.33333334f * isotropic_post;
    post[0] = post_0;
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_1 = fma_rn(0.16666667f, j_x_post, even_0);
    post[1] = post_1;
    const real post_2 = fma_rn(-0.16666667f, j_x_post, even_0);
    post[2] = post_2;
    const real t_3 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_3;
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
    const real t_5 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_5, even_3_part_1);
    const real t_11 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_11;
    const real post_7 = even_3 + odd_3;
    post[7] = post_7;
    const real post_8 = even_3 - odd_3;
    post[8] = post_8;
    const real t_6 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_6, even_4_part_1);
    const real t_13 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_13;
    const real post_9 = even_4 + odd_4;
    post[9] = post_9;
    const real post_10 = even_4 - odd_4;
    post[10] = post_10;
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_6, even_5_part_1);
    const real t_14 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_14;
    const real post_11 = even_5 + odd_5;
    post[11] = post_11;
    const real post_12 = even_5 - odd_5;
    post[12] = post_12;
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_5, even_6_part_1);
    const real t_12 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_12;
    const real post_13 = even_6 + odd_6;
    post[13] = post_13;
    const real post_14 = even_6 - odd_6;
    post[14] = post_14;
    const real t_7 = fma_rn(0.22222222f, t_3, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_7, even_7_part_1);
    const real t_15 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_15;
    const real post_15 = even_7 + odd_7;
    post[15] = post_15;
    const real post_16 = even_7 - odd_7;
    post[16] = post_16;
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_7, even_8_part_1);
    const real t_16 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_16;
    const real post_17 = even_8 + odd_8;
    post[17] = post_17;
    const real post_18 = even_8 - odd_8;
    post[18] = post_18;
    const real isotropic_post_share_post_2 = isotropic_post * share_post_2;
    const real isotropic_post_2 = isotropic_post_share_post_2 + share_post_2;
    const real post_19 = 0.33333334f * isotropic_post_2;
    post[19] = post_19;
    const real p_xx_post_2 = p_xx_post * share_post_2;
    const real t_2 = fma_rn(4.5f, p_xx_post_2, isotropic_post_2);
    const real even_9 = 0.055555556f * t_2;
    const real j_x_post_share_post_2 = j_x_post * share_post_2;
    const real j_x_post_2 = j_x_post_share_post_2 + flux_x_post_2;
    const real post_20 = fma_rn(0.16666667f, j_x_post_2, even_9);
    post[20] = post_20;
    const real post_21 = fma_rn(-0.16666667f, j_x_post_2, even_9);
    post[21] = post_21;
    const real p_yy_post_2 = p_yy_post * share_post_2;
    const real t_4 = fma_rn(4.5f, p_yy_post_2, isotropic_post_2);
    const real even_10 = 0.055555556f * t_4;
    const real j_y_post_share_post_2 = j_y_post * share_post_2;
    const real j_y_post_2 = j_y_post_share_post_2 + flux_y_post_2;
    const real post_22 = fma_rn(0.16666667f, j_y_post_2, even_10);
    post[22] = post_22;
    const real post_23 = fma_rn(-0.16666667f, j_y_post_2, even_10);
    post[23] = post_23;
    const real p_zz_post_2 = p_zz_post * share_post_2;
    const real even_11_part_1 = 0.055555556f * isotropic_post_2;
    const real even_11 = fma_rn(0.25f, p_zz_post_2, even_11_part_1);
    const real j_z_post_share_post_2 = j_z_post * share_post_2;
    const real j_z_post_2 = j_z_post_share_post_2 + flux_z_post_2;
    const real post_24 = fma_rn(0.16666667f, j_z_post_2, even_11);
    post[24] = post_24;
    const real post_25 = fma_rn(-0.16666667f, j_z_post_2, even_11);
    post[25] = post_25;
    const real p_xy_post_2 = p_xy_post * share_post_2;
    const real t_8 = fma_rn(0.22222222f, t_2, p_yy_post_2);
    const real even_12_part_1 = 0.25f * p_xy_post_2;
    const real even_12 = fma_rn(0.125f, t_8, even_12_part_1);
    const real t_17 = j_x_post_2 + j_y_post_2;
    const real odd_12 = 0.083333336f * t_17;
    const real post_26 = even_12 + odd_12;
    post[26] = post_26;
    const real post_27 = even_12 - odd_12;
    post[27] = post_27;
    const real p_xz_post_2 = p_xz_post * share_post_2;
    const real t_9 = fma_rn(0.22222222f, t_2, p_zz_post_2);
    const real even_13_part_1 = 0.25f * p_xz_post_2;
    const real even_13 = fma_rn(0.125f, t_9, even_13_part_1);
    const real t_19 = j_x_post_2 + j_z_post_2;
    const real odd_13 = 0.083333336f * t_19;
    const real post_28 = even_13 + odd_13;
    post[28] = post_28;
    const real post_29 = even_13 - odd_13;
    post[29] = post_29;
    const real even_14_part_1 = -0.25f * p_xz_post_2;
    const real even_14 = fma_rn(0.125f, t_9, even_14_part_1);
    const real t_20 = j_x_post_2 - j_z_post_2;
    const real odd_14 = 0.083333336f * t_20;
    const real post_30 = even_14 + odd_14;
    post[30] = post_30;
    const real post_31 = even_14 - odd_14;
    post[31] = post_31;
    const real even_15_part_1 = -0.25f * p_xy_post_2;
    const real even_15 = fma_rn(0.125f, t_8, even_15_part_1);
    const real t_18 = j_x_post_2 - j_y_post_2;
    const real odd_15 = 0.083333336f * t_18;
    const real post_32 = even_15 + odd_15;
    post[32] = post_32;
    const real post_33 = even_15 - odd_15;
    post[33] = post_33;
    const real p_yz_post_2 = p_yz_post * share_post_2;
    const real t_10 = fma_rn(0.22222222f, t_4, p_zz_post_2);
    const real even_16_part_1 = 0.25f * p_yz_post_2;
    const real even_16 = fma_rn(0.125f, t_10, even_16_part_1);
    const real t_21 = j_y_post_2 + j_z_post_2;
    const real odd_16 = 0.083333336f * t_21;
    const real post_34 = even_16 + odd_16;
    post[34] = post_34;
    const real post_35 = even_16 - odd_16;
    post[35] = post_35;
    const real even_17_part_1 = -0.25f * p_yz_post_2;
    const real even_17 = fma_rn(0.125f, t_10, even_17_part_1);
    const real t_22 = j_y_post_2 - j_z_post_2;
    const real odd_17 = 0.083333336f * t_22;
    const real post_36 = even_17 + odd_17;
    post[36] = post_36;
    const real post_37 = even_17 - odd_17;
    post[37] = post_37;
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

// A time step: each block marches along z through its part of the box, and fields that neighbours read follow on the way.
// Threads at its sides only serve the others.
extern "C" __global__ void __launch_bounds__(384) step_on_the_way_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const unsigned* __restrict__ parts
) {
    const unsigned* const part = parts + 8u * blockIdx.x;
    const unsigned x = (part[0] + threadIdx.x) % 64u;
    const unsigned y = (part[3] + threadIdx.y) % 32u;
    const bool stores = threadIdx.x - part[1] < part[2] && threadIdx.y - part[4] < part[5];
    const unsigned begin = part[6], end = part[7];
    extern __shared__ __align__(8) real exchange[];
    // What waits for what comes down.
    real waiting[18] = {}, rising[10] = {}, waiting_derived[18] = {};
    const unsigned me = 33u + threadIdx.x + 32u * threadIdx.y;
    __shared__ unsigned long long meetings[2];
    if (threadIdx.x == 0u && threadIdx.y == 0u) {
        open_meeting(&meetings[0], 12u);
        open_meeting(&meetings[1], 12u);
    }
    __syncthreads();
    // The first plane of what is exchanged later is nobody's.
    say_sent(&meetings[1]);
    real* const own_fields = exchange + 15426u + me;
    real* const own_held = exchange + 17094u + me;
    // A row of the block is a warp. Those that store nothing need not collide.
    const bool collides = threadIdx.y - part[4] < part[5];
    real next[14];
    {
        const unsigned first = (begin + 0u + 6u) % 8u;
        const size_t node_next = x + 64u * (y + 32u * first);
        next[0] = decode(source[node_next / 32u * 448u + node_next % 32u]);
        next[1] = decode(source[32u + node_next / 32u * 448u + node_next % 32u]);
        next[2] = decode(source[64u + node_next / 32u * 448u + node_next % 32u]);
        next[3] = decode(source[96u + node_next / 32u * 448u + node_next % 32u]);
        next[4] = decode(source[128u + node_next / 32u * 448u + node_next % 32u]);
        next[5] = decode(source[160u + node_next / 32u * 448u + node_next % 32u]);
        next[6] = decode(source[192u + node_next / 32u * 448u + node_next % 32u]);
        next[7] = decode(source[224u + node_next / 32u * 448u + node_next % 32u]);
        next[8] = decode(source[256u + node_next / 32u * 448u + node_next % 32u]);
        next[9] = decode(source[288u + node_next / 32u * 448u + node_next % 32u]);
        next[10] = decode(source[320u + node_next / 32u * 448u + node_next % 32u]);
        next[11] = decode(source[352u + node_next / 32u * 448u + node_next % 32u]);
        next[12] = decode(source[384u + node_next / 32u * 448u + node_next % 32u]);
        next[13] = decode(source[416u + node_next / 32u * 448u + node_next % 32u]);
    }
#pragma unroll 2
    for (unsigned number = 0; number < end - begin + 5u; ++number) {
        // Two halves in turn: nobody writes what others still read.
        real* const at = exchange + (number & 1u) * 7713u + me;
        real* const at_next = exchange + (~number & 1u) * 7713u + me;
        real h[38];
        {
            real leaving[38];
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
            at[3840] = leaving[22];
            at[4224] = leaving[23];
            at[4608] = leaving[26];
            at[4992] = leaving[27];
            at[5376] = leaving[32];
            at[5760] = leaving[33];
            at[6144] = leaving[34];
            at[6528] = leaving[35];
            at[6912] = leaving[36];
            at[7296] = leaving[37];
            say_sent(&meetings[0]);
            h[0] = leaving[0];
            h[1] = __shfl_up_sync(0xffffffffu, leaving[1], 1);
            h[2] = __shfl_down_sync(0xffffffffu, leaving[2], 1);
            h[5] = leaving[5];
            h[6] = leaving[6];
            h[9] = __shfl_up_sync(0xffffffffu, leaving[9], 1);
            h[10] = __shfl_down_sync(0xffffffffu, leaving[10], 1);
            h[11] = __shfl_up_sync(0xffffffffu, leaving[11], 1);
            h[12] = __shfl_down_sync(0xffffffffu, leaving[12], 1);
            h[19] = leaving[19];
            h[20] = __shfl_up_sync(0xffffffffu, leaving[20], 1);
            h[21] = __shfl_down_sync(0xffffffffu, leaving[21], 1);
            h[24] = leaving[24];
            h[25] = leaving[25];
            h[28] = __shfl_up_sync(0xffffffffu, leaving[28], 1);
            h[29] = __shfl_down_sync(0xffffffffu, leaving[29], 1);
            h[30] = __shfl_up_sync(0xffffffffu, leaving[30], 1);
            h[31] = __shfl_down_sync(0xffffffffu, leaving[31], 1);
        }
        {
            // Read now what the next plane begins with.
            const unsigned following = (begin + number + 1u + 6u) % 8u;
            const size_t node_next = x + 64u * (y + 32u * following);
            next[0] = decode(source[node_next / 32u * 448u + node_next % 32u]);
            next[1] = decode(source[32u + node_next / 32u * 448u + node_next % 32u]);
            next[2] = decode(source[64u + node_next / 32u * 448u + node_next % 32u]);
            next[3] = decode(source[96u + node_next / 32u * 448u + node_next % 32u]);
            next[4] = decode(source[128u + node_next / 32u * 448u + node_next % 32u]);
            next[5] = decode(source[160u + node_next / 32u * 448u + node_next % 32u]);
            next[6] = decode(source[192u + node_next / 32u * 448u + node_next % 32u]);
            next[7] = decode(source[224u + node_next / 32u * 448u + node_next % 32u]);
            next[8] = decode(source[256u + node_next / 32u * 448u + node_next % 32u]);
            next[9] = decode(source[288u + node_next / 32u * 448u + node_next % 32u]);
            next[10] = decode(source[320u + node_next / 32u * 448u + node_next % 32u]);
            next[11] = decode(source[352u + node_next / 32u * 448u + node_next % 32u]);
            next[12] = decode(source[384u + node_next / 32u * 448u + node_next % 32u]);
            next[13] = decode(source[416u + node_next / 32u * 448u + node_next % 32u]);
        }
        wait_for_all(&meetings[1], number, 12u);
        const real* const around_0 = own_fields + (number + 1u & 3u) * 417u;
        const real* const around_1 = own_fields + (number + 2u & 3u) * 417u;
        const real* const around_2 = own_fields + (number + 3u & 3u) * 417u;
        if (collides) {
            // Fields of three planes are known: that in the middle collides.
            real near[26], derived[3];
            real field[4], after[14];
            near[0] = around_0[-33];
            near[1] = around_0[-32];
            near[2] = around_0[-31];
            near[3] = around_0[-1];
            near[4] = around_0[0];
            near[5] = around_0[1];
            near[6] = around_0[31];
            near[7] = around_0[32];
            near[8] = around_0[33];
            near[9] = around_1[-33];
            near[10] = around_1[-32];
            near[11] = around_1[-31];
            near[12] = around_1[-1];
            near[13] = around_1[1];
            near[14] = around_1[31];
            near[15] = around_1[32];
            near[16] = around_1[33];
            near[17] = around_2[-33];
            near[18] = around_2[-32];
            near[19] = around_2[-31];
            near[20] = around_2[-1];
            near[21] = around_2[0];
            near[22] = around_2[1];
            near[23] = around_2[31];
            near[24] = around_2[32];
            near[25] = around_2[33];
            near_1(near, uniforms.k, derived);
            field[0] = around_1[0];
            field[1] = derived[0];
            field[2] = derived[1];
            field[3] = derived[2];
            real held_below[16];
            held_below[0] = own_held[(number & 1u) * 6144u + 0u];
            held_below[1] = own_held[(number & 1u) * 6144u + 384u];
            held_below[2] = own_held[(number & 1u) * 6144u + 768u];
            held_below[3] = own_held[(number & 1u) * 6144u + 1152u];
            held_below[4] = own_held[(number & 1u) * 6144u + 1536u];
            held_below[5] = own_held[(number & 1u) * 6144u + 1920u];
            held_below[6] = own_held[(number & 1u) * 6144u + 2304u];
            held_below[7] = own_held[(number & 1u) * 6144u + 2688u];
            held_below[8] = own_held[(number & 1u) * 6144u + 3072u];
            held_below[9] = own_held[(number & 1u) * 6144u + 3456u];
            held_below[10] = own_held[(number & 1u) * 6144u + 3840u];
            held_below[11] = own_held[(number & 1u) * 6144u + 4224u];
            held_below[12] = own_held[(number & 1u) * 6144u + 4608u];
            held_below[13] = own_held[(number & 1u) * 6144u + 4992u];
            held_below[14] = own_held[(number & 1u) * 6144u + 5376u];
            held_below[15] = own_held[(number & 1u) * 6144u + 5760u];
            with_fields(held_below, uniforms.k, field, after);
            if (stores && number >= 5u) {
                const unsigned z = begin + number - 5u;
                const size_t node = x + 64u * (y + 32u * z);
                target[node / 32u * 448u + node % 32u] = encode(after[0]);
                target[32u + node / 32u * 448u + node % 32u] = encode(after[1]);
                target[64u + node / 32u * 448u + node % 32u] = encode(after[2]);
                target[96u + node / 32u * 448u + node % 32u] = encode(after[3]);
                target[128u + node / 32u * 448u + node % 32u] = encode(after[4]);
                target[160u + node / 32u * 448u + node % 32u] = encode(after[5]);
                target[192u + node / 32u * 448u + node % 32u] = encode(after[6]);
                target[224u + node / 32u * 448u + node % 32u] = encode(after[7]);
                target[256u + node / 32u * 448u + node % 32u] = encode(after[8]);
                target[288u + node / 32u * 448u + node % 32u] = encode(after[9]);
                target[320u + node / 32u * 448u + node % 32u] = encode(after[10]);
                target[352u + node / 32u * 448u + node % 32u] = encode(after[11]);
                target[384u + node / 32u * 448u + node % 32u] = encode(after[12]);
                target[416u + node / 32u * 448u + node % 32u] = encode(after[13]);
            }
        }
        wait_for_all(&meetings[0], number, 12u);
        h[3] = at[-32];
        h[4] = at[416];
        h[7] = at[735];
        h[8] = at[1185];
        h[13] = at[1567];
        h[14] = at[1889];
        h[15] = at[2272];
        h[16] = at[2720];
        h[17] = at[3040];
        h[18] = at[3488];
        h[22] = at[3808];
        h[23] = at[4256];
        h[26] = at[4575];
        h[27] = at[5025];
        h[32] = at[5407];
        h[33] = at[5729];
        h[34] = at[6112];
        h[35] = at[6560];
        h[36] = at[6880];
        h[37] = at[7328];
        real derived[1];
        {
            real field[4] = {};
            late_derived(waiting_derived, h, uniforms.k, field, derived);
        }
        own_fields[(number & 3u) * 417u + 0u] = derived[0];
            say_sent(&meetings[1]);
        // What is known of it without fields around it.
        {
            real held[16];
            before_fields(waiting, h, uniforms.k, held);
            own_held[(number & 1u) * 6144u + 0u] = held[0];
            own_held[(number & 1u) * 6144u + 384u] = held[1];
            own_held[(number & 1u) * 6144u + 768u] = held[2];
            own_held[(number & 1u) * 6144u + 1152u] = held[3];
            own_held[(number & 1u) * 6144u + 1536u] = held[4];
            own_held[(number & 1u) * 6144u + 1920u] = held[5];
            own_held[(number & 1u) * 6144u + 2304u] = held[6];
            own_held[(number & 1u) * 6144u + 2688u] = held[7];
            own_held[(number & 1u) * 6144u + 3072u] = held[8];
            own_held[(number & 1u) * 6144u + 3456u] = held[9];
            own_held[(number & 1u) * 6144u + 3840u] = held[10];
            own_held[(number & 1u) * 6144u + 4224u] = held[11];
            own_held[(number & 1u) * 6144u + 4608u] = held[12];
            own_held[(number & 1u) * 6144u + 4992u] = held[13];
            own_held[(number & 1u) * 6144u + 5376u] = held[14];
            own_held[(number & 1u) * 6144u + 5760u] = held[15];
        }
        { const real up = h[5]; h[5] = rising[0]; rising[0] = up; }
        { const real up = h[9]; h[9] = rising[1]; rising[1] = up; }
        { const real up = h[12]; h[12] = rising[2]; rising[2] = up; }
        { const real up = h[15]; h[15] = rising[3]; rising[3] = up; }
        { const real up = h[18]; h[18] = rising[4]; rising[4] = up; }
        { const real up = h[24]; h[24] = rising[5]; rising[5] = up; }
        { const real up = h[28]; h[28] = rising[6]; rising[6] = up; }
        { const real up = h[31]; h[31] = rising[7]; rising[7] = up; }
        { const real up = h[34]; h[34] = rising[8]; rising[8] = up; }
        { const real up = h[37]; h[37] = rising[9]; rising[9] = up; }
        early(h, waiting);
        early_derived(h, waiting_derived);
    }
}

// What neighbours may read of each node: each thread marches along z through one of 2 parts of the box, a node wide.
extern "C" __global__ void __launch_bounds__(256) derive_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    real* const node_fields
) {
    const unsigned x = 32u * blockIdx.x + threadIdx.x;
    const unsigned y = 8u * blockIdx.y + threadIdx.y;
    const unsigned begin = (size_t)8u * blockIdx.z / 2u, end = (size_t)8u * (blockIdx.z + 1u) / 2u;
    const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
    const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
    const unsigned ym1 = y < 1u ? y + 31u : y - 1u;
    const unsigned yp1 = y < 31u ? y + 1u : y - 31u;
    // What waits: sums for the plane below, and populations on their way up, for the plane at hand.
    real waiting[18] = {}, rising[10] = {};
#pragma unroll 1
    for (unsigned number = 0; number < end - begin + 2u; ++number) {
        // From the plane below the first one to that above the last.
        const unsigned above = begin + number;
        const unsigned z = above == 0u ? 8u - 1u : above > 8u ? 0u : above - 1u;
        real h[38];
        const size_t node_0 = xm1 + 64u * (ym1 + 32u * z);
        real m_0[14];
        m_0[0] = decode(source[node_0 / 32u * 448u + node_0 % 32u]);
        m_0[1] = decode(source[32u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[2] = decode(source[64u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[4] = decode(source[128u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[5] = decode(source[160u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[7] = decode(source[224u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[10] = decode(source[320u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[11] = decode(source[352u + node_0 / 32u * 448u + node_0 % 32u]);
        m_0[12] = decode(source[384u + node_0 / 32u * 448u + node_0 % 32u]);
        const size_t node_1 = xm1 + 64u * (y + 32u * z);
        real m_1[14];
        m_1[0] = decode(source[node_1 / 32u * 448u + node_1 % 32u]);
        m_1[1] = decode(source[32u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[3] = decode(source[96u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[4] = decode(source[128u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[6] = decode(source[192u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[9] = decode(source[288u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[10] = decode(source[320u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[11] = decode(source[352u + node_1 / 32u * 448u + node_1 % 32u]);
        m_1[13] = decode(source[416u + node_1 / 32u * 448u + node_1 % 32u]);
        const size_t node_2 = xm1 + 64u * (yp1 + 32u * z);
        real m_2[14];
        m_2[0] = decode(source[node_2 / 32u * 448u + node_2 % 32u]);
        m_2[1] = decode(source[32u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[2] = decode(source[64u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[4] = decode(source[128u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[5] = decode(source[160u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[7] = decode(source[224u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[10] = decode(source[320u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[11] = decode(source[352u + node_2 / 32u * 448u + node_2 % 32u]);
        m_2[12] = decode(source[384u + node_2 / 32u * 448u + node_2 % 32u]);
        const size_t node_3 = x + 64u * (ym1 + 32u * z);
        real m_3[14];
        m_3[0] = decode(source[node_3 / 32u * 448u + node_3 % 32u]);
        m_3[2] = decode(source[64u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[3] = decode(source[96u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[7] = decode(source[224u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[8] = decode(source[256u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[9] = decode(source[288u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[10] = decode(source[320u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[12] = decode(source[384u + node_3 / 32u * 448u + node_3 % 32u]);
        m_3[13] = decode(source[416u + node_3 / 32u * 448u + node_3 % 32u]);
        const size_t node_4 = x + 64u * (y + 32u * z);
        real m_4[14];
        m_4[0] = decode(source[node_4 / 32u * 448u + node_4 % 32u]);
        m_4[3] = decode(source[96u + node_4 / 32u * 448u + node_4 % 32u]);
        m_4[9] = decode(source[288u + node_4 / 32u * 448u + node_4 % 32u]);
        m_4[10] = decode(source[320u + node_4 / 32u * 448u + node_4 % 32u]);
        m_4[13] = decode(source[416u + node_4 / 32u * 448u + node_4 % 32u]);
        const size_t node_5 = x + 64u * (yp1 + 32u * z);
        real m_5[14];
        m_5[0] = decode(source[node_5 / 32u * 448u + node_5 % 32u]);
        m_5[2] = decode(source[64u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[3] = decode(source[96u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[7] = decode(source[224u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[8] = decode(source[256u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[9] = decode(source[288u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[10] = decode(source[320u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[12] = decode(source[384u + node_5 / 32u * 448u + node_5 % 32u]);
        m_5[13] = decode(source[416u + node_5 / 32u * 448u + node_5 % 32u]);
        const size_t node_6 = xp1 + 64u * (ym1 + 32u * z);
        real m_6[14];
        m_6[0] = decode(source[node_6 / 32u * 448u + node_6 % 32u]);
        m_6[1] = decode(source[32u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[2] = decode(source[64u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[4] = decode(source[128u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[5] = decode(source[160u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[7] = decode(source[224u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[10] = decode(source[320u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[11] = decode(source[352u + node_6 / 32u * 448u + node_6 % 32u]);
        m_6[12] = decode(source[384u + node_6 / 32u * 448u + node_6 % 32u]);
        const size_t node_7 = xp1 + 64u * (y + 32u * z);
        real m_7[14];
        m_7[0] = decode(source[node_7 / 32u * 448u + node_7 % 32u]);
        m_7[1] = decode(source[32u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[3] = decode(source[96u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[4] = decode(source[128u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[6] = decode(source[192u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[9] = decode(source[288u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[10] = decode(source[320u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[11] = decode(source[352u + node_7 / 32u * 448u + node_7 % 32u]);
        m_7[13] = decode(source[416u + node_7 / 32u * 448u + node_7 % 32u]);
        const size_t node_8 = xp1 + 64u * (yp1 + 32u * z);
        real m_8[14];
        m_8[0] = decode(source[node_8 / 32u * 448u + node_8 % 32u]);
        m_8[1] = decode(source[32u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[2] = decode(source[64u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[4] = decode(source[128u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[5] = decode(source[160u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[7] = decode(source[224u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[10] = decode(source[320u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[11] = decode(source[352u + node_8 / 32u * 448u + node_8 % 32u]);
        m_8[12] = decode(source[384u + node_8 / 32u * 448u + node_8 % 32u]);
        h[7] = rebuild_7(m_0);
        h[26] = rebuild_26(m_0);
        h[1] = rebuild_1(m_1);
        h[9] = rebuild_9(m_1);
        h[11] = rebuild_11(m_1);
        h[20] = rebuild_20(m_1);
        h[28] = rebuild_28(m_1);
        h[30] = rebuild_30(m_1);
        h[13] = rebuild_13(m_2);
        h[32] = rebuild_32(m_2);
        h[3] = rebuild_3(m_3);
        h[15] = rebuild_15(m_3);
        h[17] = rebuild_17(m_3);
        h[22] = rebuild_22(m_3);
        h[34] = rebuild_34(m_3);
        h[36] = rebuild_36(m_3);
        h[0] = rebuild_0(m_4);
        h[5] = rebuild_5(m_4);
        h[6] = rebuild_6(m_4);
        h[19] = rebuild_19(m_4);
        h[24] = rebuild_24(m_4);
        h[25] = rebuild_25(m_4);
        h[4] = rebuild_4(m_5);
        h[16] = rebuild_16(m_5);
        h[18] = rebuild_18(m_5);
        h[23] = rebuild_23(m_5);
        h[35] = rebuild_35(m_5);
        h[37] = rebuild_37(m_5);
        h[14] = rebuild_14(m_6);
        h[33] = rebuild_33(m_6);
        h[2] = rebuild_2(m_7);
        h[10] = rebuild_10(m_7);
        h[12] = rebuild_12(m_7);
        h[21] = rebuild_21(m_7);
        h[29] = rebuild_29(m_7);
        h[31] = rebuild_31(m_7);
        h[8] = rebuild_8(m_8);
        h[27] = rebuild_27(m_8);
        if (number >= 2u) {
            // The plane below is complete.
            const unsigned z = above - 2u;
            real derived[1];
    // What the collision reads of its node.
    real field[4];
            late_derived(waiting, h, uniforms.k, field, derived);
    // What neighbours may read.
    node_fields[1u + x + 66u * (1u + y + 34u * (1u + z)) + 0u + 0u * (size_t)(22440u)] = derived[0];
        }
        // What came up meets what stays; what goes up waits in its place.
        { const real up = h[5]; h[5] = rising[0]; rising[0] = up; }
        { const real up = h[9]; h[9] = rising[1]; rising[1] = up; }
        { const real up = h[12]; h[12] = rising[2]; rising[2] = up; }
        { const real up = h[15]; h[15] = rising[3]; rising[3] = up; }
        { const real up = h[18]; h[18] = rising[4]; rising[4] = up; }
        { const real up = h[24]; h[24] = rising[5]; rising[5] = up; }
        { const real up = h[28]; h[28] = rising[6]; rising[6] = up; }
        { const real up = h[31]; h[31] = rising[7]; rising[7] = up; }
        { const real up = h[34]; h[34] = rising[8]; rising[8] = up; }
        { const real up = h[37]; h[37] = rising[9]; rising[9] = up; }
        early_derived(h, waiting);
    }
}

// What fields are around the fluid, a place each thread: a mean of nodes, of which walls have so many times, and so much more.
extern "C" __global__ void __launch_bounds__(128, 1) surround_0_0(
    real* const node_fields,
    const Uniforms uniforms,
    const unsigned around_count,
    const unsigned first_wall,
    const unsigned* __restrict__ around_places,
    const unsigned* __restrict__ around_starts,
    const unsigned* __restrict__ around_sources,
    const real* __restrict__ around_weights
) {
    const unsigned number = 128u * blockIdx.x + threadIdx.x;
    if (number >= around_count) return;
    const unsigned begin = around_starts[number], end = around_starts[number + 1];
    {
        real* const values = node_fields + 0u * (size_t)(22440u);
        real value = 0;
        for (unsigned n = begin; n < end; ++n) {
            value = fma_rn(around_weights[n], values[around_sources[n]], value);
        }
        if (number >= first_wall) value = fma_rn(uniforms.k[8], value, uniforms.k[9]);
        values[around_places[number]] = value;
    }
}
