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
    const real u_x_part_1 = h[7] + t_3;
    const real u_x_part_2 = u_x_part_1 - h[8];
    const real u_x = u_x_part_2 - t_4;
    const real flux_xx = u_x * u_x;
    const real u_y_part_1 = h[5] + t_5;
    const real u_y_part_2 = u_y_part_1 - h[6];
    const real u_y = u_y_part_2 - t_6;
    const real flux_yy = u_y * u_y;
    const real flux_trace = flux_xx + flux_yy;
    const real t_1 = fma_rn(-1.5f, flux_trace, delta_rho);
    const real post_0_part_1 = k[0] * h[0];
    const real post_0 = fma_rn(k[1], t_1, post_0_part_1);
    post[0] = post_0;
    const real even_0_part_1 = k[2] * flux_xx;
    const real even_0 = fma_rn(k[3], t_1, even_0_part_1);
    const real post_1_part_1 = fma_rn(k[0], h[1], even_0);
    const real post_1 = fma_rn(k[4], u_x, post_1_part_1);
    post[1] = post_1;
    const real post_2_part_1 = fma_rn(k[0], h[2], even_0);
    const real post_2 = fma_rn(-k[4], u_x, post_2_part_1);
    post[2] = post_2;
    const real even_1_part_1 = k[2] * flux_yy;
    const real even_1 = fma_rn(k[3], t_1, even_1_part_1);
    const real post_3_part_1 = fma_rn(k[0], h[3], even_1);
    const real post_3 = fma_rn(k[4], u_y, post_3_part_1);
    post[3] = post_3;
    const real post_4_part_1 = fma_rn(k[0], h[4], even_1);
    const real post_4 = fma_rn(-k[4], u_y, post_4_part_1);
    post[4] = post_4;
    const real flux_xy = u_x * u_y;
    const real t_2 = fma_rn(0.22222222f, t_1, flux_trace);
    const real even_2_part_1 = k[5] * flux_xy;
    const real even_2 = fma_rn(k[6], t_2, even_2_part_1);
    const real t_7 = u_x + u_y;
    const real odd_2 = k[7] * t_7;
    const real post_5_part_1 = even_2 + odd_2;
    const real post_5 = fma_rn(k[0], h[5], post_5_part_1);
    post[5] = post_5;
    const real post_6_part_1 = even_2 - odd_2;
    const real post_6 = fma_rn(k[0], h[6], post_6_part_1);
    post[6] = post_6;
    const real even_3_part_1 = -k[5] * flux_xy;
    const real even_3 = fma_rn(k[6], t_2, even_3_part_1);
    const real t_8 = u_x - u_y;
    const real odd_3 = k[7] * t_8;
    const real post_7_part_1 = even_3 + odd_3;
    const real post_7 = fma_rn(k[0], h[7], post_7_part_1);
    post[7] = post_7;
    const real post_8_part_1 = even_3 - odd_3;
    const real post_8 = fma_rn(k[0], h[8], post_8_part_1);
    post[8] = post_8;
}

