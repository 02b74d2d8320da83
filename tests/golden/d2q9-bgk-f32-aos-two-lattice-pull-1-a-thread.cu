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
__device__ __forceinline__ void collide(const real (&h)[9], const real (&k)[8], real (&post)[9]) {
    // k[0] = 1 - omega
    // k[1] = 4/9 omega
    // k[2] = 1/2 omega
    // k[3] = 1/9 omega
    // k[4] = 1/3 omega
    // k[5] = 1/4 omega
    // k[6] = 1/8 omega
    // k[7] = 1/12 omega
    const real t_3 = h[1] + h[5];
    const real t_4 = h[2] + h[6];
    const real t_5 = h[3] + h[8];
    const real t_6 = h[4] + h[7];
    const real delta_rho_part_1 = h[0] + t_3;
    const real delta_rho_part_2 = delta_rho_part_1 + t_4;
    const real delta_rho_part_3 = delta_rho_part_2 + t_5;
    const real delta_rho = delta_rho_part_3 + t_6;
    const real j_x_part_1 = h[7] + t_3;
    const real j_x_part_2 = j_x_part_1 - h[8];
    const real j_x = j_x_part_2 - t_4;
    const real rho = 1.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real j_y_part_1 = h[5] + t_5;
    const real j_y_part_2 = j_y_part_1 - h[6];
    const real j_y = j_y_part_2 - t_6;
    const real u_y = j_y * inverse_rho;
    const real flux_yy = j_y * u_y;
    const real flux_trace = flux_xx + flux_yy;
    const real t_1 = fma_rn(-1.5f, flux_trace, delta_rho);
    const real post_0_part_1 = k[0] * h[0];
    const real post_0 = fma_rn(k[1], t_1, post_0_part_1);
    post[0] = post_0;
    const real even_0_part_1 = k[2] * flux_xx;
    const real even_0 = fma_rn(k[3], t_1, even_0_part_1);
    const real post_1_part_1 = fma_rn(k[0], h[1], even_0);
    const real post_1 = fma_rn(k[4], j_x, post_1_part_1);
    post[1] = post_1;
    const real post_2_part_1 = fma_rn(k[0], h[2], even_0);
    const real post_2 = fma_rn(-k[4], j_x, post_2_part_1);
    post[2] = post_2;
    const real even_1_part_1 = k[2] * flux_yy;
    const real even_1 = fma_rn(k[3], t_1, even_1_part_1);
    const real post_3_part_1 = fma_rn(k[0], h[3], even_1);
    const real post_3 = fma_rn(k[4], j_y, post_3_part_1);
    post[3] = post_3;
    const real post_4_part_1 = fma_rn(k[0], h[4], even_1);
    const real post_4 = fma_rn(-k[4], j_y, post_4_part_1);
    post[4] = post_4;
    const real flux_xy = j_x * u_y;
    const real t_2 = fma_rn(0.22222222f, t_1, flux_trace);
    const real even_2_part_1 = k[5] * flux_xy;
    const real even_2 = fma_rn(k[6], t_2, even_2_part_1);
    const real t_7 = j_x + j_y;
    const real odd_2 = k[7] * t_7;
    const real post_5_part_1 = even_2 + odd_2;
    const real post_5 = fma_rn(k[0], h[5], post_5_part_1);
    post[5] = post_5;
    const real post_6_part_1 = even_2 - odd_2;
    const real post_6 = fma_rn(k[0], h[6], post_6_part_1);
    post[6] = post_6;
    const real even_3_part_1 = -k[5] * flux_xy;
    const real even_3 = fma_rn(k[6], t_2, even_3_part_1);
    const real t_8 = j_x - j_y;
    const real odd_3 = k[7] * t_8;
    const real post_7_part_1 = even_3 + odd_3;
    const real post_7 = fma_rn(k[0], h[7], post_7_part_1);
    post[7] = post_7;
    const real post_8_part_1 = even_3 - odd_3;
    const real post_8 = fma_rn(k[0], h[8], post_8_part_1);
    post[8] = post_8;
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
    const unsigned x = 32u * blockIdx.x + threadIdx.x;
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = 0u;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
    const unsigned xp1 = x < 63u ? x + 1u : x - 63u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const size_t node_xm1_ym1 = xm1 + 64u * (ym1 + 16u * z);
    const size_t node_xm1 = xm1 + 64u * (y + 16u * z);
    const size_t node_xm1_yp1 = xm1 + 64u * (yp1 + 16u * z);
    const size_t node_ym1 = x + 64u * (ym1 + 16u * z);
    const size_t node = x + 64u * (y + 16u * z);
    const size_t node_yp1 = x + 64u * (yp1 + 16u * z);
    const size_t node_xp1_ym1 = xp1 + 64u * (ym1 + 16u * z);
    const size_t node_xp1 = xp1 + 64u * (y + 16u * z);
    const size_t node_xp1_yp1 = xp1 + 64u * (yp1 + 16u * z);
    // Populations that meet here.
    real h[9], post[9];
    const size_t index = x + 64u * (y + 16u * z);
    const bool at_west = x == 0u;
    const bool at_east = x + 1u == 64u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 16u;
    const bool at_bottom = z == 0u;
    const bool at_top = z + 1u == 1u;
    h[0] = decode(source[node * 9u]);
    h[1] = decode(*(at_west ? &source[2u + node * 9u] : &source[1u + node_xm1 * 9u]));
    h[2] = decode(*(at_east ? &source[1u + node * 9u] : &source[2u + node_xp1 * 9u]));
    h[3] = decode(*(at_south ? &source[4u + node * 9u] : &source[3u + node_ym1 * 9u]));
    h[4] = decode(*(at_north ? &source[3u + node * 9u] : &source[4u + node_yp1 * 9u]));
    h[5] = decode(*(at_south ? &source[6u + node * 9u] : at_west ? &source[6u + node * 9u] : &source[5u + node_xm1_ym1 * 9u]));
    h[6] = decode(*(at_north ? &source[5u + node * 9u] : at_east ? &source[5u + node * 9u] : &source[6u + node_xp1_yp1 * 9u]));
    h[7] = decode(*(at_north ? &source[8u + node * 9u] : at_west ? &source[8u + node * 9u] : &source[7u + node_xm1_yp1 * 9u]));
    h[8] = decode(*(at_south ? &source[7u + node * 9u] : at_east ? &source[7u + node * 9u] : &source[8u + node_xp1_ym1 * 9u]));
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
        if (lost[0] >> 1 & 1u) h[1] = decode(source[2u + node * 9u]);
        if (lost[0] >> 2 & 1u) h[2] = decode(source[1u + node * 9u]);
        if (lost[0] >> 3 & 1u) h[3] = decode(source[4u + node * 9u]);
        if (lost[0] >> 4 & 1u) h[4] = decode(source[3u + node * 9u]);
        if (lost[0] >> 5 & 1u) h[5] = decode(source[6u + node * 9u]);
        if (lost[0] >> 6 & 1u) h[6] = decode(source[5u + node * 9u]);
        if (lost[0] >> 7 & 1u) h[7] = decode(source[8u + node * 9u]);
        if (lost[0] >> 8 & 1u) h[8] = decode(source[7u + node * 9u]);
        if (lost[0] >> 1 & 1u) h[1] = h[1] + terms[9u * walls[link[0] + __popc(lost[0] & 1u)] + 1u];
        if (lost[0] >> 2 & 1u) h[2] = h[2] + terms[9u * walls[link[0] + __popc(lost[0] & 3u)] + 2u];
        if (lost[0] >> 3 & 1u) h[3] = h[3] + terms[9u * walls[link[0] + __popc(lost[0] & 7u)] + 3u];
        if (lost[0] >> 4 & 1u) h[4] = h[4] + terms[9u * walls[link[0] + __popc(lost[0] & 15u)] + 4u];
        if (lost[0] >> 5 & 1u) h[5] = h[5] + terms[9u * walls[link[0] + __popc(lost[0] & 31u)] + 5u];
        if (lost[0] >> 6 & 1u) h[6] = h[6] + terms[9u * walls[link[0] + __popc(lost[0] & 63u)] + 6u];
        if (lost[0] >> 7 & 1u) h[7] = h[7] + terms[9u * walls[link[0] + __popc(lost[0] & 127u)] + 7u];
        if (lost[0] >> 8 & 1u) h[8] = h[8] + terms[9u * walls[link[0] + __popc(lost[0] & 255u)] + 8u];
    }
    collide(h, uniforms.k, post);
    if (solid == 1u) return;
    // Populations that leave.
    target[node * 9u] = encode(post[0]);
    target[1u + node * 9u] = encode(post[1]);
    target[2u + node * 9u] = encode(post[2]);
    target[3u + node * 9u] = encode(post[3]);
    target[4u + node * 9u] = encode(post[4]);
    target[5u + node * 9u] = encode(post[5]);
    target[6u + node * 9u] = encode(post[6]);
    target[7u + node * 9u] = encode(post[7]);
    target[8u + node * 9u] = encode(post[8]);
}
