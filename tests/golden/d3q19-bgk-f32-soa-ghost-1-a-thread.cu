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

// Before a step: what enters each block from others, from around the box where it begins there, to the block's ghost values.
extern "C" __global__ void __launch_bounds__(308) refresh_0(
    const stored* __restrict__ populations,
    stored* __restrict__ crossing
) {
    stored* const ghosts = crossing + (size_t)2916u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    if (threadIdx.x < 20u) {
        const unsigned y_within = threadIdx.x % 5u;
        const unsigned y = 5u * blockIdx.y + y_within;
        const unsigned z_within = threadIdx.x / 5u % 4u;
        const unsigned z = 4u * blockIdx.z + z_within;
        stored entering[10];
        {
            const unsigned x = 32u * blockIdx.x;
            // Nodes in memory, with neighbours around the box.
            const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
            const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
            const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
            const unsigned zm1 = z < 1u ? z + 8u : z - 1u;
            const unsigned zp1 = z < 8u ? z + 1u : z - 8u;
            const size_t node_xm1_ym1 = xm1 + 64u * (ym1 + 16u * z);
            const size_t node_xm1_zm1 = xm1 + 64u * (y + 16u * zm1);
            const size_t node_xm1 = xm1 + 64u * (y + 16u * z);
            const size_t node_xm1_zp1 = xm1 + 64u * (y + 16u * zp1);
            const size_t node_xm1_yp1 = xm1 + 64u * (yp1 + 16u * z);
            if (y < 16u && z < 9u) entering[0] = populations[9216u + node_xm1];
            if (y < 16u && z < 9u && y_within != 0u) entering[1] = populations[64512u + node_xm1_ym1];
            if (y < 16u && z < 9u && z_within != 0u) entering[2] = populations[82944u + node_xm1_zm1];
            if (y < 16u && z < 9u && z_within != 3u) entering[3] = populations[101376u + node_xm1_zp1];
            if (y < 16u && z < 9u && y_within != 4u) entering[4] = populations[119808u + node_xm1_yp1];
        }
        {
            const unsigned x = 31u + 32u * blockIdx.x;
            // Nodes in memory, with neighbours around the box.
            const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
            const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
            const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
            const unsigned zm1 = z < 1u ? z + 8u : z - 1u;
            const unsigned zp1 = z < 8u ? z + 1u : z - 8u;
            const size_t node_xp1_ym1 = xp1 + 64u * (ym1 + 16u * z);
            const size_t node_xp1_zm1 = xp1 + 64u * (y + 16u * zm1);
            const size_t node_xp1 = xp1 + 64u * (y + 16u * z);
            const size_t node_xp1_zp1 = xp1 + 64u * (y + 16u * zp1);
            const size_t node_xp1_yp1 = xp1 + 64u * (yp1 + 16u * z);
            if (y < 16u && z < 9u) entering[5] = populations[18432u + node_xp1];
            if (y < 16u && z < 9u && y_within != 4u) entering[6] = populations[73728u + node_xp1_yp1];
            if (y < 16u && z < 9u && z_within != 3u) entering[7] = populations[92160u + node_xp1_zp1];
            if (y < 16u && z < 9u && z_within != 0u) entering[8] = populations[110592u + node_xp1_zm1];
            if (y < 16u && z < 9u && y_within != 0u) entering[9] = populations[129024u + node_xp1_ym1];
        }
        if (y < 16u && z < 9u) ghosts[y_within + z_within * 5u] = entering[0];
        if (y < 16u && z < 9u && y_within != 0u) ghosts[743u + y_within + z_within * 4u] = entering[1];
        if (y < 16u && z < 9u && z_within != 0u) ghosts[1059u + y_within + z_within * 5u] = entering[2];
        if (y < 16u && z < 9u && z_within != 3u) ghosts[1414u + y_within + z_within * 5u] = entering[3];
        if (y < 16u && z < 9u && y_within != 4u) ghosts[1732u + y_within + z_within * 4u] = entering[4];
        if (y < 16u && z < 9u) ghosts[20u + y_within + z_within * 5u] = entering[5];
        if (y < 16u && z < 9u && y_within != 4u) ghosts[888u + y_within + z_within * 4u] = entering[6];
        if (y < 16u && z < 9u && z_within != 3u) ghosts[1239u + y_within + z_within * 5u] = entering[7];
        if (y < 16u && z < 9u && z_within != 0u) ghosts[1584u + y_within + z_within * 5u] = entering[8];
        if (y < 16u && z < 9u && y_within != 0u) ghosts[1875u + y_within + z_within * 4u] = entering[9];
    }
    if (threadIdx.x >= 20u && threadIdx.x < 148u) {
        const unsigned x_within = (threadIdx.x - 20u) % 32u;
        const unsigned x = 32u * blockIdx.x + x_within;
        const unsigned z_within = (threadIdx.x - 20u) / 32u % 4u;
        const unsigned z = 4u * blockIdx.z + z_within;
        stored entering[10];
        {
            const unsigned y = 5u * blockIdx.y;
            // Nodes in memory, with neighbours around the box.
            const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
            const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
            const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
            const unsigned zm1 = z < 1u ? z + 8u : z - 1u;
            const unsigned zp1 = z < 8u ? z + 1u : z - 8u;
            const size_t node_xm1_ym1 = xm1 + 64u * (ym1 + 16u * z);
            const size_t node_ym1_zm1 = x + 64u * (ym1 + 16u * zm1);
            const size_t node_ym1 = x + 64u * (ym1 + 16u * z);
            const size_t node_ym1_zp1 = x + 64u * (ym1 + 16u * zp1);
            const size_t node_xp1_ym1 = xp1 + 64u * (ym1 + 16u * z);
            if (z < 9u) entering[0] = populations[27648u + node_ym1];
            if (z < 9u) entering[1] = populations[64512u + node_xm1_ym1];
            if (z < 9u) entering[2] = populations[129024u + node_xp1_ym1];
            if (z < 9u && z_within != 0u) entering[3] = populations[138240u + node_ym1_zm1];
            if (z < 9u && z_within != 3u) entering[4] = populations[156672u + node_ym1_zp1];
        }
        {
            const unsigned y = 4u + 5u * blockIdx.y < 15u ? 4u + 5u * blockIdx.y : 15u;
            // Nodes in memory, with neighbours around the box.
            const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
            const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
            const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
            const unsigned zm1 = z < 1u ? z + 8u : z - 1u;
            const unsigned zp1 = z < 8u ? z + 1u : z - 8u;
            const size_t node_xm1_yp1 = xm1 + 64u * (yp1 + 16u * z);
            const size_t node_yp1_zm1 = x + 64u * (yp1 + 16u * zm1);
            const size_t node_yp1 = x + 64u * (yp1 + 16u * z);
            const size_t node_yp1_zp1 = x + 64u * (yp1 + 16u * zp1);
            const size_t node_xp1_yp1 = xp1 + 64u * (yp1 + 16u * z);
            if (z < 9u) entering[5] = populations[36864u + node_yp1];
            if (z < 9u) entering[6] = populations[73728u + node_xp1_yp1];
            if (z < 9u) entering[7] = populations[119808u + node_xm1_yp1];
            if (z < 9u && z_within != 3u) entering[8] = populations[147456u + node_yp1_zp1];
            if (z < 9u && z_within != 0u) entering[9] = populations[165888u + node_yp1_zm1];
        }
        if (z < 9u) ghosts[40u + x_within + z_within * 32u] = entering[0];
        if (z < 9u) ghosts[616u + x_within + z_within * 32u] = entering[1];
        if (z < 9u) ghosts[1748u + x_within + z_within * 32u] = entering[2];
        if (z < 9u && z_within != 0u) ghosts[2020u + x_within + z_within * 32u] = entering[3];
        if (z < 9u && z_within != 3u) ghosts[2564u + x_within + z_within * 32u] = entering[4];
        if (z < 9u) ghosts[168u + x_within + z_within * 32u] = entering[5];
        if (z < 9u) ghosts[760u + x_within + z_within * 32u] = entering[6];
        if (z < 9u) ghosts[1604u + x_within + z_within * 32u] = entering[7];
        if (z < 9u && z_within != 3u) ghosts[2308u + x_within + z_within * 32u] = entering[8];
        if (z < 9u && z_within != 0u) ghosts[2788u + x_within + z_within * 32u] = entering[9];
    }
    if (threadIdx.x >= 148u && threadIdx.x < 308u) {
        const unsigned x_within = (threadIdx.x - 148u) % 32u;
        const unsigned x = 32u * blockIdx.x + x_within;
        const unsigned y_within = (threadIdx.x - 148u) / 32u % 5u;
        const unsigned y = 5u * blockIdx.y + y_within;
        stored entering[10];
        {
            const unsigned z = 4u * blockIdx.z;
            // Nodes in memory, with neighbours around the box.
            const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
            const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
            const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
            const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
            const unsigned zm1 = z < 1u ? z + 8u : z - 1u;
            const size_t node_xm1_zm1 = xm1 + 64u * (y + 16u * zm1);
            const size_t node_ym1_zm1 = x + 64u * (ym1 + 16u * zm1);
            const size_t node_zm1 = x + 64u * (y + 16u * zm1);
            const size_t node_yp1_zm1 = x + 64u * (yp1 + 16u * zm1);
            const size_t node_xp1_zm1 = xp1 + 64u * (y + 16u * zm1);
            if (y < 16u) entering[0] = populations[46080u + node_zm1];
            if (y < 16u) entering[1] = populations[82944u + node_xm1_zm1];
            if (y < 16u) entering[2] = populations[110592u + node_xp1_zm1];
            if (y < 16u) entering[3] = populations[138240u + node_ym1_zm1];
            if (y < 16u) entering[4] = populations[165888u + node_yp1_zm1];
        }
        {
            const unsigned z = 3u + 4u * blockIdx.z < 8u ? 3u + 4u * blockIdx.z : 8u;
            // Nodes in memory, with neighbours around the box.
            const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
            const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
            const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
            const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
            const unsigned zp1 = z < 8u ? z + 1u : z - 8u;
            const size_t node_xm1_zp1 = xm1 + 64u * (y + 16u * zp1);
            const size_t node_ym1_zp1 = x + 64u * (ym1 + 16u * zp1);
            const size_t node_zp1 = x + 64u * (y + 16u * zp1);
            const size_t node_yp1_zp1 = x + 64u * (yp1 + 16u * zp1);
            const size_t node_xp1_zp1 = xp1 + 64u * (y + 16u * zp1);
            if (y < 16u) entering[5] = populations[55296u + node_zp1];
            if (y < 16u) entering[6] = populations[92160u + node_xp1_zp1];
            if (y < 16u) entering[7] = populations[101376u + node_xm1_zp1];
            if (y < 16u) entering[8] = populations[147456u + node_yp1_zp1];
            if (y < 16u) entering[9] = populations[156672u + node_ym1_zp1];
        }
        if (y < 16u) ghosts[296u + x_within + y_within * 32u] = entering[0];
        if (y < 16u) ghosts[904u + x_within + y_within * 32u] = entering[1];
        if (y < 16u) ghosts[1429u + x_within + y_within * 32u] = entering[2];
        if (y < 16u) ghosts[1892u + x_within + y_within * 32u] = entering[3];
        if (y < 16u) ghosts[2660u + x_within + y_within * 32u] = entering[4];
        if (y < 16u) ghosts[456u + x_within + y_within * 32u] = entering[5];
        if (y < 16u) ghosts[1079u + x_within + y_within * 32u] = entering[6];
        if (y < 16u) ghosts[1254u + x_within + y_within * 32u] = entering[7];
        if (y < 16u) ghosts[2148u + x_within + y_within * 32u] = entering[8];
        if (y < 16u) ghosts[2404u + x_within + y_within * 32u] = entering[9];
    }
}

