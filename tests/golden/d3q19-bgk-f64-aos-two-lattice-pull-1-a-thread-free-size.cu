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
    const real rho = 1.0 + delta_rho;
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
    const real t_1 = fma_rn(-1.5, flux_trace, delta_rho);
    const real post_0_part_1 = k[0] * h[0];
    const real post_0 = fma_rn(k[1], t_1, post_0_part_1);
    post[0] = post_0;
    const real t_2 = fma_rn(0.2222222222222222, t_1, flux_xx);
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
    const real t_6 = fma_rn(4.5, t_3, t_1);
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

// A time step, a node each thread.
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
    const unsigned x_thread = 32u * blockIdx.x + threadIdx.x;
    const unsigned x = x_thread <= nx - 1u ? x_thread : nx - 1u;
    const unsigned y_thread = 4u * blockIdx.y + threadIdx.y;
    const unsigned y = y_thread <= ny - 1u ? y_thread : ny - 1u;
    const unsigned z_thread = blockIdx.z;
    const unsigned z = z_thread <= nz - 1u ? z_thread : nz - 1u;
    if (x != x_thread || y != y_thread || z != z_thread) return;
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
    // Populations that meet here.
    real h[19], post[19];
    const size_t index = x + nx * (y + ny * z);
    h[0] = decode(source[node * 19u]);
    h[1] = decode(source[1u + node_xm1 * 19u]);
    h[2] = decode(source[2u + node_xp1 * 19u]);
    h[3] = decode(source[3u + node_ym1 * 19u]);
    h[4] = decode(source[4u + node_yp1 * 19u]);
    h[5] = decode(source[5u + node_zm1 * 19u]);
    h[6] = decode(source[6u + node_zp1 * 19u]);
    h[7] = decode(source[7u + node_xm1_ym1 * 19u]);
    h[8] = decode(source[8u + node_xp1_yp1 * 19u]);
    h[9] = decode(source[9u + node_xm1_zm1 * 19u]);
    h[10] = decode(source[10u + node_xp1_zp1 * 19u]);
    h[11] = decode(source[11u + node_xm1_zp1 * 19u]);
    h[12] = decode(source[12u + node_xp1_zm1 * 19u]);
    h[13] = decode(source[13u + node_xm1_yp1 * 19u]);
    h[14] = decode(source[14u + node_xp1_ym1 * 19u]);
    h[15] = decode(source[15u + node_ym1_zm1 * 19u]);
    h[16] = decode(source[16u + node_yp1_zp1 * 19u]);
    h[17] = decode(source[17u + node_ym1_zp1 * 19u]);
    h[18] = decode(source[18u + node_yp1_zm1 * 19u]);
    // What comes back from walls is what these nodes sent there.
    const unsigned special = skip[index >> 5] >> (index & 31u) & 1u;
    unsigned solid = 0u;
    if (special != 0u) {
        const unsigned word = linked[index >> 5], before = ranks[index >> 5];
        const unsigned with_links = special & word >> (index & 31u);
        const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));
        solid = special & ~with_links;
        unsigned lost[1] = {}, link[1] = {};
        if (with_links >> 0 & 1u) lost[0] = missing[number], link[0] = links[number];
        if (lost[0] >> 1 & 1u) h[1] = decode(source[2u + node * 19u]);
        if (lost[0] >> 2 & 1u) h[2] = decode(source[1u + node * 19u]);
        if (lost[0] >> 3 & 1u) h[3] = decode(source[4u + node * 19u]);
        if (lost[0] >> 4 & 1u) h[4] = decode(source[3u + node * 19u]);
        if (lost[0] >> 5 & 1u) h[5] = decode(source[6u + node * 19u]);
        if (lost[0] >> 6 & 1u) h[6] = decode(source[5u + node * 19u]);
        if (lost[0] >> 7 & 1u) h[7] = decode(source[8u + node * 19u]);
        if (lost[0] >> 8 & 1u) h[8] = decode(source[7u + node * 19u]);
        if (lost[0] >> 9 & 1u) h[9] = decode(source[10u + node * 19u]);
        if (lost[0] >> 10 & 1u) h[10] = decode(source[9u + node * 19u]);
        if (lost[0] >> 11 & 1u) h[11] = decode(source[12u + node * 19u]);
        if (lost[0] >> 12 & 1u) h[12] = decode(source[11u + node * 19u]);
        if (lost[0] >> 13 & 1u) h[13] = decode(source[14u + node * 19u]);
        if (lost[0] >> 14 & 1u) h[14] = decode(source[13u + node * 19u]);
        if (lost[0] >> 15 & 1u) h[15] = decode(source[16u + node * 19u]);
        if (lost[0] >> 16 & 1u) h[16] = decode(source[15u + node * 19u]);
        if (lost[0] >> 17 & 1u) h[17] = decode(source[18u + node * 19u]);
        if (lost[0] >> 18 & 1u) h[18] = decode(source[17u + node * 19u]);
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
    target[node * 19u] = encode(post[0]);
    target[1u + node * 19u] = encode(post[1]);
    target[2u + node * 19u] = encode(post[2]);
    target[3u + node * 19u] = encode(post[3]);
    target[4u + node * 19u] = encode(post[4]);
    target[5u + node * 19u] = encode(post[5]);
    target[6u + node * 19u] = encode(post[6]);
    target[7u + node * 19u] = encode(post[7]);
    target[8u + node * 19u] = encode(post[8]);
    target[9u + node * 19u] = encode(post[9]);
    target[10u + node * 19u] = encode(post[10]);
    target[11u + node * 19u] = encode(post[11]);
    target[12u + node * 19u] = encode(post[12]);
    target[13u + node * 19u] = encode(post[13]);
    target[14u + node * 19u] = encode(post[14]);
    target[15u + node * 19u] = encode(post[15]);
    target[16u + node * 19u] = encode(post[16]);
    target[17u + node * 19u] = encode(post[17]);
    target[18u + node * 19u] = encode(post[18]);
}
