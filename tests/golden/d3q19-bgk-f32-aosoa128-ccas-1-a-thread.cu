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

// Where each slot began in the last step, and begins in this one: slots are rings, and populations travel by
// their turning.
struct Origins { unsigned before[19], now[19]; };

// Where a storage node stands in a ring of so many.
__device__ __forceinline__ size_t turned(const unsigned node, const unsigned origin, const unsigned nodes) {
    const unsigned at = node + origin;
    return at < nodes ? at : at - nodes;
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

// Before a step: what crosses a face of the box, out.
extern "C" __global__ void __launch_bounds__(256, 1) faces_out_0(
    stored* const populations,
    stored* const crossing,
    const Origins origins
) {
    const unsigned number = 256u * blockIdx.x + threadIdx.x;
    if (blockIdx.y == 0u && number < 128u) {
        const unsigned y = number % 16u, z = number / 16u;
        crossing[number] = populations[128u + turned(32u + 33u * (y + 16u * z), origins.before[1], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.before[1], 4224u) % 128u];
        crossing[128u + number] = populations[256u + turned(33u * (y + 16u * z), origins.before[2], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.before[2], 4224u) % 128u];
        crossing[256u + number] = populations[896u + turned(32u + 33u * ((y < 1u ? y + 15u : y - 1u) + 16u * z), origins.before[7], 4224u) / 128u * 2432u + turned(32u + 33u * ((y < 1u ? y + 15u : y - 1u) + 16u * z), origins.before[7], 4224u) % 128u];
        crossing[384u + number] = populations[1024u + turned(33u * ((y < 15u ? y + 1u : y - 15u) + 16u * z), origins.before[8], 4224u) / 128u * 2432u + turned(33u * ((y < 15u ? y + 1u : y - 15u) + 16u * z), origins.before[8], 4224u) % 128u];
        crossing[512u + number] = populations[1152u + turned(32u + 33u * (y + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[9], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[9], 4224u) % 128u];
        crossing[640u + number] = populations[1280u + turned(33u * (y + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[10], 4224u) / 128u * 2432u + turned(33u * (y + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[10], 4224u) % 128u];
        crossing[768u + number] = populations[1408u + turned(32u + 33u * (y + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[11], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[11], 4224u) % 128u];
        crossing[896u + number] = populations[1536u + turned(33u * (y + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[12], 4224u) / 128u * 2432u + turned(33u * (y + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[12], 4224u) % 128u];
        crossing[1024u + number] = populations[1664u + turned(32u + 33u * ((y < 15u ? y + 1u : y - 15u) + 16u * z), origins.before[13], 4224u) / 128u * 2432u + turned(32u + 33u * ((y < 15u ? y + 1u : y - 15u) + 16u * z), origins.before[13], 4224u) % 128u];
        crossing[1152u + number] = populations[1792u + turned(33u * ((y < 1u ? y + 15u : y - 1u) + 16u * z), origins.before[14], 4224u) / 128u * 2432u + turned(33u * ((y < 1u ? y + 15u : y - 1u) + 16u * z), origins.before[14], 4224u) % 128u];
    }
    if (blockIdx.y == 1u && number < 264u) {
        const unsigned x = number % 33u, z = number / 33u;
        crossing[1280u + number] = populations[384u + turned(x + 33u * (15u + 16u * z), origins.before[3], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.before[3], 4224u) % 128u];
        crossing[1544u + number] = populations[512u + turned(x + 33u * (16u * z), origins.before[4], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.before[4], 4224u) % 128u];
        crossing[1808u + number] = populations[896u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (15u + 16u * z), origins.before[7], 4224u) / 128u * 2432u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (15u + 16u * z), origins.before[7], 4224u) % 128u];
        crossing[2072u + number] = populations[1024u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (16u * z), origins.before[8], 4224u) / 128u * 2432u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (16u * z), origins.before[8], 4224u) % 128u];
        crossing[2336u + number] = populations[1664u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (16u * z), origins.before[13], 4224u) / 128u * 2432u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (16u * z), origins.before[13], 4224u) % 128u];
        crossing[2600u + number] = populations[1792u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (15u + 16u * z), origins.before[14], 4224u) / 128u * 2432u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (15u + 16u * z), origins.before[14], 4224u) % 128u];
        crossing[2864u + number] = populations[1920u + turned(x + 33u * (15u + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[15], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * (z < 1u ? z + 7u : z - 1u)), origins.before[15], 4224u) % 128u];
        crossing[3128u + number] = populations[2048u + turned(x + 33u * (16u * (z < 7u ? z + 1u : z - 7u)), origins.before[16], 4224u) / 128u * 2432u + turned(x + 33u * (16u * (z < 7u ? z + 1u : z - 7u)), origins.before[16], 4224u) % 128u];
        crossing[3392u + number] = populations[2176u + turned(x + 33u * (15u + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[17], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * (z < 7u ? z + 1u : z - 7u)), origins.before[17], 4224u) % 128u];
        crossing[3656u + number] = populations[2304u + turned(x + 33u * (16u * (z < 1u ? z + 7u : z - 1u)), origins.before[18], 4224u) / 128u * 2432u + turned(x + 33u * (16u * (z < 1u ? z + 7u : z - 1u)), origins.before[18], 4224u) % 128u];
    }
    if (blockIdx.y == 2u && number < 528u) {
        const unsigned x = number % 33u, y = number / 33u;
        crossing[3920u + number] = populations[640u + turned(x + 33u * (112u + y), origins.before[5], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.before[5], 4224u) % 128u];
        crossing[4448u + number] = populations[768u + turned(x + 33u * y, origins.before[6], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.before[6], 4224u) % 128u];
        crossing[4976u + number] = populations[1152u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (112u + y), origins.before[9], 4224u) / 128u * 2432u + turned((x < 1u ? x + 32u : x - 1u) + 33u * (112u + y), origins.before[9], 4224u) % 128u];
        crossing[5504u + number] = populations[1280u + turned((x < 32u ? x + 1u : x - 32u) + 33u * y, origins.before[10], 4224u) / 128u * 2432u + turned((x < 32u ? x + 1u : x - 32u) + 33u * y, origins.before[10], 4224u) % 128u];
        crossing[6032u + number] = populations[1408u + turned((x < 1u ? x + 32u : x - 1u) + 33u * y, origins.before[11], 4224u) / 128u * 2432u + turned((x < 1u ? x + 32u : x - 1u) + 33u * y, origins.before[11], 4224u) % 128u];
        crossing[6560u + number] = populations[1536u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (112u + y), origins.before[12], 4224u) / 128u * 2432u + turned((x < 32u ? x + 1u : x - 32u) + 33u * (112u + y), origins.before[12], 4224u) % 128u];
        crossing[7088u + number] = populations[1920u + turned(x + 33u * (112u + (y < 1u ? y + 15u : y - 1u)), origins.before[15], 4224u) / 128u * 2432u + turned(x + 33u * (112u + (y < 1u ? y + 15u : y - 1u)), origins.before[15], 4224u) % 128u];
        crossing[7616u + number] = populations[2048u + turned(x + 33u * (y < 15u ? y + 1u : y - 15u), origins.before[16], 4224u) / 128u * 2432u + turned(x + 33u * (y < 15u ? y + 1u : y - 15u), origins.before[16], 4224u) % 128u];
        crossing[8144u + number] = populations[2176u + turned(x + 33u * (y < 1u ? y + 15u : y - 1u), origins.before[17], 4224u) / 128u * 2432u + turned(x + 33u * (y < 1u ? y + 15u : y - 1u), origins.before[17], 4224u) % 128u];
        crossing[8672u + number] = populations[2304u + turned(x + 33u * (112u + (y < 15u ? y + 1u : y - 15u)), origins.before[18], 4224u) / 128u * 2432u + turned(x + 33u * (112u + (y < 15u ? y + 1u : y - 15u)), origins.before[18], 4224u) % 128u];
    }
}

