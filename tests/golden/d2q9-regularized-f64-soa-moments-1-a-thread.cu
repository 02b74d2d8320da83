using real = double;
__device__ __forceinline__ real fma_rn(const real a, const real b, const real c) { return __fma_rn(a, b, c); }
__device__ __forceinline__ real div_rn(const real a, const real b) { return __ddiv_rn(a, b); }
__device__ __forceinline__ real rcp_rn(const real a) { return __drcp_rn(a); }
__device__ __forceinline__ real sqrt_rn(const real a) { return __dsqrt_rn(a); }
__device__ __forceinline__ real smaller(const real a, const real b) { return a < b ? a : b; }
__device__ __forceinline__ real larger(const real a, const real b) { return a > b ? a : b; }
using stored = real;
__device__ __forceinline__ real decode(const stored x) { return x; }
__device__ __forceinline__ stored encode(const real x) { return x; }

// The population of each direction that leaves a node, from its moments.
__device__ __forceinline__ real rebuild_0(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real post_0 = 0.4444444444444444 * isotropic_post;
    population = post_0;
    return population;
}
__device__ __forceinline__ real rebuild_1(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[3];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real even_0 = 0.1111111111111111 * t_1;
    const real post_1 = fma_rn(0.3333333333333333, j_x_post, even_0);
    population = post_1;
    return population;
}
__device__ __forceinline__ real rebuild_2(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[3];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real even_0 = 0.1111111111111111 * t_1;
    const real post_2 = fma_rn(-0.3333333333333333, j_x_post, even_0);
    population = post_2;
    return population;
}
__device__ __forceinline__ real rebuild_3(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[5];
    const real even_1_part_1 = 0.1111111111111111 * isotropic_post;
    const real even_1 = fma_rn(0.5, p_yy_post, even_1_part_1);
    const real post_3 = fma_rn(0.3333333333333333, j_y_post, even_1);
    population = post_3;
    return population;
}
__device__ __forceinline__ real rebuild_4(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[5];
    const real even_1_part_1 = 0.1111111111111111 * isotropic_post;
    const real even_1 = fma_rn(0.5, p_yy_post, even_1_part_1);
    const real post_4 = fma_rn(-0.3333333333333333, j_y_post, even_1);
    population = post_4;
    return population;
}
__device__ __forceinline__ real rebuild_5(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[3];
    const real p_xy_post = m[4];
    const real p_yy_post = m[5];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real t_2 = fma_rn(0.2222222222222222, t_1, p_yy_post);
    const real t_3 = j_x_post + j_y_post;
    const real odd_2 = 0.08333333333333333 * t_3;
    const real even_2_part_1 = 0.25 * p_xy_post;
    const real even_2 = fma_rn(0.125, t_2, even_2_part_1);
    const real post_5 = even_2 + odd_2;
    population = post_5;
    return population;
}
__device__ __forceinline__ real rebuild_6(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[3];
    const real p_xy_post = m[4];
    const real p_yy_post = m[5];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real t_2 = fma_rn(0.2222222222222222, t_1, p_yy_post);
    const real t_3 = j_x_post + j_y_post;
    const real odd_2 = 0.08333333333333333 * t_3;
    const real even_2_part_1 = 0.25 * p_xy_post;
    const real even_2 = fma_rn(0.125, t_2, even_2_part_1);
    const real post_6 = even_2 - odd_2;
    population = post_6;
    return population;
}
__device__ __forceinline__ real rebuild_7(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[3];
    const real p_xy_post = m[4];
    const real p_yy_post = m[5];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real t_2 = fma_rn(0.2222222222222222, t_1, p_yy_post);
    const real t_4 = j_x_post - j_y_post;
    const real odd_3 = 0.08333333333333333 * t_4;
    const real even_3_part_1 = -0.25 * p_xy_post;
    const real even_3 = fma_rn(0.125, t_2, even_3_part_1);
    const real post_7 = even_3 + odd_3;
    population = post_7;
    return population;
}
__device__ __forceinline__ real rebuild_8(const real (&m)[6]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[3];
    const real p_xy_post = m[4];
    const real p_yy_post = m[5];
    const real t_1 = fma_rn(4.5, p_xx_post, isotropic_post);
    const real t_2 = fma_rn(0.2222222222222222, t_1, p_yy_post);
    const real t_4 = j_x_post - j_y_post;
    const real odd_3 = 0.08333333333333333 * t_4;
    const real even_3_part_1 = -0.25 * p_xy_post;
    const real even_3 = fma_rn(0.125, t_2, even_3_part_1);
    const real post_8 = even_3 - odd_3;
    population = post_8;
    return population;
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[2]; };

