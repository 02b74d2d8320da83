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

// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[22]; };

// The collision of one node.
__device__ __forceinline__ void collide(const real (&h)[9], const real (&k)[22], real (&post)[9]) {
    // k[0] = 1/2 force_y
    // k[1] = 1/2 force_x
    // k[2] = 4/3 force_x - 2/3 force_x omega
    // k[3] = 4/9 omega
    // k[4] = 1 - omega
    // k[5] = 4/3 force_y - 2/3 force_y omega
    // k[6] = 2/3 force_x - 1/3 force_x omega
    // k[7] = 1/3 force_y - 1/6 force_y omega
    // k[8] = 1/2 omega
    // k[9] = 1/9 omega
    // k[10] = 1/3 force_x - 1/6 force_x omega
    // k[11] = 1/3 omega
    // k[12] = 2/3 force_y - 1/3 force_y omega
    // k[13] = 1/6 force_x - 1/12 force_x omega + 1/4 force_y - 1/8 force_y omega
    // k[14] = 1/4 force_x - 1/8 force_x omega + 1/6 force_y - 1/12 force_y omega
    // k[15] = 1/4 omega
    // k[16] = 1/8 omega
    // k[17] = 1/12 force_x - 1/24 force_x omega + 1/12 force_y - 1/24 force_y omega
    // k[18] = 1/12 omega
    // k[19] = 1/6 force_x - 1/12 force_x omega - 1/4 force_y + 1/8 force_y omega
    // k[20] = 1/4 force_x - 1/8 force_x omega - 1/6 force_y + 1/12 force_y omega
    // k[21] = 1/12 force_x - 1/24 force_x omega - 1/12 force_y + 1/24 force_y omega
    const real j_y_part_1 = k[0] + h[3];
    const real j_y_part_2 = j_y_part_1 + h[5];
    const real j_y_part_3 = j_y_part_2 - h[4];
    const real j_y_part_4 = j_y_part_3 - h[6];
    const real t_3 = h[1] + h[5];
    const real j_x_part_1 = k[1] + t_3;
    const real t_4 = h[2] + h[6];
    const real delta_rho_part_1 = h[0] + h[3];
    const real delta_rho_part_2 = delta_rho_part_1 + h[4];
    const real delta_rho_part_3 = delta_rho_part_2 + h[7];
    const real delta_rho_part_4 = delta_rho_part_3 + h[8];
    const real delta_rho_part_5 = delta_rho_part_4 + t_3;
    const real delta_rho = delta_rho_part_5 + t_4;
    const real t_5 = h[7] - h[8];
    const real j_y = j_y_part_4 - t_5;
    const real j_x_part_2 = j_x_part_1 + t_5;
    const real j_x = j_x_part_2 - t_4;
    const real rho = 1.0 + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_y = j_y * inverse_rho;
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real flux_yy = j_y * u_y;
    const real flux_trace = flux_xx + flux_yy;
    const real t_1 = fma_rn(-1.5, flux_trace, delta_rho);
    const real t_2 = fma_rn(0.2222222222222222, t_1, flux_trace);
    const real t_8_part_1 = k[2] * u_x;
    const real t_8 = fma_rn(-k[3], t_1, t_8_part_1);
    const real post_0_part_1 = fma_rn(k[4], h[0], -t_8);
    const real post_0 = fma_rn(-k[5], u_y, post_0_part_1);
    post[0] = post_0;
    const real even_0_part_1 = k[6] * u_x;
    const real even_0_part_2 = fma_rn(-k[7], u_y, even_0_part_1);
    const real even_0_part_3 = fma_rn(k[8], flux_xx, even_0_part_2);
    const real even_0 = fma_rn(k[9], t_1, even_0_part_3);
    const real odd_0 = fma_rn(k[11], j_x, k[10]);
    const real post_1_part_1 = even_0 + odd_0;
    const real post_1 = fma_rn(k[4], h[1], post_1_part_1);
    post[1] = post_1;
    const real post_2_part_1 = even_0 - odd_0;
    const real post_2 = fma_rn(k[4], h[2], post_2_part_1);
    post[2] = post_2;
    const real even_1_part_1 = k[12] * u_y;
    const real even_1_part_2 = fma_rn(k[8], flux_yy, even_1_part_1);
    const real even_1 = fma_rn(-0.25, t_8, even_1_part_2);
    const real odd_1 = fma_rn(k[11], j_y, k[7]);
    const real post_3_part_1 = even_1 + odd_1;
    const real post_3 = fma_rn(k[4], h[3], post_3_part_1);
    post[3] = post_3;
    const real post_4_part_1 = even_1 - odd_1;
    const real post_4 = fma_rn(k[4], h[4], post_4_part_1);
    post[4] = post_4;
    const real flux_xy = j_x * u_y;
    const real even_2_part_1 = k[13] * u_x;
    const real even_2_part_2 = fma_rn(k[14], u_y, even_2_part_1);
    const real even_2_part_3 = fma_rn(k[15], flux_xy, even_2_part_2);
    const real even_2 = fma_rn(k[16], t_2, even_2_part_3);
    const real even_3_part_1 = k[19] * u_x;
    const real even_3_part_2 = fma_rn(-k[20], u_y, even_3_part_1);
    const real even_3_part_3 = fma_rn(-k[15], flux_xy, even_3_part_2);
    const real even_3 = fma_rn(k[16], t_2, even_3_part_3);
    const real t_7 = j_x + j_y;
    const real t_6 = j_x - j_y;
    const real odd_2 = fma_rn(k[18], t_7, k[17]);
    const real odd_3 = fma_rn(k[18], t_6, k[21]);
    const real post_5_part_1 = even_2 + odd_2;
    const real post_5 = fma_rn(k[4], h[5], post_5_part_1);
    post[5] = post_5;
    const real post_6_part_1 = even_2 - odd_2;
    const real post_6 = fma_rn(k[4], h[6], post_6_part_1);
    post[6] = post_6;
    const real post_7_part_1 = even_3 + odd_3;
    const real post_7 = fma_rn(k[4], h[7], post_7_part_1);
    post[7] = post_7;
    const real post_8_part_1 = even_3 - odd_3;
    const real post_8 = fma_rn(k[4], h[8], post_8_part_1);
    post[8] = post_8;
}

