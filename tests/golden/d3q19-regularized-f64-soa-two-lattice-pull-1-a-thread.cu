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

// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[2]; };

// The collision of one node.
__device__ __forceinline__ void collide(const real (&h)[19], const real (&k)[2], real (&post)[19]) {
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
    const real pi_neq_1_2_part_1 = waiting_yz + t_6_late;
    const real pi_neq_1_1_part_1 = waiting_yy + t_2_late;
    const real t_1_late = h[10] + h[11];
    const real t_5_late = h[10] - h[11];
    const real t_3_late = h[6] + t_1_late;
    const real t_4_late = t_2_late + t_3_late;
    const real pi_neq_0_0_part_1 = t_12 + t_1_late;
    const real delta_rho = waiting_0 + t_4_late;
    const real j_x = waiting_x - t_5_late;
    const real pi_neq_0_2_part_1 = waiting_xz + t_5_late;
    const real rho = 1.0 + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.3333333333333333, delta_rho, pi_neq_0_0_part_2);
    const real p_xx_post = fma_rn(k[0], pi_neq_0_0, flux_xx);
    const real u_y = inverse_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.3333333333333333, delta_rho, pi_neq_1_1_part_2);
    const real t_9_late = pi_neq_0_0 + pi_neq_1_1;
    const real p_yy_post = fma_rn(k[0], pi_neq_1_1, flux_yy);
    const real t_7_late = flux_xx + flux_yy;
    const real isotropic_post_part_1 = fma_rn(-k[1], t_9_late, delta_rho);
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = waiting_xy - flux_xy;
    const real p_xy_post = fma_rn(k[0], pi_neq_0_1, flux_xy);
    const real j_z = waiting_z - t_4_late;
    const real pi_neq_2_2_part_1 = waiting_z + t_4_late;
    const real u_z = inverse_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.3333333333333333, delta_rho, pi_neq_2_2_part_2);
    const real t_8_late = fma_rn(k[0], pi_neq_2_2, flux_zz);
    const real t_10_late = t_7_late + t_8_late;
    const real isotropic_post = fma_rn(-1.5, t_10_late, isotropic_post_part_1);
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post = fma_rn(k[0], pi_neq_0_2, flux_xz);
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real p_yz_post = fma_rn(k[0], pi_neq_1_2, flux_yz);
    const real post_0 = 0.3333333333333333 * isotropic_post;
    post[0] = post_0;
    const real t_1_post = fma_rn(4.5, p_xx_post, isotropic_post);
    const real even_0 = 0.05555555555555555 * t_1_post;
    const real post_1 = fma_rn(0.16666666666666666, j_x, even_0);
    post[1] = post_1;
    const real post_2 = fma_rn(-0.16666666666666666, j_x, even_0);
    post[2] = post_2;
    const real t_2_post = fma_rn(4.5, p_yy_post, isotropic_post);
    const real even_1 = 0.05555555555555555 * t_2_post;
    const real post_3 = fma_rn(0.16666666666666666, j_y, even_1);
    post[3] = post_3;
    const real post_4 = fma_rn(-0.16666666666666666, j_y, even_1);
    post[4] = post_4;
    const real even_2_part_1 = 0.05555555555555555 * isotropic_post;
    const real even_2 = fma_rn(0.25, t_8_late, even_2_part_1);
    const real post_5 = fma_rn(0.16666666666666666, j_z, even_2);
    post[5] = post_5;
    const real post_6 = fma_rn(-0.16666666666666666, j_z, even_2);
    post[6] = post_6;
    const real t_3_post = fma_rn(0.2222222222222222, t_1_post, p_yy_post);
    const real even_3_part_1 = 0.25 * p_xy_post;
    const real even_3 = fma_rn(0.125, t_3_post, even_3_part_1);
    const real t_6_post = j_x + j_y;
    const real odd_3 = 0.08333333333333333 * t_6_post;
    const real post_7 = even_3 + odd_3;
    post[7] = post_7;
    const real post_8 = even_3 - odd_3;
    post[8] = post_8;
    const real t_4_post = fma_rn(0.2222222222222222, t_1_post, t_8_late);
    const real even_4_part_1 = 0.25 * p_xz_post;
    const real even_4 = fma_rn(0.125, t_4_post, even_4_part_1);
    const real t_8_post = j_x + j_z;
    const real odd_4 = 0.08333333333333333 * t_8_post;
    const real post_9 = even_4 + odd_4;
    post[9] = post_9;
    const real post_10 = even_4 - odd_4;
    post[10] = post_10;
    const real even_5_part_1 = -0.25 * p_xz_post;
    const real even_5 = fma_rn(0.125, t_4_post, even_5_part_1);
    const real t_9_post = j_x - j_z;
    const real odd_5 = 0.08333333333333333 * t_9_post;
    const real post_11 = even_5 + odd_5;
    post[11] = post_11;
    const real post_12 = even_5 - odd_5;
    post[12] = post_12;
    const real even_6_part_1 = -0.25 * p_xy_post;
    const real even_6 = fma_rn(0.125, t_3_post, even_6_part_1);
    const real t_7_post = j_x - j_y;
    const real odd_6 = 0.08333333333333333 * t_7_post;
    const real post_13 = even_6 + odd_6;
    post[13] = post_13;
    const real post_14 = even_6 - odd_6;
    post[14] = post_14;
    const real t_5_post = fma_rn(0.2222222222222222, t_2_post, t_8_late);
    const real even_7_part_1 = 0.25 * p_yz_post;
    const real even_7 = fma_rn(0.125, t_5_post, even_7_part_1);
    const real t_10_post = j_y + j_z;
    const real odd_7 = 0.08333333333333333 * t_10_post;
    const real post_15 = even_7 + odd_7;
    post[15] = post_15;
    const real post_16 = even_7 - odd_7;
    post[16] = post_16;
    const real even_8_part_1 = -0.25 * p_yz_post;
    const real even_8 = fma_rn(0.125, t_5_post, even_8_part_1);
    const real t_11_post = j_y - j_z;
    const real odd_8 = 0.08333333333333333 * t_11_post;
    const real post_17 = even_8 + odd_8;
    post[17] = post_17;
    const real post_18 = even_8 - odd_8;
    post[18] = post_18;
}