// The collision of one node, to the moments that carry it.
__device__ __forceinline__ void gather(const real (&h)[9], const real (&k)[2], real (&m)[6]) {
    // k[0] = 3/2 - 3/2 omega
    // k[1] = 1 - omega
    const real t_1 = h[1] + h[5];
    const real waiting_xy = h[5] - h[8];
    const real t_2 = h[2] + h[8];
    const real waiting_x = t_1 - t_2;
    const real t_3 = t_1 + t_2;
    const real waiting_y_part_1 = h[3] + h[5];
    const real waiting_y = waiting_y_part_1 + h[8];
    const real waiting_0_part_1 = h[0] + h[3];
    const real waiting_0 = waiting_0_part_1 + t_3;
    const real t_1_late = h[6] + h[7];
    const real t_3_late = h[6] - h[7];
    const real t_2_late = h[4] + t_1_late;
    const real pi_neq_0_0_part_1 = t_3 + t_1_late;
    const real delta_rho = waiting_0 + t_2_late;
    const real j_x = waiting_x - t_3_late;
    m[1] = j_x;
    const real pi_neq_0_1_part_1 = waiting_xy + t_3_late;
    const real rho = 1.0 + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.3333333333333333, delta_rho, pi_neq_0_0_part_2);
    const real p_xx_post = fma_rn(k[1], pi_neq_0_0, flux_xx);
    m[3] = p_xx_post;
    const real j_y = waiting_y - t_2_late;
    m[2] = j_y;
    const real pi_neq_1_1_part_1 = waiting_y + t_2_late;
    const real u_y = inverse_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real flux_xy = j_x * u_y;
    const real t_4 = flux_xx + flux_yy;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.3333333333333333, delta_rho, pi_neq_1_1_part_2);
    const real isotropic_post_part_1 = fma_rn(-1.5, t_4, delta_rho);
    const real p_yy_post = fma_rn(k[1], pi_neq_1_1, flux_yy);
    m[5] = p_yy_post;
    const real t_5 = pi_neq_0_0 + pi_neq_1_1;
    const real isotropic_post = fma_rn(-k[0], t_5, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real pi_neq_0_1 = pi_neq_0_1_part_1 - flux_xy;
    const real p_xy_post = fma_rn(k[1], pi_neq_0_1, flux_xy);
    m[4] = p_xy_post;
}