// A time step, 4 nodes side by side each thread.
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
    const unsigned x_thread = 4u * (32u * blockIdx.x + threadIdx.x);
    const unsigned x = x_thread <= nx - 4u ? x_thread : nx - 4u;
    const unsigned y_thread = 4u * blockIdx.y + threadIdx.y;
    const unsigned y = y_thread <= ny - 1u ? y_thread : ny - 1u;
    const unsigned z_thread = blockIdx.z;
    const unsigned z = z_thread <= nz - 1u ? z_thread : nz - 1u;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u || x + 4u >= nx;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + (nx - 1u) : x - 1u;
    const unsigned xp1 = x < (nx - 4u) ? x + 4u : x - (nx - 4u);
    const unsigned ym1 = y < 1u ? y + (ny - 1u) : y - 1u;
    const unsigned yp1 = y < (ny - 1u) ? y + 1u : y - (ny - 1u);
    const size_t node_xm1_ym1 = xm1 + nx * (ym1 + ny * z);
    const size_t node_xm1 = xm1 + nx * (y + ny * z);
    const size_t node_xm1_yp1 = xm1 + nx * (yp1 + ny * z);
    const size_t node_ym1 = x + nx * (ym1 + ny * z);
    const size_t node = x + nx * (y + ny * z);
    const size_t node_yp1 = x + nx * (yp1 + ny * z);
    const size_t node_xp1_ym1 = xp1 + nx * (ym1 + ny * z);
    const size_t node_xp1 = xp1 + nx * (y + ny * z);
    const size_t node_xp1_yp1 = xp1 + nx * (yp1 + ny * z);
    // Populations that meet here.
    real h[4][9], post[4][9];
    const size_t index = x + nx * (y + ny * z);
    read(h, 0, &source[node]);
    read_from_west(h, 1, &source[(31u + nx * ny * nz) / 32u * 32u + node], &source[(31u + nx * ny * nz) / 32u * 32u + node_xm1], first);
    read_from_east(h, 2, &source[(31u + nx * ny * nz) / 32u * 32u * 2u + node], &source[(31u + nx * ny * nz) / 32u * 32u * 2u + node_xp1], last);
    read(h, 3, &source[(31u + nx * ny * nz) / 32u * 32u * 3u + node_ym1]);
    read(h, 4, &source[(31u + nx * ny * nz) / 32u * 32u * 4u + node_yp1]);
    read_from_west(h, 5, &source[(31u + nx * ny * nz) / 32u * 32u * 5u + node_ym1], &source[(31u + nx * ny * nz) / 32u * 32u * 5u + node_xm1_ym1], first);
    read_from_east(h, 6, &source[(31u + nx * ny * nz) / 32u * 32u * 6u + node_yp1], &source[(31u + nx * ny * nz) / 32u * 32u * 6u + node_xp1_yp1], last);
    read_from_west(h, 7, &source[(31u + nx * ny * nz) / 32u * 32u * 7u + node_yp1], &source[(31u + nx * ny * nz) / 32u * 32u * 7u + node_xm1_yp1], first);
    read_from_east(h, 8, &source[(31u + nx * ny * nz) / 32u * 32u * 8u + node_ym1], &source[(31u + nx * ny * nz) / 32u * 32u * 8u + node_xp1_ym1], last);
    // What comes back from walls is what these nodes sent there.
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
        if (lost[0] >> 1 & 1u) h[0][1] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 2u + node + 0u]);
        if (lost[0] >> 2 & 1u) h[0][2] = decode(source[(31u + nx * ny * nz) / 32u * 32u + node + 0u]);
        if (lost[0] >> 3 & 1u) h[0][3] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 4u + node + 0u]);
        if (lost[0] >> 4 & 1u) h[0][4] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 3u + node + 0u]);
        if (lost[0] >> 5 & 1u) h[0][5] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 6u + node + 0u]);
        if (lost[0] >> 6 & 1u) h[0][6] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 5u + node + 0u]);
        if (lost[0] >> 7 & 1u) h[0][7] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 8u + node + 0u]);
        if (lost[0] >> 8 & 1u) h[0][8] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 7u + node + 0u]);
        if (lost[1] >> 1 & 1u) h[1][1] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 2u + node + 1u]);
        if (lost[1] >> 2 & 1u) h[1][2] = decode(source[(31u + nx * ny * nz) / 32u * 32u + node + 1u]);
        if (lost[1] >> 3 & 1u) h[1][3] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 4u + node + 1u]);
        if (lost[1] >> 4 & 1u) h[1][4] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 3u + node + 1u]);
        if (lost[1] >> 5 & 1u) h[1][5] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 6u + node + 1u]);
        if (lost[1] >> 6 & 1u) h[1][6] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 5u + node + 1u]);
        if (lost[1] >> 7 & 1u) h[1][7] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 8u + node + 1u]);
        if (lost[1] >> 8 & 1u) h[1][8] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 7u + node + 1u]);
        if (lost[2] >> 1 & 1u) h[2][1] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 2u + node + 2u]);
        if (lost[2] >> 2 & 1u) h[2][2] = decode(source[(31u + nx * ny * nz) / 32u * 32u + node + 2u]);
        if (lost[2] >> 3 & 1u) h[2][3] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 4u + node + 2u]);
        if (lost[2] >> 4 & 1u) h[2][4] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 3u + node + 2u]);
        if (lost[2] >> 5 & 1u) h[2][5] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 6u + node + 2u]);
        if (lost[2] >> 6 & 1u) h[2][6] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 5u + node + 2u]);
        if (lost[2] >> 7 & 1u) h[2][7] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 8u + node + 2u]);
        if (lost[2] >> 8 & 1u) h[2][8] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 7u + node + 2u]);
        if (lost[3] >> 1 & 1u) h[3][1] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 2u + node + 3u]);
        if (lost[3] >> 2 & 1u) h[3][2] = decode(source[(31u + nx * ny * nz) / 32u * 32u + node + 3u]);
        if (lost[3] >> 3 & 1u) h[3][3] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 4u + node + 3u]);
        if (lost[3] >> 4 & 1u) h[3][4] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 3u + node + 3u]);
        if (lost[3] >> 5 & 1u) h[3][5] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 6u + node + 3u]);
        if (lost[3] >> 6 & 1u) h[3][6] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 5u + node + 3u]);
        if (lost[3] >> 7 & 1u) h[3][7] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 8u + node + 3u]);
        if (lost[3] >> 8 & 1u) h[3][8] = decode(source[(31u + nx * ny * nz) / 32u * 32u * 7u + node + 3u]);
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
        if (lost[2] >> 1 & 1u) h[2][1] = h[2][1] + terms[9u * walls[link[2] + __popc(lost[2] & 1u)] + 1u];
        if (lost[2] >> 2 & 1u) h[2][2] = h[2][2] + terms[9u * walls[link[2] + __popc(lost[2] & 3u)] + 2u];
        if (lost[2] >> 3 & 1u) h[2][3] = h[2][3] + terms[9u * walls[link[2] + __popc(lost[2] & 7u)] + 3u];
        if (lost[2] >> 4 & 1u) h[2][4] = h[2][4] + terms[9u * walls[link[2] + __popc(lost[2] & 15u)] + 4u];
        if (lost[2] >> 5 & 1u) h[2][5] = h[2][5] + terms[9u * walls[link[2] + __popc(lost[2] & 31u)] + 5u];
        if (lost[2] >> 6 & 1u) h[2][6] = h[2][6] + terms[9u * walls[link[2] + __popc(lost[2] & 63u)] + 6u];
        if (lost[2] >> 7 & 1u) h[2][7] = h[2][7] + terms[9u * walls[link[2] + __popc(lost[2] & 127u)] + 7u];
        if (lost[2] >> 8 & 1u) h[2][8] = h[2][8] + terms[9u * walls[link[2] + __popc(lost[2] & 255u)] + 8u];
        if (lost[3] >> 1 & 1u) h[3][1] = h[3][1] + terms[9u * walls[link[3] + __popc(lost[3] & 1u)] + 1u];
        if (lost[3] >> 2 & 1u) h[3][2] = h[3][2] + terms[9u * walls[link[3] + __popc(lost[3] & 3u)] + 2u];
        if (lost[3] >> 3 & 1u) h[3][3] = h[3][3] + terms[9u * walls[link[3] + __popc(lost[3] & 7u)] + 3u];
        if (lost[3] >> 4 & 1u) h[3][4] = h[3][4] + terms[9u * walls[link[3] + __popc(lost[3] & 15u)] + 4u];
        if (lost[3] >> 5 & 1u) h[3][5] = h[3][5] + terms[9u * walls[link[3] + __popc(lost[3] & 31u)] + 5u];
        if (lost[3] >> 6 & 1u) h[3][6] = h[3][6] + terms[9u * walls[link[3] + __popc(lost[3] & 63u)] + 6u];
        if (lost[3] >> 7 & 1u) h[3][7] = h[3][7] + terms[9u * walls[link[3] + __popc(lost[3] & 127u)] + 7u];
        if (lost[3] >> 8 & 1u) h[3][8] = h[3][8] + terms[9u * walls[link[3] + __popc(lost[3] & 255u)] + 8u];
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
        }
    }
    if (x != x_thread || y != y_thread || z != z_thread || solid == 15u) return;
    // Populations that leave.
    write(&target[node], post, 0);
    write(&target[(31u + nx * ny * nz) / 32u * 32u + node], post, 1);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 2u + node], post, 2);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 3u + node], post, 3);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 4u + node], post, 4);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 5u + node], post, 5);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 6u + node], post, 6);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 7u + node], post, 7);
    write(&target[(31u + nx * ny * nz) / 32u * 32u * 8u + node], post, 8);
}