// Before a step: what crosses a face of the box, in again.
extern "C" __global__ void __launch_bounds__(256, 1) faces_in_0(
    stored* const populations,
    stored* const crossing,
    const Origins origins
) {
    const unsigned number = 256u * blockIdx.x + threadIdx.x;
    if (blockIdx.y == 0u && number < 128u) {
        const unsigned y = number % 16u, z = number / 16u;
        populations[128u + turned(33u * (y + 16u * z), origins.now[1], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.now[1], 4224u) % 128u] = crossing[number];
        populations[256u + turned(32u + 33u * (y + 16u * z), origins.now[2], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.now[2], 4224u) % 128u] = crossing[128u + number];
        populations[896u + turned(33u * (y + 16u * z), origins.now[7], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.now[7], 4224u) % 128u] = crossing[256u + number];
        populations[1024u + turned(32u + 33u * (y + 16u * z), origins.now[8], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.now[8], 4224u) % 128u] = crossing[384u + number];
        populations[1152u + turned(33u * (y + 16u * z), origins.now[9], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.now[9], 4224u) % 128u] = crossing[512u + number];
        populations[1280u + turned(32u + 33u * (y + 16u * z), origins.now[10], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.now[10], 4224u) % 128u] = crossing[640u + number];
        populations[1408u + turned(33u * (y + 16u * z), origins.now[11], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.now[11], 4224u) % 128u] = crossing[768u + number];
        populations[1536u + turned(32u + 33u * (y + 16u * z), origins.now[12], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.now[12], 4224u) % 128u] = crossing[896u + number];
        populations[1664u + turned(33u * (y + 16u * z), origins.now[13], 4224u) / 128u * 2432u + turned(33u * (y + 16u * z), origins.now[13], 4224u) % 128u] = crossing[1024u + number];
        populations[1792u + turned(32u + 33u * (y + 16u * z), origins.now[14], 4224u) / 128u * 2432u + turned(32u + 33u * (y + 16u * z), origins.now[14], 4224u) % 128u] = crossing[1152u + number];
    }
    if (blockIdx.y == 1u && number < 264u) {
        const unsigned x = number % 33u, z = number / 33u;
        populations[384u + turned(x + 33u * (16u * z), origins.now[3], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.now[3], 4224u) % 128u] = crossing[1280u + number];
        populations[512u + turned(x + 33u * (15u + 16u * z), origins.now[4], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.now[4], 4224u) % 128u] = crossing[1544u + number];
        populations[896u + turned(x + 33u * (16u * z), origins.now[7], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.now[7], 4224u) % 128u] = crossing[1808u + number];
        populations[1024u + turned(x + 33u * (15u + 16u * z), origins.now[8], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.now[8], 4224u) % 128u] = crossing[2072u + number];
        populations[1664u + turned(x + 33u * (15u + 16u * z), origins.now[13], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.now[13], 4224u) % 128u] = crossing[2336u + number];
        populations[1792u + turned(x + 33u * (16u * z), origins.now[14], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.now[14], 4224u) % 128u] = crossing[2600u + number];
        populations[1920u + turned(x + 33u * (16u * z), origins.now[15], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.now[15], 4224u) % 128u] = crossing[2864u + number];
        populations[2048u + turned(x + 33u * (15u + 16u * z), origins.now[16], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.now[16], 4224u) % 128u] = crossing[3128u + number];
        populations[2176u + turned(x + 33u * (16u * z), origins.now[17], 4224u) / 128u * 2432u + turned(x + 33u * (16u * z), origins.now[17], 4224u) % 128u] = crossing[3392u + number];
        populations[2304u + turned(x + 33u * (15u + 16u * z), origins.now[18], 4224u) / 128u * 2432u + turned(x + 33u * (15u + 16u * z), origins.now[18], 4224u) % 128u] = crossing[3656u + number];
    }
    if (blockIdx.y == 2u && number < 528u) {
        const unsigned x = number % 33u, y = number / 33u;
        populations[640u + turned(x + 33u * y, origins.now[5], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.now[5], 4224u) % 128u] = crossing[3920u + number];
        populations[768u + turned(x + 33u * (112u + y), origins.now[6], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.now[6], 4224u) % 128u] = crossing[4448u + number];
        populations[1152u + turned(x + 33u * y, origins.now[9], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.now[9], 4224u) % 128u] = crossing[4976u + number];
        populations[1280u + turned(x + 33u * (112u + y), origins.now[10], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.now[10], 4224u) % 128u] = crossing[5504u + number];
        populations[1408u + turned(x + 33u * (112u + y), origins.now[11], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.now[11], 4224u) % 128u] = crossing[6032u + number];
        populations[1536u + turned(x + 33u * y, origins.now[12], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.now[12], 4224u) % 128u] = crossing[6560u + number];
        populations[1920u + turned(x + 33u * y, origins.now[15], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.now[15], 4224u) % 128u] = crossing[7088u + number];
        populations[2048u + turned(x + 33u * (112u + y), origins.now[16], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.now[16], 4224u) % 128u] = crossing[7616u + number];
        populations[2176u + turned(x + 33u * (112u + y), origins.now[17], 4224u) / 128u * 2432u + turned(x + 33u * (112u + y), origins.now[17], 4224u) % 128u] = crossing[8144u + number];
        populations[2304u + turned(x + 33u * y, origins.now[18], 4224u) / 128u * 2432u + turned(x + 33u * y, origins.now[18], 4224u) % 128u] = crossing[8672u + number];
    }
}