// A time step, a node each thread and a block of the box each block of threads. What enters the block is in its ghost values;
// all is read before anything is written.
extern "C" __global__ void __launch_bounds__(640, 1) step_0(
    stored* const populations,
    const Uniforms uniforms,
    const stored* const crossing,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms
) {
    const unsigned x = 32u * blockIdx.x + threadIdx.x;
    const unsigned y_thread = 5u * blockIdx.y + threadIdx.y;
    const unsigned y = y_thread <= 15u ? y_thread : 15u;
    const unsigned z_thread = 4u * blockIdx.z + threadIdx.z;
    const unsigned z = z_thread <= 8u ? z_thread : 8u;
    // Where the node is in its block, and whether that ends beside it.
    const unsigned x_within = threadIdx.x;
    const bool x_first = x_within == 0u, x_last = x_within == 31u;
    const unsigned y_within = y - 5u * blockIdx.y;
    const bool y_first = y_within == 0u, y_last = y_within == 4u || y == 15u;
    const unsigned z_within = z - 4u * blockIdx.z;
    const bool z_first = z_within == 0u, z_last = z_within == 3u || z == 8u;
    const stored* const ghosts = crossing + (size_t)2916u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
    // Nodes in memory; what they are beyond the block nobody asks.
    const unsigned xm1 = x - 1u;
    const unsigned xp1 = x + 1u;
    const unsigned ym1 = y - 1u;
    const unsigned yp1 = y + 1u;
    const unsigned zm1 = z - 1u;
    const unsigned zp1 = z + 1u;
    const size_t node_xm1_ym1 = xm1 + 64u * (ym1 + 16u * z);
    const size_t node_xm1_zm1 = xm1 + 64u * (y + 16u * zm1);
    const size_t node_xm1 = xm1 + 64u * (y + 16u * z);
    const size_t node_xm1_zp1 = xm1 + 64u * (y + 16u * zp1);
    const size_t node_xm1_yp1 = xm1 + 64u * (yp1 + 16u * z);
    const size_t node_ym1_zm1 = x + 64u * (ym1 + 16u * zm1);
    const size_t node_ym1 = x + 64u * (ym1 + 16u * z);
    const size_t node_ym1_zp1 = x + 64u * (ym1 + 16u * zp1);
    const size_t node_zm1 = x + 64u * (y + 16u * zm1);
    const size_t node = x + 64u * (y + 16u * z);
    const size_t node_zp1 = x + 64u * (y + 16u * zp1);
    const size_t node_yp1_zm1 = x + 64u * (yp1 + 16u * zm1);
    const size_t node_yp1 = x + 64u * (yp1 + 16u * z);
    const size_t node_yp1_zp1 = x + 64u * (yp1 + 16u * zp1);
    const size_t node_xp1_ym1 = xp1 + 64u * (ym1 + 16u * z);
    const size_t node_xp1_zm1 = xp1 + 64u * (y + 16u * zm1);
    const size_t node_xp1 = xp1 + 64u * (y + 16u * z);
    const size_t node_xp1_zp1 = xp1 + 64u * (y + 16u * zp1);
    const size_t node_xp1_yp1 = xp1 + 64u * (yp1 + 16u * z);
    // Populations that meet here.
    real h[19], post[19];
    h[0] = decode(populations[node]);
    h[1] = decode(*(x_first ? &ghosts[y_within + z_within * 5u] : &populations[9216u + node_xm1]));
    h[2] = decode(*(x_last ? &ghosts[20u + y_within + z_within * 5u] : &populations[18432u + node_xp1]));
    h[3] = decode(*(y_first ? &ghosts[40u + x_within + z_within * 32u] : &populations[27648u + node_ym1]));
    h[4] = decode(*(y_last ? &ghosts[168u + x_within + z_within * 32u] : &populations[36864u + node_yp1]));
    h[5] = decode(*(z_first ? &ghosts[296u + x_within + y_within * 32u] : &populations[46080u + node_zm1]));
    h[6] = decode(*(z_last ? &ghosts[456u + x_within + y_within * 32u] : &populations[55296u + node_zp1]));
    h[7] = decode(*(y_first ? &ghosts[616u + x_within + z_within * 32u] : x_first ? &ghosts[743u + y_within + z_within * 4u] : &populations[64512u + node_xm1_ym1]));
    h[8] = decode(*(y_last ? &ghosts[760u + x_within + z_within * 32u] : x_last ? &ghosts[888u + y_within + z_within * 4u] : &populations[73728u + node_xp1_yp1]));
    h[9] = decode(*(z_first ? &ghosts[904u + x_within + y_within * 32u] : x_first ? &ghosts[1059u + y_within + z_within * 5u] : &populations[82944u + node_xm1_zm1]));
    h[10] = decode(*(z_last ? &ghosts[1079u + x_within + y_within * 32u] : x_last ? &ghosts[1239u + y_within + z_within * 5u] : &populations[92160u + node_xp1_zp1]));
    h[11] = decode(*(z_last ? &ghosts[1254u + x_within + y_within * 32u] : x_first ? &ghosts[1414u + y_within + z_within * 5u] : &populations[101376u + node_xm1_zp1]));
    h[12] = decode(*(z_first ? &ghosts[1429u + x_within + y_within * 32u] : x_last ? &ghosts[1584u + y_within + z_within * 5u] : &populations[110592u + node_xp1_zm1]));
    h[13] = decode(*(y_last ? &ghosts[1604u + x_within + z_within * 32u] : x_first ? &ghosts[1732u + y_within + z_within * 4u] : &populations[119808u + node_xm1_yp1]));
    h[14] = decode(*(y_first ? &ghosts[1748u + x_within + z_within * 32u] : x_last ? &ghosts[1875u + y_within + z_within * 4u] : &populations[129024u + node_xp1_ym1]));
    h[15] = decode(*(z_first ? &ghosts[1892u + x_within + y_within * 32u] : y_first ? &ghosts[2020u + x_within + z_within * 32u] : &populations[138240u + node_ym1_zm1]));
    h[16] = decode(*(z_last ? &ghosts[2148u + x_within + y_within * 32u] : y_last ? &ghosts[2308u + x_within + z_within * 32u] : &populations[147456u + node_yp1_zp1]));
    h[17] = decode(*(z_last ? &ghosts[2404u + x_within + y_within * 32u] : y_first ? &ghosts[2564u + x_within + z_within * 32u] : &populations[156672u + node_ym1_zp1]));
    h[18] = decode(*(z_first ? &ghosts[2660u + x_within + y_within * 32u] : y_last ? &ghosts[2788u + x_within + z_within * 32u] : &populations[165888u + node_yp1_zm1]));
    // What this node has sent into walls comes back, and a moving wall adds its term.
    const size_t index = x + 64u * (y + (size_t)16u * z);
    const unsigned bit = 1u << (index & 31u);
    const bool at_walls = skip[index >> 5] & bit;
    const bool solid = at_walls && !(linked[index >> 5] & bit);
    if (at_walls && !solid) {
        const unsigned number = number_linked(linked, ranks, index);
        const unsigned lost = missing[number];
        unsigned link = links[number];
        if (lost >> 1 & 1u)
            h[1] = decode(populations[18432u + node]) + terms[19u * walls[link++] + 1u];
        if (lost >> 2 & 1u)
            h[2] = decode(populations[9216u + node]) + terms[19u * walls[link++] + 2u];
        if (lost >> 3 & 1u)
            h[3] = decode(populations[36864u + node]) + terms[19u * walls[link++] + 3u];
        if (lost >> 4 & 1u)
            h[4] = decode(populations[27648u + node]) + terms[19u * walls[link++] + 4u];
        if (lost >> 5 & 1u)
            h[5] = decode(populations[55296u + node]) + terms[19u * walls[link++] + 5u];
        if (lost >> 6 & 1u)
            h[6] = decode(populations[46080u + node]) + terms[19u * walls[link++] + 6u];
        if (lost >> 7 & 1u)
            h[7] = decode(populations[73728u + node]) + terms[19u * walls[link++] + 7u];
        if (lost >> 8 & 1u)
            h[8] = decode(populations[64512u + node]) + terms[19u * walls[link++] + 8u];
        if (lost >> 9 & 1u)
            h[9] = decode(populations[92160u + node]) + terms[19u * walls[link++] + 9u];
        if (lost >> 10 & 1u)
            h[10] = decode(populations[82944u + node]) + terms[19u * walls[link++] + 10u];
        if (lost >> 11 & 1u)
            h[11] = decode(populations[110592u + node]) + terms[19u * walls[link++] + 11u];
        if (lost >> 12 & 1u)
            h[12] = decode(populations[101376u + node]) + terms[19u * walls[link++] + 12u];
        if (lost >> 13 & 1u)
            h[13] = decode(populations[129024u + node]) + terms[19u * walls[link++] + 13u];
        if (lost >> 14 & 1u)
            h[14] = decode(populations[119808u + node]) + terms[19u * walls[link++] + 14u];
        if (lost >> 15 & 1u)
            h[15] = decode(populations[147456u + node]) + terms[19u * walls[link++] + 15u];
        if (lost >> 16 & 1u)
            h[16] = decode(populations[138240u + node]) + terms[19u * walls[link++] + 16u];
        if (lost >> 17 & 1u)
            h[17] = decode(populations[165888u + node]) + terms[19u * walls[link++] + 17u];
        if (lost >> 18 & 1u)
            h[18] = decode(populations[156672u + node]) + terms[19u * walls[link++] + 18u];
    }
    __syncthreads();
    if (y != y_thread || z != z_thread || solid) return;
    collide(h, uniforms.k, post);
    // Populations that leave.
    populations[node] = encode(post[0]);
    populations[9216u + node] = encode(post[1]);
    populations[18432u + node] = encode(post[2]);
    populations[27648u + node] = encode(post[3]);
    populations[36864u + node] = encode(post[4]);
    populations[46080u + node] = encode(post[5]);
    populations[55296u + node] = encode(post[6]);
    populations[64512u + node] = encode(post[7]);
    populations[73728u + node] = encode(post[8]);
    populations[82944u + node] = encode(post[9]);
    populations[92160u + node] = encode(post[10]);
    populations[101376u + node] = encode(post[11]);
    populations[110592u + node] = encode(post[12]);
    populations[119808u + node] = encode(post[13]);
    populations[129024u + node] = encode(post[14]);
    populations[138240u + node] = encode(post[15]);
    populations[147456u + node] = encode(post[16]);
    populations[156672u + node] = encode(post[17]);
    populations[165888u + node] = encode(post[18]);
}
