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

// Coefficients that are the same for all nodes.
struct Uniforms { real k[6]; };

// The collision of one node.
__device__ __forceinline__ void collide(const real (&h)[9], const real (&k)[6], const real (&field)[1], real (&post)[9]) {
    // k[0] = 1 - omega
    // k[1] = 4/9 omega
    // k[2] = 1/3 omega
    // k[3] = 1/2 omega
    // k[4] = 1/12 omega
    // k[5] = 1/4 omega
    const real t_9 = h[1] + h[5];
    const real t_10 = h[2] + h[6];
    const real t_11 = h[3] + h[8];
    const real t_12 = h[4] + h[7];
    const real delta_rho_part_1 = h[0] + t_9;
    const real delta_rho_part_2 = delta_rho_part_1 + t_10;
    const real delta_rho_part_3 = delta_rho_part_2 + t_11;
    const real delta_rho = delta_rho_part_3 + t_12;
    const real j_x_part_1 = h[7] + t_9;
    const real j_x_part_2 = j_x_part_1 - h[8];
    const real j_x = j_x_part_2 - t_10;
    const real rho = 1.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real j_y_part_1 = h[5] + t_11;
    const real j_y_part_2 = j_y_part_1 - h[6];
    const real j_y = j_y_part_2 - t_12;
    const real u_y = j_y * inverse_rho;
    const real flux_yy = j_y * u_y;
    const real flux_trace = flux_xx + flux_yy;
    const real t_1 = fma_rn(-1.5f, flux_trace, delta_rho);
    const real after_0_part_1 = k[0] * h[0];
    const real after_0 = fma_rn(k[1], t_1, after_0_part_1);
    const real by_solidity = h[0] - after_0;
    const real with_solidity = field[0] * by_solidity;
    const real post_0 = after_0 + with_solidity;
    post[0] = post_0;
    const real t_2 = fma_rn(0.22222222f, t_1, flux_xx);
    const real after_1_part_1 = k[0] * h[1];
    const real after_1_part_2 = fma_rn(k[2], j_x, after_1_part_1);
    const real after_1 = fma_rn(k[3], t_2, after_1_part_2);
    const real by_solidity_again_2 = h[2] - after_1;
    const real with_solidity_again_2 = field[0] * by_solidity_again_2;
    const real post_1 = after_1 + with_solidity_again_2;
    post[1] = post_1;
    const real after_2_part_1 = k[0] * h[2];
    const real after_2_part_2 = fma_rn(-k[2], j_x, after_2_part_1);
    const real after_2 = fma_rn(k[3], t_2, after_2_part_2);
    const real by_solidity_again_3 = h[1] - after_2;
    const real with_solidity_again_3 = field[0] * by_solidity_again_3;
    const real post_2 = after_2 + with_solidity_again_3;
    post[2] = post_2;
    const real t_6 = fma_rn(0.22222222f, t_1, flux_yy);
    const real after_3_part_1 = k[0] * h[3];
    const real after_3_part_2 = fma_rn(k[2], j_y, after_3_part_1);
    const real after_3 = fma_rn(k[3], t_6, after_3_part_2);
    const real by_solidity_again_4 = h[4] - after_3;
    const real with_solidity_again_4 = field[0] * by_solidity_again_4;
    const real post_3 = after_3 + with_solidity_again_4;
    post[3] = post_3;
    const real after_4_part_1 = k[0] * h[4];
    const real after_4_part_2 = fma_rn(-k[2], j_y, after_4_part_1);
    const real after_4 = fma_rn(k[3], t_6, after_4_part_2);
    const real by_solidity_again_5 = h[3] - after_4;
    const real with_solidity_again_5 = field[0] * by_solidity_again_5;
    const real post_4 = after_4 + with_solidity_again_5;
    post[4] = post_4;
    const real t_4 = j_x + j_y;
    const real flux_xy = j_x * u_y;
    const real t_3 = flux_yy + t_2;
    const real t_7 = fma_rn(0.5f, t_3, flux_xy);
    const real after_5_part_1 = k[0] * h[5];
    const real after_5_part_2 = fma_rn(k[4], t_4, after_5_part_1);
    const real after_5 = fma_rn(k[5], t_7, after_5_part_2);
    const real by_solidity_again_6 = h[6] - after_5;
    const real with_solidity_again_6 = field[0] * by_solidity_again_6;
    const real post_5 = after_5 + with_solidity_again_6;
    post[5] = post_5;
    const real after_6_part_1 = k[0] * h[6];
    const real after_6_part_2 = fma_rn(-k[4], t_4, after_6_part_1);
    const real after_6 = fma_rn(k[5], t_7, after_6_part_2);
    const real by_solidity_again_7 = h[5] - after_6;
    const real with_solidity_again_7 = field[0] * by_solidity_again_7;
    const real post_6 = after_6 + with_solidity_again_7;
    post[6] = post_6;
    const real t_5 = j_x - j_y;
    const real t_8 = fma_rn(-0.5f, t_3, flux_xy);
    const real after_7_part_1 = k[0] * h[7];
    const real after_7_part_2 = fma_rn(k[4], t_5, after_7_part_1);
    const real after_7 = fma_rn(-k[5], t_8, after_7_part_2);
    const real by_solidity_again_8 = h[8] - after_7;
    const real with_solidity_again_8 = field[0] * by_solidity_again_8;
    const real post_7 = after_7 + with_solidity_again_8;
    post[7] = post_7;
    const real after_8_part_1 = k[0] * h[8];
    const real after_8_part_2 = fma_rn(-k[4], t_5, after_8_part_1);
    const real after_8 = fma_rn(-k[5], t_8, after_8_part_2);
    const real by_solidity_again_9 = h[7] - after_8;
    const real with_solidity_again_9 = field[0] * by_solidity_again_9;
    const real post_8 = after_8 + with_solidity_again_9;
    post[8] = post_8;
}

// A time step, 2 nodes side by side each thread.
extern "C" __global__ void __launch_bounds__(128) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const real* __restrict__ node_fields
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
    read(h, 0, &source[node]);
    read_from_west(h, 1, &source[1024u + node], &source[1024u + node_xm1], first);
    read_from_east(h, 2, &source[2048u + node], &source[2048u + node_xp1], last);
    read(h, 3, &source[3072u + node_ym1]);
    read(h, 4, &source[4096u + node_yp1]);
    read_from_west(h, 5, &source[5120u + node_ym1], &source[5120u + node_xm1_ym1], first);
    read_from_east(h, 6, &source[6144u + node_yp1], &source[6144u + node_xp1_yp1], last);
    read_from_west(h, 7, &source[7168u + node_yp1], &source[7168u + node_xm1_yp1], first);
    read_from_east(h, 8, &source[8192u + node_ym1], &source[8192u + node_xp1_ym1], last);
    // What the collision reads of its node.
    real field[2][1];
    field[0][0] = node_fields[x + 64u * (y + 16u * z) + 0u + 0u * (size_t)(1024u)];
    field[1][0] = node_fields[x + 64u * (y + 16u * z) + 1u + 0u * (size_t)(1024u)];
    collide(h[0], uniforms.k, field[0], post[0]);
    collide(h[1], uniforms.k, field[1], post[1]);
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