// A time step, a node each thread. Nodes whose bit of `skip` is set are left to `boundary_0`.
extern "C" __global__ void __launch_bounds__(128) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip
) {
    const unsigned x_thread = 32u * blockIdx.x + threadIdx.x;
    const unsigned x = x_thread <= 32u ? x_thread : 32u;
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = 0u;
    if (x != x_thread) return;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 32u : x - 1u;
    const unsigned xp1 = x < 32u ? x + 1u : x - 32u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const size_t node_xm1_ym1 = xm1 + 33u * (ym1 + 16u * z);
    const size_t node_xm1 = xm1 + 33u * (y + 16u * z);
    const size_t node_xm1_yp1 = xm1 + 33u * (yp1 + 16u * z);
    const size_t node_ym1 = x + 33u * (ym1 + 16u * z);
    const size_t node = x + 33u * (y + 16u * z);
    const size_t node_yp1 = x + 33u * (yp1 + 16u * z);
    const size_t node_xp1_ym1 = xp1 + 33u * (ym1 + 16u * z);
    const size_t node_xp1 = xp1 + 33u * (y + 16u * z);
    const size_t node_xp1_yp1 = xp1 + 33u * (yp1 + 16u * z);
    const size_t pack = x + 33u * (y + (size_t)16u * z);
    if (skip[pack >> 5] >> (pack & 31u) & 1u) return;
    real h[9], after[6];
    // Populations that meet here.
    { real m[6]; m[0] = decode(source[node]); h[0] = rebuild_0(m); }
    { real m[6]; m[0] = decode(source[node_xm1]); m[1] = decode(source[544u + node_xm1]); m[3] = decode(source[1632u + node_xm1]); h[1] = rebuild_1(m); }
    { real m[6]; m[0] = decode(source[node_xp1]); m[1] = decode(source[544u + node_xp1]); m[3] = decode(source[1632u + node_xp1]); h[2] = rebuild_2(m); }
    { real m[6]; m[0] = decode(source[node_ym1]); m[2] = decode(source[1088u + node_ym1]); m[5] = decode(source[2720u + node_ym1]); h[3] = rebuild_3(m); }
    { real m[6]; m[0] = decode(source[node_yp1]); m[2] = decode(source[1088u + node_yp1]); m[5] = decode(source[2720u + node_yp1]); h[4] = rebuild_4(m); }
    { real m[6]; m[0] = decode(source[node_xm1_ym1]); m[1] = decode(source[544u + node_xm1_ym1]); m[2] = decode(source[1088u + node_xm1_ym1]); m[3] = decode(source[1632u + node_xm1_ym1]); m[4] = decode(source[2176u + node_xm1_ym1]); m[5] = decode(source[2720u + node_xm1_ym1]); h[5] = rebuild_5(m); }
    { real m[6]; m[0] = decode(source[node_xp1_yp1]); m[1] = decode(source[544u + node_xp1_yp1]); m[2] = decode(source[1088u + node_xp1_yp1]); m[3] = decode(source[1632u + node_xp1_yp1]); m[4] = decode(source[2176u + node_xp1_yp1]); m[5] = decode(source[2720u + node_xp1_yp1]); h[6] = rebuild_6(m); }
    { real m[6]; m[0] = decode(source[node_xm1_yp1]); m[1] = decode(source[544u + node_xm1_yp1]); m[2] = decode(source[1088u + node_xm1_yp1]); m[3] = decode(source[1632u + node_xm1_yp1]); m[4] = decode(source[2176u + node_xm1_yp1]); m[5] = decode(source[2720u + node_xm1_yp1]); h[7] = rebuild_7(m); }
    { real m[6]; m[0] = decode(source[node_xp1_ym1]); m[1] = decode(source[544u + node_xp1_ym1]); m[2] = decode(source[1088u + node_xp1_ym1]); m[3] = decode(source[1632u + node_xp1_ym1]); m[4] = decode(source[2176u + node_xp1_ym1]); m[5] = decode(source[2720u + node_xp1_ym1]); h[8] = rebuild_8(m); }
    gather(h, uniforms.k, after);
    // Moments that stay.
    target[node] = encode(after[0]);
    target[544u + node] = encode(after[1]);
    target[1088u + node] = encode(after[2]);
    target[1632u + node] = encode(after[3]);
    target[2176u + node] = encode(after[4]);
    target[2720u + node] = encode(after[5]);
}