// A time step, a node each thread.
extern "C" __global__ void __launch_bounds__(128) step_0(
    stored* const populations,
    const Uniforms uniforms,
    const Origins origins,
    const unsigned* __restrict__ skip,
    const unsigned* __restrict__ linked,
    const unsigned* __restrict__ ranks,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms,
    stored* const kept
) {
    const unsigned x_thread = 32u * blockIdx.x + threadIdx.x;
    const unsigned x = x_thread <= 32u ? x_thread : 32u;
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    if (x != x_thread) return;
    // Nodes in memory, with neighbours around the box.
    const size_t node = x + 33u * (y + 16u * z);
    // Populations that meet here.
    real h[19], post[19];
    const size_t index = x + 33u * (y + 16u * z);
    const bool at_west = x == 0u;
    const size_t kept_west = 5u * (y + (size_t)16u * z);
    const bool at_east = x + 1u == 33u;
    const size_t kept_east = 5u * (size_t)16u * 8u + 5u * (y + (size_t)16u * z);
    const bool at_south = y == 0u;
    const size_t kept_south = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (x + (size_t)33u * z);
    const bool at_north = y + 1u == 16u;
    const size_t kept_north = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)33u * 8u + 5u * (x + (size_t)33u * z);
    const bool at_bottom = z == 0u;
    const size_t kept_bottom = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)33u * 8u + 5u * (size_t)33u * 8u + 5u * (x + (size_t)33u * y);
    const bool at_top = z + 1u == 8u;
    const size_t kept_top = 5u * (size_t)16u * 8u + 5u * (size_t)16u * 8u + 5u * (size_t)33u * 8u + 5u * (size_t)33u * 8u + 5u * (size_t)33u * 16u + 5u * (x + (size_t)33u * y);
    h[0] = decode(populations[turned(node, origins.now[0], 4224u) / 128u * 2432u + turned(node, origins.now[0], 4224u) % 128u]);
    h[1] = decode(*(at_west ? &kept[kept_west + 0u] : &populations[128u + turned(node, origins.now[1], 4224u) / 128u * 2432u + turned(node, origins.now[1], 4224u) % 128u]));
    h[2] = decode(*(at_east ? &kept[kept_east + 0u] : &populations[256u + turned(node, origins.now[2], 4224u) / 128u * 2432u + turned(node, origins.now[2], 4224u) % 128u]));
    h[3] = decode(*(at_south ? &kept[kept_south + 0u] : &populations[384u + turned(node, origins.now[3], 4224u) / 128u * 2432u + turned(node, origins.now[3], 4224u) % 128u]));
    h[4] = decode(*(at_north ? &kept[kept_north + 0u] : &populations[512u + turned(node, origins.now[4], 4224u) / 128u * 2432u + turned(node, origins.now[4], 4224u) % 128u]));
    h[5] = decode(*(at_bottom ? &kept[kept_bottom + 0u] : &populations[640u + turned(node, origins.now[5], 4224u) / 128u * 2432u + turned(node, origins.now[5], 4224u) % 128u]));
    h[6] = decode(*(at_top ? &kept[kept_top + 0u] : &populations[768u + turned(node, origins.now[6], 4224u) / 128u * 2432u + turned(node, origins.now[6], 4224u) % 128u]));
    h[7] = decode(*(at_south ? &kept[kept_south + 1u] : at_west ? &kept[kept_west + 1u] : &populations[896u + turned(node, origins.now[7], 4224u) / 128u * 2432u + turned(node, origins.now[7], 4224u) % 128u]));
    h[8] = decode(*(at_north ? &kept[kept_north + 1u] : at_east ? &kept[kept_east + 1u] : &populations[1024u + turned(node, origins.now[8], 4224u) / 128u * 2432u + turned(node, origins.now[8], 4224u) % 128u]));
    h[9] = decode(*(at_bottom ? &kept[kept_bottom + 1u] : at_west ? &kept[kept_west + 2u] : &populations[1152u + turned(node, origins.now[9], 4224u) / 128u * 2432u + turned(node, origins.now[9], 4224u) % 128u]));
    h[10] = decode(*(at_top ? &kept[kept_top + 1u] : at_east ? &kept[kept_east + 2u] : &populations[1280u + turned(node, origins.now[10], 4224u) / 128u * 2432u + turned(node, origins.now[10], 4224u) % 128u]));
    h[11] = decode(*(at_top ? &kept[kept_top + 2u] : at_west ? &kept[kept_west + 3u] : &populations[1408u + turned(node, origins.now[11], 4224u) / 128u * 2432u + turned(node, origins.now[11], 4224u) % 128u]));
    h[12] = decode(*(at_bottom ? &kept[kept_bottom + 2u] : at_east ? &kept[kept_east + 3u] : &populations[1536u + turned(node, origins.now[12], 4224u) / 128u * 2432u + turned(node, origins.now[12], 4224u) % 128u]));
    h[13] = decode(*(at_north ? &kept[kept_north + 2u] : at_west ? &kept[kept_west + 4u] : &populations[1664u + turned(node, origins.now[13], 4224u) / 128u * 2432u + turned(node, origins.now[13], 4224u) % 128u]));
    h[14] = decode(*(at_south ? &kept[kept_south + 2u] : at_east ? &kept[kept_east + 4u] : &populations[1792u + turned(node, origins.now[14], 4224u) / 128u * 2432u + turned(node, origins.now[14], 4224u) % 128u]));
    h[15] = decode(*(at_bottom ? &kept[kept_bottom + 3u] : at_south ? &kept[kept_south + 3u] : &populations[1920u + turned(node, origins.now[15], 4224u) / 128u * 2432u + turned(node, origins.now[15], 4224u) % 128u]));
    h[16] = decode(*(at_top ? &kept[kept_top + 3u] : at_north ? &kept[kept_north + 3u] : &populations[2048u + turned(node, origins.now[16], 4224u) / 128u * 2432u + turned(node, origins.now[16], 4224u) % 128u]));
    h[17] = decode(*(at_top ? &kept[kept_top + 4u] : at_south ? &kept[kept_south + 4u] : &populations[2176u + turned(node, origins.now[17], 4224u) / 128u * 2432u + turned(node, origins.now[17], 4224u) % 128u]));
    h[18] = decode(*(at_bottom ? &kept[kept_bottom + 4u] : at_north ? &kept[kept_north + 4u] : &populations[2304u + turned(node, origins.now[18], 4224u) / 128u * 2432u + turned(node, origins.now[18], 4224u) % 128u]));
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
        if (lost[0] >> 1 & 1u) h[1] = decode(kept[link[0] + __popc(lost[0] & 1u)]);
        if (lost[0] >> 2 & 1u) h[2] = decode(kept[link[0] + __popc(lost[0] & 3u)]);
        if (lost[0] >> 3 & 1u) h[3] = decode(kept[link[0] + __popc(lost[0] & 7u)]);
        if (lost[0] >> 4 & 1u) h[4] = decode(kept[link[0] + __popc(lost[0] & 15u)]);
        if (lost[0] >> 5 & 1u) h[5] = decode(kept[link[0] + __popc(lost[0] & 31u)]);
        if (lost[0] >> 6 & 1u) h[6] = decode(kept[link[0] + __popc(lost[0] & 63u)]);
        if (lost[0] >> 7 & 1u) h[7] = decode(kept[link[0] + __popc(lost[0] & 127u)]);
        if (lost[0] >> 8 & 1u) h[8] = decode(kept[link[0] + __popc(lost[0] & 255u)]);
        if (lost[0] >> 9 & 1u) h[9] = decode(kept[link[0] + __popc(lost[0] & 511u)]);
        if (lost[0] >> 10 & 1u) h[10] = decode(kept[link[0] + __popc(lost[0] & 1023u)]);
        if (lost[0] >> 11 & 1u) h[11] = decode(kept[link[0] + __popc(lost[0] & 2047u)]);
        if (lost[0] >> 12 & 1u) h[12] = decode(kept[link[0] + __popc(lost[0] & 4095u)]);
        if (lost[0] >> 13 & 1u) h[13] = decode(kept[link[0] + __popc(lost[0] & 8191u)]);
        if (lost[0] >> 14 & 1u) h[14] = decode(kept[link[0] + __popc(lost[0] & 16383u)]);
        if (lost[0] >> 15 & 1u) h[15] = decode(kept[link[0] + __popc(lost[0] & 32767u)]);
        if (lost[0] >> 16 & 1u) h[16] = decode(kept[link[0] + __popc(lost[0] & 65535u)]);
        if (lost[0] >> 17 & 1u) h[17] = decode(kept[link[0] + __popc(lost[0] & 131071u)]);
        if (lost[0] >> 18 & 1u) h[18] = decode(kept[link[0] + __popc(lost[0] & 262143u)]);
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
    // All has been read before anything is written.
    asm volatile("" ::: "memory");
    // Populations that leave.
    populations[turned(node, origins.now[0], 4224u) / 128u * 2432u + turned(node, origins.now[0], 4224u) % 128u] = encode(post[0]);
    populations[128u + turned(node, origins.now[1], 4224u) / 128u * 2432u + turned(node, origins.now[1], 4224u) % 128u] = encode(post[1]);
    populations[256u + turned(node, origins.now[2], 4224u) / 128u * 2432u + turned(node, origins.now[2], 4224u) % 128u] = encode(post[2]);
    populations[384u + turned(node, origins.now[3], 4224u) / 128u * 2432u + turned(node, origins.now[3], 4224u) % 128u] = encode(post[3]);
    populations[512u + turned(node, origins.now[4], 4224u) / 128u * 2432u + turned(node, origins.now[4], 4224u) % 128u] = encode(post[4]);
    populations[640u + turned(node, origins.now[5], 4224u) / 128u * 2432u + turned(node, origins.now[5], 4224u) % 128u] = encode(post[5]);
    populations[768u + turned(node, origins.now[6], 4224u) / 128u * 2432u + turned(node, origins.now[6], 4224u) % 128u] = encode(post[6]);
    populations[896u + turned(node, origins.now[7], 4224u) / 128u * 2432u + turned(node, origins.now[7], 4224u) % 128u] = encode(post[7]);
    populations[1024u + turned(node, origins.now[8], 4224u) / 128u * 2432u + turned(node, origins.now[8], 4224u) % 128u] = encode(post[8]);
    populations[1152u + turned(node, origins.now[9], 4224u) / 128u * 2432u + turned(node, origins.now[9], 4224u) % 128u] = encode(post[9]);
    populations[1280u + turned(node, origins.now[10], 4224u) / 128u * 2432u + turned(node, origins.now[10], 4224u) % 128u] = encode(post[10]);
    populations[1408u + turned(node, origins.now[11], 4224u) / 128u * 2432u + turned(node, origins.now[11], 4224u) % 128u] = encode(post[11]);
    populations[1536u + turned(node, origins.now[12], 4224u) / 128u * 2432u + turned(node, origins.now[12], 4224u) % 128u] = encode(post[12]);
    populations[1664u + turned(node, origins.now[13], 4224u) / 128u * 2432u + turned(node, origins.now[13], 4224u) % 128u] = encode(post[13]);
    populations[1792u + turned(node, origins.now[14], 4224u) / 128u * 2432u + turned(node, origins.now[14], 4224u) % 128u] = encode(post[14]);
    populations[1920u + turned(node, origins.now[15], 4224u) / 128u * 2432u + turned(node, origins.now[15], 4224u) % 128u] = encode(post[15]);
    populations[2048u + turned(node, origins.now[16], 4224u) / 128u * 2432u + turned(node, origins.now[16], 4224u) % 128u] = encode(post[16]);
    populations[2176u + turned(node, origins.now[17], 4224u) / 128u * 2432u + turned(node, origins.now[17], 4224u) % 128u] = encode(post[17]);
    populations[2304u + turned(node, origins.now[18], 4224u) / 128u * 2432u + turned(node, origins.now[18], 4224u) % 128u] = encode(post[18]);
    // What goes into walls comes back in the next step.
    if (at_west) {
        kept[kept_west + 0u] = encode(post[2]);
        kept[kept_west + 1u] = encode(post[8]);
        kept[kept_west + 2u] = encode(post[10]);
        kept[kept_west + 3u] = encode(post[12]);
        kept[kept_west + 4u] = encode(post[14]);
    }
    if (at_east) {
        kept[kept_east + 0u] = encode(post[1]);
        kept[kept_east + 1u] = encode(post[7]);
        kept[kept_east + 2u] = encode(post[9]);
        kept[kept_east + 3u] = encode(post[11]);
        kept[kept_east + 4u] = encode(post[13]);
    }
    if (at_south) {
        kept[kept_south + 0u] = encode(post[4]);
        kept[kept_south + 1u] = encode(post[8]);
        kept[kept_south + 2u] = encode(post[13]);
        kept[kept_south + 3u] = encode(post[16]);
        kept[kept_south + 4u] = encode(post[18]);
    }
    if (at_north) {
        kept[kept_north + 0u] = encode(post[3]);
        kept[kept_north + 1u] = encode(post[7]);
        kept[kept_north + 2u] = encode(post[14]);
        kept[kept_north + 3u] = encode(post[15]);
        kept[kept_north + 4u] = encode(post[17]);
    }
    if (at_bottom) {
        kept[kept_bottom + 0u] = encode(post[6]);
        kept[kept_bottom + 1u] = encode(post[10]);
        kept[kept_bottom + 2u] = encode(post[11]);
        kept[kept_bottom + 3u] = encode(post[16]);
        kept[kept_bottom + 4u] = encode(post[17]);
    }
    if (at_top) {
        kept[kept_top + 0u] = encode(post[5]);
        kept[kept_top + 1u] = encode(post[9]);
        kept[kept_top + 2u] = encode(post[12]);
        kept[kept_top + 3u] = encode(post[15]);
        kept[kept_top + 4u] = encode(post[18]);
    }
    if (special != 0u) {
        if (special >> 0 & linked[index >> 5] >> (index & 31u) & 1u) {
            const unsigned number = number_linked(linked, ranks, index);
            const unsigned lost = missing[number];
            unsigned link = links[number];
            if (lost >> 1 & 1u) kept[link++] = encode(post[2]);
            if (lost >> 2 & 1u) kept[link++] = encode(post[1]);
            if (lost >> 3 & 1u) kept[link++] = encode(post[4]);
            if (lost >> 4 & 1u) kept[link++] = encode(post[3]);
            if (lost >> 5 & 1u) kept[link++] = encode(post[6]);
            if (lost >> 6 & 1u) kept[link++] = encode(post[5]);
            if (lost >> 7 & 1u) kept[link++] = encode(post[8]);
            if (lost >> 8 & 1u) kept[link++] = encode(post[7]);
            if (lost >> 9 & 1u) kept[link++] = encode(post[10]);
            if (lost >> 10 & 1u) kept[link++] = encode(post[9]);
            if (lost >> 11 & 1u) kept[link++] = encode(post[12]);
            if (lost >> 12 & 1u) kept[link++] = encode(post[11]);
            if (lost >> 13 & 1u) kept[link++] = encode(post[14]);
            if (lost >> 14 & 1u) kept[link++] = encode(post[13]);
            if (lost >> 15 & 1u) kept[link++] = encode(post[16]);
            if (lost >> 16 & 1u) kept[link++] = encode(post[15]);
            if (lost >> 17 & 1u) kept[link++] = encode(post[18]);
            if (lost >> 18 & 1u) kept[link++] = encode(post[17]);
        }
    }
}