// A time step, 2 nodes side by side each thread.
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
    const unsigned x = 2u * threadIdx.x;
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = 0u;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 63u : x - 1u;
    const unsigned xp1 = x < 62u ? x + 2u : x - 62u;
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
    real h[2][9], post[2][9];
    const size_t index = x + 64u * (y + 16u * z);
    const bool at_west = x == 0u;
    const bool at_east = x + 2u == 64u;
    const bool at_south = y == 0u;
    const bool at_north = y + 1u == 16u;
    const bool at_bottom = z == 0u;
    const bool at_top = z + 1u == 1u;
    real back_west[3] = {};
    if (at_west) {
    }
    real back_east[3] = {};
    if (at_east) {
    }
    read(h, 0, &source[node]);
    read_from_west(h, 1, &source[1024u + node], at_west ? &source[2048u + node + 0u] : &source[1024u + node_xm1], first);
    read_from_east(h, 2, &source[2048u + node], at_east ? &source[1024u + node + 1u] : &source[2048u + node_xp1], last);
    read(h, 3, &source[3072u + node_ym1]);
    read(h, 4, &source[4096u + node_yp1]);
    read_from_west(h, 5, &source[5120u + node_ym1], at_west ? &source[6144u + node + 0u] : &source[5120u + node_xm1_ym1], first);
    read_from_east(h, 6, &source[6144u + node_yp1], at_east ? &source[5120u + node + 1u] : &source[6144u + node_xp1_yp1], last);
    read_from_west(h, 7, &source[7168u + node_yp1], at_west ? &source[8192u + node + 0u] : &source[7168u + node_xm1_yp1], first);
    read_from_east(h, 8, &source[8192u + node_ym1], at_east ? &source[7168u + node + 1u] : &source[8192u + node_xp1_ym1], last);
    // What comes back from walls is what these nodes sent there.
    if (at_south) {
        h[0][3] = decode(source[4096u + node + 0u]);
        h[0][5] = decode(source[6144u + node + 0u]);
        h[0][8] = decode(source[7168u + node + 0u]);
        h[1][3] = decode(source[4096u + node + 1u]);
        h[1][5] = decode(source[6144u + node + 1u]);
        h[1][8] = decode(source[7168u + node + 1u]);
    }
    if (at_north) {
        h[0][4] = decode(source[3072u + node + 0u]);
        h[0][6] = decode(source[5120u + node + 0u]);
        h[0][7] = decode(source[8192u + node + 0u]);
        h[1][4] = decode(source[3072u + node + 1u]);
        h[1][6] = decode(source[5120u + node + 1u]);
        h[1][7] = decode(source[8192u + node + 1u]);
    }
    const unsigned special = skip[index >> 5] >> (index & 31u) & 3u;
    unsigned solid = 0u;
    if (special != 0u) {
        const unsigned word = linked[index >> 5], before = ranks[index >> 5];
        const unsigned with_links = special & word >> (index & 31u);
        const unsigned number = before + __popc(word & ((1u << (index & 31u)) - 1u));
        solid = special & ~with_links;
        unsigned lost[2] = {}, link[2] = {};
        if (with_links >> 0 & 1u) lost[0] = missing[number], link[0] = links[number];
        if (with_links >> 1 & 1u) lost[1] = missing[number + __popc(with_links & 1u)], link[1] = links[number + __popc(with_links & 1u)];
        if (lost[0] >> 1 & 1u) h[0][1] = decode(source[2048u + node + 0u]);
        if (lost[0] >> 2 & 1u) h[0][2] = decode(source[1024u + node + 0u]);
        if (lost[0] >> 3 & 1u) h[0][3] = decode(source[4096u + node + 0u]);
        if (lost[0] >> 4 & 1u) h[0][4] = decode(source[3072u + node + 0u]);
        if (lost[0] >> 5 & 1u) h[0][5] = decode(source[6144u + node + 0u]);
        if (lost[0] >> 6 & 1u) h[0][6] = decode(source[5120u + node + 0u]);
        if (lost[0] >> 7 & 1u) h[0][7] = decode(source[8192u + node + 0u]);
        if (lost[0] >> 8 & 1u) h[0][8] = decode(source[7168u + node + 0u]);
        if (lost[1] >> 1 & 1u) h[1][1] = decode(source[2048u + node + 1u]);
        if (lost[1] >> 2 & 1u) h[1][2] = decode(source[1024u + node + 1u]);
        if (lost[1] >> 3 & 1u) h[1][3] = decode(source[4096u + node + 1u]);
        if (lost[1] >> 4 & 1u) h[1][4] = decode(source[3072u + node + 1u]);
        if (lost[1] >> 5 & 1u) h[1][5] = decode(source[6144u + node + 1u]);
        if (lost[1] >> 6 & 1u) h[1][6] = decode(source[5120u + node + 1u]);
        if (lost[1] >> 7 & 1u) h[1][7] = decode(source[8192u + node + 1u]);
        if (lost[1] >> 8 & 1u) h[1][8] = decode(source[7168u + node + 1u]);
        if (lost[0] >> 1 & 1u) h[0][1] = h[0][1] + terms[9u * walls[link[0] + __popc(lost[0] & 1u)] + 1u];
        if (lost[0] >> 2 & 1u) h[0][2] = h[0][2] + terms[9u * walls[link[0] + __popc(lost[0] & 3u)] + 2u];
        if (lost[0] >> 3 & 1u) h[0][3] = h[0][3] + terms[9u * walls[link[0] + __popc(lost[0] & 7u)] + 3u];
        if (lost[0] >> 4 & 1u) h[0][4] = h[0][4] + terms[9u * walls[link[0] + __popc(lost[0] & 15u)] + 4u];
        if (lost[0] >> 5 & 1u) h[0][5] = h[0][5] + terms[9u * walls[link[0] + __popc(lost[0] & 31u)] + 5u];
        if (lost[0] >> 6 & 1u) h[0][6] = h[0][6] + terms[9u * walls[link[0] + __popc(lost[0] & 63u)] + 6u];
        if (lost[0] >> 7 & 1u) h[0][7] = h[0][7] + terms[9u * walls[link[0] + __popc(lost[0] & 127u)] + 7u];
        if (lost[0] >> 8 & 1u) h[0][8] = h[0][8] + terms[9u * walls[link[0] + __popc(lost[0] & 255u)] + 8u];
        if (lost[1] >> 1 & 1u) h[1][1] = h[1][1] + terms[9u * walls[link[1] + __popc(lost[1] & 1u)] + 1u];
        if (lost[1] >> 2 & 1u) h[1][2] = h[1][2] + terms[9u * walls[link[1] + __popc(lost[1] & 3u)] + 2u];
        if (lost[1] >> 3 & 1u) h[1][3] = h[1][3] + terms[9u * walls[link[1] + __popc(lost[1] & 7u)] + 3u];
        if (lost[1] >> 4 & 1u) h[1][4] = h[1][4] + terms[9u * walls[link[1] + __popc(lost[1] & 15u)] + 4u];
        if (lost[1] >> 5 & 1u) h[1][5] = h[1][5] + terms[9u * walls[link[1] + __popc(lost[1] & 31u)] + 5u];
        if (lost[1] >> 6 & 1u) h[1][6] = h[1][6] + terms[9u * walls[link[1] + __popc(lost[1] & 63u)] + 6u];
        if (lost[1] >> 7 & 1u) h[1][7] = h[1][7] + terms[9u * walls[link[1] + __popc(lost[1] & 127u)] + 7u];
        if (lost[1] >> 8 & 1u) h[1][8] = h[1][8] + terms[9u * walls[link[1] + __popc(lost[1] & 255u)] + 8u];
    }
    collide(h[0], uniforms.k, post[0]);
    collide(h[1], uniforms.k, post[1]);
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
        }
    }
    if (solid == 3u) return;
    // Populations that leave.
    write(&target[node], post, 0);
    write(&target[1024u + node], post, 1);
    write(&target[2048u + node], post, 2);
    write(&target[3072u + node], post, 3);
    write(&target[4096u + node], post, 4);
    write(&target[5120u + node], post, 5);
    write(&target[6144u + node], post, 6);
    write(&target[7168u + node], post, 7);
    write(&target[8192u + node], post, 8);
}