// The same for `count` nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose
// number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.
extern "C" __global__ void __launch_bounds__(128, 1) boundary_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
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
    const unsigned x = index % 33u, y = index / 33u % 16u, z = index / 33u / 16u;
    const unsigned lost = missing[number];
    unsigned link = links[number];
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 32u : x - 1u;
    const unsigned xp1 = x < 32u ? x + 1u : x - 32u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const size_t node_xm1_ym1 = xm1 + 33u * (ym1 + 16u * z);
    const size_t node_xm1 = xm1 + 33u * (y + 16u * z);
    const size_t node_xm1_yp1 = xm1 + 33u * (yp1 + 16u * z);
    const size_t node_ym1 = x + 33u * (ym1 + 16u * z);
    const size_t node = x + 33u * (y + 16u * z);
    const size_t node_yp1 = x + 33u * (yp1 + 16u * z);
    const size_t node_xp1_ym1 = xp1 + 33u * (ym1 + 16u * z);
    const size_t node_xp1 = xp1 + 33u * (y + 16u * z);
    const size_t node_xp1_yp1 = xp1 + 33u * (yp1 + 16u * z);
    real h[9], after[6];
    // Populations that meet here, or come back.
    { real m[6]; m[0] = decode(source[node]); h[0] = rebuild_0(m); }
    if (lost >> 1 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[3] = decode(source[1632u + node]); h[1] = rebuild_2(m);
        h[1] = h[1] + terms[9u * walls[link++] + 1u];
    } else { real m[6]; m[0] = decode(source[node_xm1]); m[1] = decode(source[544u + node_xm1]); m[3] = decode(source[1632u + node_xm1]); h[1] = rebuild_1(m); }
    if (lost >> 2 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[3] = decode(source[1632u + node]); h[2] = rebuild_1(m);
        h[2] = h[2] + terms[9u * walls[link++] + 2u];
    } else { real m[6]; m[0] = decode(source[node_xp1]); m[1] = decode(source[544u + node_xp1]); m[3] = decode(source[1632u + node_xp1]); h[2] = rebuild_2(m); }
    if (lost >> 3 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[2] = decode(source[1088u + node]); m[5] = decode(source[2720u + node]); h[3] = rebuild_4(m);
        h[3] = h[3] + terms[9u * walls[link++] + 3u];
    } else { real m[6]; m[0] = decode(source[node_ym1]); m[2] = decode(source[1088u + node_ym1]); m[5] = decode(source[2720u + node_ym1]); h[3] = rebuild_3(m); }
    if (lost >> 4 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[2] = decode(source[1088u + node]); m[5] = decode(source[2720u + node]); h[4] = rebuild_3(m);
        h[4] = h[4] + terms[9u * walls[link++] + 4u];
    } else { real m[6]; m[0] = decode(source[node_yp1]); m[2] = decode(source[1088u + node_yp1]); m[5] = decode(source[2720u + node_yp1]); h[4] = rebuild_4(m); }
    if (lost >> 5 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[2] = decode(source[1088u + node]); m[3] = decode(source[1632u + node]); m[4] = decode(source[2176u + node]); m[5] = decode(source[2720u + node]); h[5] = rebuild_6(m);
        h[5] = h[5] + terms[9u * walls[link++] + 5u];
    } else { real m[6]; m[0] = decode(source[node_xm1_ym1]); m[1] = decode(source[544u + node_xm1_ym1]); m[2] = decode(source[1088u + node_xm1_ym1]); m[3] = decode(source[1632u + node_xm1_ym1]); m[4] = decode(source[2176u + node_xm1_ym1]); m[5] = decode(source[2720u + node_xm1_ym1]); h[5] = rebuild_5(m); }
    if (lost >> 6 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[2] = decode(source[1088u + node]); m[3] = decode(source[1632u + node]); m[4] = decode(source[2176u + node]); m[5] = decode(source[2720u + node]); h[6] = rebuild_5(m);
        h[6] = h[6] + terms[9u * walls[link++] + 6u];
    } else { real m[6]; m[0] = decode(source[node_xp1_yp1]); m[1] = decode(source[544u + node_xp1_yp1]); m[2] = decode(source[1088u + node_xp1_yp1]); m[3] = decode(source[1632u + node_xp1_yp1]); m[4] = decode(source[2176u + node_xp1_yp1]); m[5] = decode(source[2720u + node_xp1_yp1]); h[6] = rebuild_6(m); }
    if (lost >> 7 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[2] = decode(source[1088u + node]); m[3] = decode(source[1632u + node]); m[4] = decode(source[2176u + node]); m[5] = decode(source[2720u + node]); h[7] = rebuild_8(m);
        h[7] = h[7] + terms[9u * walls[link++] + 7u];
    } else { real m[6]; m[0] = decode(source[node_xm1_yp1]); m[1] = decode(source[544u + node_xm1_yp1]); m[2] = decode(source[1088u + node_xm1_yp1]); m[3] = decode(source[1632u + node_xm1_yp1]); m[4] = decode(source[2176u + node_xm1_yp1]); m[5] = decode(source[2720u + node_xm1_yp1]); h[7] = rebuild_7(m); }
    if (lost >> 8 & 1u) {
        real m[6]; m[0] = decode(source[node]); m[1] = decode(source[544u + node]); m[2] = decode(source[1088u + node]); m[3] = decode(source[1632u + node]); m[4] = decode(source[2176u + node]); m[5] = decode(source[2720u + node]); h[8] = rebuild_7(m);
        h[8] = h[8] + terms[9u * walls[link++] + 8u];
    } else { real m[6]; m[0] = decode(source[node_xp1_ym1]); m[1] = decode(source[544u + node_xp1_ym1]); m[2] = decode(source[1088u + node_xp1_ym1]); m[3] = decode(source[1632u + node_xp1_ym1]); m[4] = decode(source[2176u + node_xp1_ym1]); m[5] = decode(source[2720u + node_xp1_ym1]); h[8] = rebuild_8(m); }
    gather(h, uniforms.k, after);
    // Moments that stay.
    target[node] = encode(after[0]);
    target[544u + node] = encode(after[1]);
    target[1088u + node] = encode(after[2]);
    target[1632u + node] = encode(after[3]);
    target[2176u + node] = encode(after[4]);
    target[2720u + node] = encode(after[5]);
}