// A time step, a node each thread.
extern "C" __global__ void __launch_bounds__(128) step_0(
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
    const unsigned x_thread = 32u * blockIdx.x + threadIdx.x;
    const unsigned x = x_thread <= 32u ? x_thread : 32u;
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    if (x != x_thread) return;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 32u : x - 1u;
    const unsigned xp1 = x < 32u ? x + 1u : x - 32u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const unsigned zm1 = z < 1u ? z + 7u : z - 1u;
    const unsigned zp1 = z < 7u ? z + 1u : z - 7u;
    const size_t node_xm1_ym1 = xm1 + 33u * (ym1 + 16u * z);
    const size_t node_xm1_zm1 = xm1 + 33u * (y + 16u * zm1);
    const size_t node_xm1 = xm1 + 33u * (y + 16u * z);
    const size_t node_xm1_zp1 = xm1 + 33u * (y + 16u * zp1);
    const size_t node_xm1_yp1 = xm1 + 33u * (yp1 + 16u * z);
    const size_t node_ym1_zm1 = x + 33u * (ym1 + 16u * zm1);
    const size_t node_ym1 = x + 33u * (ym1 + 16u * z);
    const size_t node_ym1_zp1 = x + 33u * (ym1 + 16u * zp1);
    const size_t node_zm1 = x + 33u * (y + 16u * zm1);
    const size_t node = x + 33u * (y + 16u * z);
    const size_t node_zp1 = x + 33u * (y + 16u * zp1);
    const size_t node_yp1_zm1 = x + 33u * (yp1 + 16u * zm1);
    const size_t node_yp1 = x + 33u * (yp1 + 16u * z);
    const size_t node_yp1_zp1 = x + 33u * (yp1 + 16u * zp1);
    const size_t node_xp1_ym1 = xp1 + 33u * (ym1 + 16u * z);
    const size_t node_xp1_zm1 = xp1 + 33u * (y + 16u * zm1);
    const size_t node_xp1 = xp1 + 33u * (y + 16u * z);
    const size_t node_xp1_zp1 = xp1 + 33u * (y + 16u * zp1);
    const size_t node_xp1_yp1 = xp1 + 33u * (yp1 + 16u * z);
    // Populations that meet here.
    real h[19], post[19];
    const size_t index = x + 33u * (y + 16u * z);
    const bool at_west = x == 0u;
    const bool at_east = x + 1u == 33u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 16u;
    const bool at_bottom = z == 0u;
    const bool at_top = z + 1u == 8u;
    h[0] = decode(source[node]);
    h[1] = decode(*(at_west ? &source[8448u + node] : &source[4224u + node_xm1]));
    h[2] = decode(*(at_east ? &source[4224u + node] : &source[8448u + node_xp1]));
    h[3] = decode(*(at_south ? &source[16896u + node] : &source[12672u + node_ym1]));
    h[4] = decode(*(at_north ? &source[12672u + node] : &source[16896u + node_yp1]));
    h[5] = decode(*(at_bottom ? &source[25344u + node] : &source[21120u + node_zm1]));
    h[6] = decode(*(at_top ? &source[21120u + node] : &source[25344u + node_zp1]));
    h[7] = decode(*(at_south ? &source[33792u + node] : at_west ? &source[33792u + node] : &source[29568u + node_xm1_ym1]));
    h[8] = decode(*(at_north ? &source[29568u + node] : at_east ? &source[29568u + node] : &source[33792u + node_xp1_yp1]));
    h[9] = decode(*(at_bottom ? &source[42240u + node] : at_west ? &source[42240u + node] : &source[38016u + node_xm1_zm1]));
    h[10] = decode(*(at_top ? &source[38016u + node] : at_east ? &source[38016u + node] : &source[42240u + node_xp1_zp1]));
    h[11] = decode(*(at_top ? &source[50688u + node] : at_west ? &source[50688u + node] : &source[46464u + node_xm1_zp1]));
    h[12] = decode(*(at_bottom ? &source[46464u + node] : at_east ? &source[46464u + node] : &source[50688u + node_xp1_zm1]));
    h[13] = decode(*(at_north ? &source[59136u + node] : at_west ? &source[59136u + node] : &source[54912u + node_xm1_yp1]));
    h[14] = decode(*(at_south ? &source[54912u + node] : at_east ? &source[54912u + node] : &source[59136u + node_xp1_ym1]));
    h[15] = decode(*(at_bottom ? &source[67584u + node] : at_south ? &source[67584u + node] : &source[63360u + node_ym1_zm1]));
    h[16] = decode(*(at_top ? &source[63360u + node] : at_north ? &source[63360u + node] : &source[67584u + node_yp1_zp1]));
    h[17] = decode(*(at_top ? &source[76032u + node] : at_south ? &source[76032u + node] : &source[71808u + node_ym1_zp1]));
    h[18] = decode(*(at_bottom ? &source[71808u + node] : at_north ? &source[71808u + node] : &source[76032u + node_yp1_zm1]));
    // What comes back from walls is what these nodes sent there.
    if (at_top) {
        h[6] = h[6] + terms[101u];
        h[10] = h[10] + terms[105u];
        h[11] = h[11] + terms[106u];
        h[16] = h[16] + terms[111u];
        h[17] = h[17] + terms[112u];
    }
    const unsigned special = skip[index >> 5] >> (index & 31u) & 1u;
    unsigned solid = 0u;
    if (special != 0u) {
        const unsigned word = linked[index >> 5], before = ranks[index >> 5];
        const unsigned with_links = special & word >> (index & 31u);
        const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));
        solid = special & ~with_links;
        unsigned lost[1] = {}, link[1] = {};
        if (with_links >> 0 & 1u) lost[0] = missing[number], link[0] = links[number];
        if (lost[0] >> 1 & 1u) h[1] = decode(source[8448u + node]);
        if (lost[0] >> 2 & 1u) h[2] = decode(source[4224u + node]);
        if (lost[0] >> 3 & 1u) h[3] = decode(source[16896u + node]);
        if (lost[0] >> 4 & 1u) h[4] = decode(source[12672u + node]);
        if (lost[0] >> 5 & 1u) h[5] = decode(source[25344u + node]);
        if (lost[0] >> 6 & 1u) h[6] = decode(source[21120u + node]);
        if (lost[0] >> 7 & 1u) h[7] = decode(source[33792u + node]);
        if (lost[0] >> 8 & 1u) h[8] = decode(source[29568u + node]);
        if (lost[0] >> 9 & 1u) h[9] = decode(source[42240u + node]);
        if (lost[0] >> 10 & 1u) h[10] = decode(source[38016u + node]);
        if (lost[0] >> 11 & 1u) h[11] = decode(source[50688u + node]);
        if (lost[0] >> 12 & 1u) h[12] = decode(source[46464u + node]);
        if (lost[0] >> 13 & 1u) h[13] = decode(source[59136u + node]);
        if (lost[0] >> 14 & 1u) h[14] = decode(source[54912u + node]);
        if (lost[0] >> 15 & 1u) h[15] = decode(source[67584u + node]);
        if (lost[0] >> 16 & 1u) h[16] = decode(source[63360u + node]);
        if (lost[0] >> 17 & 1u) h[17] = decode(source[76032u + node]);
        if (lost[0] >> 18 & 1u) h[18] = decode(source[71808u + node]);
        if (lost[0] >> 1 & 1u) h[1] = h[1] + terms[19u * walls[link[0] + __popc(lost[0] & 1u)] + 1u];
        if (lost[0] >> 2 & 1u) h[2] = h[2] + terms[19u * walls[link[0] + __popc(lost[0] & 3u)] + 2u];
        if (lost[0] >> 3 & 1u) h[3] = h[3] + terms[19u * walls[link[0] + __popc(lost[0] & 7u)] + 3u];
        if (lost[0] >> 4 & 1u) h[4] = h[4] + terms[19u * walls[link[0] + __popc(lost[0] & 15u)] + 4u];
        if (lost[0] >> 5 & 1u) h[5] = h[5] + terms[19u * walls[link[0] + __popc(lost[0] & 31u)] + 5u];
        if (lost[0] >> 6 & 1u) h[6] = h[6] + terms[19u * walls[link[0] + __popc(lost[0] & 63u)] + 6u];
        if (lost[0] >> 7 & 1u) h[7] = h[7] + terms[19u * walls[link[0] + __popc(lost[0] & 127u)] + 7u];
        if (lost[0] >> 8 & 1u) h[8] = h[8] + terms[19u * walls[link[0] + __popc(lost[0] & 255u)] + 8u];
        if (lost[0] >> 9 & 1u) h[9] = h[9] + terms[19u * walls[link[0] + __popc(lost[0] & 511u)] + 9u];
        if (lost[0] >> 10 & 1u) h[10] = h[10] + terms[19u * walls[link[0] + __popc(lost[0] & 1023u)] + 10u];
        if (lost[0] >> 11 & 1u) h[11] = h[11] + terms[19u * walls[link[0] + __popc(lost[0] & 2047u)] + 11u];
        if (lost[0] >> 12 & 1u) h[12] = h[12] + terms[19u * walls[link[0] + __popc(lost[0] & 4095u)] + 12u];
        if (lost[0] >> 13 & 1u) h[13] = h[13] + terms[19u * walls[link[0] + __popc(lost[0] & 8191u)] + 13u];
        if (lost[0] >> 14 & 1u) h[14] = h[14] + terms[19u * walls[link[0] + __popc(lost[0] & 16383u)] + 14u];
        if (lost[0] >> 15 & 1u) h[15] = h[15] + terms[19u * walls[link[0] + __popc(lost[0] & 32767u)] + 15u];
        if (lost[0] >> 16 & 1u) h[16] = h[16] + terms[19u * walls[link[0] + __popc(lost[0] & 65535u)] + 16u];
        if (lost[0] >> 17 & 1u) h[17] = h[17] + terms[19u * walls[link[0] + __popc(lost[0] & 131071u)] + 17u];
        if (lost[0] >> 18 & 1u) h[18] = h[18] + terms[19u * walls[link[0] + __popc(lost[0] & 262143u)] + 18u];
    }
    collide(h, uniforms.k, post);
    if (solid == 1u) return;
    // Populations that leave.
    target[node] = encode(post[0]);
    target[4224u + node] = encode(post[1]);
    target[8448u + node] = encode(post[2]);
    target[12672u + node] = encode(post[3]);
    target[16896u + node] = encode(post[4]);
    target[21120u + node] = encode(post[5]);
    target[25344u + node] = encode(post[6]);
    target[29568u + node] = encode(post[7]);
    target[33792u + node] = encode(post[8]);
    target[38016u + node] = encode(post[9]);
    target[42240u + node] = encode(post[10]);
    target[46464u + node] = encode(post[11]);
    target[50688u + node] = encode(post[12]);
    target[54912u + node] = encode(post[13]);
    target[59136u + node] = encode(post[14]);
    target[63360u + node] = encode(post[15]);
    target[67584u + node] = encode(post[16]);
    target[71808u + node] = encode(post[17]);
    target[76032u + node] = encode(post[18]);
}
