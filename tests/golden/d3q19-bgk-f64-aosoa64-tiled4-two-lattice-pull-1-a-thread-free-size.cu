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

// What places in memory are counted in.
typedef unsigned index;

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

// A time step, a node each thread. Bit i of `missing` says that direction i comes from a wall: it is what
// the node sent there, and a moving wall adds its term.
extern "C" __global__ void __launch_bounds__(128) step_0(
    const stored* __restrict__ source,
    stored* __restrict__ target,
    const Uniforms uniforms,
    const index nx,
    const index ny,
    const index nz,
    const index nodes,
    const unsigned* __restrict__ table_0,
    const index width_0,
    const unsigned* __restrict__ runs,
    const unsigned* __restrict__ missing,
    const unsigned* __restrict__ links,
    const unsigned short* __restrict__ walls,
    const real* __restrict__ terms
) {
    // What all nodes of a group have in common.
    const index begin = (index)2u * blockIdx.x, end = nodes / 64u;
    __shared__ unsigned rows[54];
    for (unsigned n = threadIdx.x; n < 54u; n += 128u) {
        if (begin + n / 27u < end) rows[n] = table_0[begin * 27u + n];
    }
    const unsigned* const row = rows + threadIdx.x / 64u * 27u;
    __shared__ unsigned starts[2];
    if (threadIdx.x < 2u && begin + threadIdx.x < end) starts[threadIdx.x] = runs[begin + threadIdx.x];
    __syncthreads();
    const index node = (index)128u * blockIdx.x + threadIdx.x;
    if (node >= nodes) return;
    const unsigned start = starts[threadIdx.x / 64u];
    const unsigned entry = start + (unsigned)(node % 64u);
    const unsigned lost = start == 4294967295u ? 0u : missing[entry];
    if (lost == 2147483648u) return;
    // What places in the copy have in common.
    const index part_0 = node / 64u * 1216u + node % 64u;
    const index part_1 = node % 4u;
    const index part_2 = 3u + part_1;
    const index part_3 = part_2 / 4u;
    const index part_4 = row[12u + part_3];
    const index part_5 = part_2 % 4u;
    const index part_6 = node / 4u % 4u;
    const index part_7 = node / 16u % 4u;
    const index part_8 = part_7 * 4u;
    const index part_9 = (part_6 + part_8) * 4u;
    const index part_10 = 5u + part_1;
    const index part_11 = part_10 / 4u;
    const index part_12 = row[12u + part_11];
    const index part_13 = part_10 % 4u;
    const index part_14 = 3u + part_6;
    const index part_15 = part_14 / 4u;
    const index part_16 = (3u + part_15) * 3u;
    const index part_17 = row[1u + part_16];
    const index part_18 = part_14 % 4u;
    const index part_19 = (part_18 + part_8) * 4u;
    const index part_20 = 5u + part_6;
    const index part_21 = part_20 / 4u;
    const index part_22 = (3u + part_21) * 3u;
    const index part_23 = row[1u + part_22];
    const index part_24 = part_20 % 4u;
    const index part_25 = (part_24 + part_8) * 4u;
    const index part_26 = 3u + part_7;
    const index part_27 = part_26 / 4u * 3u;
    const index part_28 = (1u + part_27) * 3u;
    const index part_29 = row[1u + part_28];
    const index part_30 = part_26 % 4u * 4u;
    const index part_31 = (part_6 + part_30) * 4u;
    const index part_32 = 5u + part_7;
    const index part_33 = part_32 / 4u * 3u;
    const index part_34 = (1u + part_33) * 3u;
    const index part_35 = row[1u + part_34];
    const index part_36 = part_32 % 4u * 4u;
    const index part_37 = (part_6 + part_36) * 4u;
    const index part_38 = row[part_3 + part_16];
    const index part_39 = row[part_11 + part_22];
    const index part_40 = row[part_3 + part_28];
    const index part_41 = row[part_11 + part_34];
    const index part_42 = row[part_3 + part_34];
    const index part_43 = row[part_11 + part_28];
    const index part_44 = row[part_3 + part_22];
    const index part_45 = row[part_11 + part_16];
    const index part_46 = row[1u + (part_15 + part_27) * 3u];
    const index part_47 = row[1u + (part_21 + part_33) * 3u];
    const index part_48 = row[1u + (part_15 + part_33) * 3u];
    const index part_49 = row[1u + (part_21 + part_27) * 3u];
    // Populations that meet here.
    real h[19], post[19];
    h[0] = decode(source[part_0]);
    h[1] = decode(source[lost >> 1 & 1u ? 128u + part_0 : 64u + part_4 * 1216u + part_5 + part_9]);
    h[2] = decode(source[lost >> 2 & 1u ? 64u + part_0 : 128u + part_12 * 1216u + part_13 + part_9]);
    h[3] = decode(source[lost >> 3 & 1u ? 256u + part_0 : 192u + part_17 * 1216u + part_1 + part_19]);
    h[4] = decode(source[lost >> 4 & 1u ? 192u + part_0 : 256u + part_23 * 1216u + part_1 + part_25]);
    h[5] = decode(source[lost >> 5 & 1u ? 384u + part_0 : 320u + part_29 * 1216u + part_1 + part_31]);
    h[6] = decode(source[lost >> 6 & 1u ? 320u + part_0 : 384u + part_35 * 1216u + part_1 + part_37]);
    h[7] = decode(source[lost >> 7 & 1u ? 512u + part_0 : 448u + part_38 * 1216u + part_5 + part_19]);
    h[8] = decode(source[lost >> 8 & 1u ? 448u + part_0 : 512u + part_39 * 1216u + part_13 + part_25]);
    h[9] = decode(source[lost >> 9 & 1u ? 640u + part_0 : 576u + part_40 * 1216u + part_5 + part_31]);
    h[10] = decode(source[lost >> 10 & 1u ? 576u + part_0 : 640u + part_41 * 1216u + part_13 + part_37]);
    h[11] = decode(source[lost >> 11 & 1u ? 768u + part_0 : 704u + part_42 * 1216u + part_5 + part_37]);
    h[12] = decode(source[lost >> 12 & 1u ? 704u + part_0 : 768u + part_43 * 1216u + part_13 + part_31]);
    h[13] = decode(source[lost >> 13 & 1u ? 896u + part_0 : 832u + part_44 * 1216u + part_5 + part_25]);
    h[14] = decode(source[lost >> 14 & 1u ? 832u + part_0 : 896u + part_45 * 1216u + part_13 + part_19]);
    h[15] = decode(source[lost >> 15 & 1u ? 1024u + part_0 : 960u + part_46 * 1216u + part_1 + (part_18 + part_30) * 4u]);
    h[16] = decode(source[lost >> 16 & 1u ? 960u + part_0 : 1024u + part_47 * 1216u + part_1 + (part_24 + part_36) * 4u]);
    h[17] = decode(source[lost >> 17 & 1u ? 1152u + part_0 : 1088u + part_48 * 1216u + part_1 + (part_18 + part_36) * 4u]);
    h[18] = decode(source[lost >> 18 & 1u ? 1088u + part_0 : 1152u + part_49 * 1216u + part_1 + (part_24 + part_30) * 4u]);
    if (lost) {
        // Moving walls add their terms.
        unsigned link = links[entry];
        if (lost >> 1 & 1u) h[1] = h[1] + terms[19u * walls[link++] + 1u];
        if (lost >> 2 & 1u) h[2] = h[2] + terms[19u * walls[link++] + 2u];
        if (lost >> 3 & 1u) h[3] = h[3] + terms[19u * walls[link++] + 3u];
        if (lost >> 4 & 1u) h[4] = h[4] + terms[19u * walls[link++] + 4u];
        if (lost >> 5 & 1u) h[5] = h[5] + terms[19u * walls[link++] + 5u];
        if (lost >> 6 & 1u) h[6] = h[6] + terms[19u * walls[link++] + 6u];
        if (lost >> 7 & 1u) h[7] = h[7] + terms[19u * walls[link++] + 7u];
        if (lost >> 8 & 1u) h[8] = h[8] + terms[19u * walls[link++] + 8u];
        if (lost >> 9 & 1u) h[9] = h[9] + terms[19u * walls[link++] + 9u];
        if (lost >> 10 & 1u) h[10] = h[10] + terms[19u * walls[link++] + 10u];
        if (lost >> 11 & 1u) h[11] = h[11] + terms[19u * walls[link++] + 11u];
        if (lost >> 12 & 1u) h[12] = h[12] + terms[19u * walls[link++] + 12u];
        if (lost >> 13 & 1u) h[13] = h[13] + terms[19u * walls[link++] + 13u];
        if (lost >> 14 & 1u) h[14] = h[14] + terms[19u * walls[link++] + 14u];
        if (lost >> 15 & 1u) h[15] = h[15] + terms[19u * walls[link++] + 15u];
        if (lost >> 16 & 1u) h[16] = h[16] + terms[19u * walls[link++] + 16u];
        if (lost >> 17 & 1u) h[17] = h[17] + terms[19u * walls[link++] + 17u];
        if (lost >> 18 & 1u) h[18] = h[18] + terms[19u * walls[link++] + 18u];
    }
    collide(h, uniforms.k, post);
    // Populations that leave.
    target[part_0] = encode(post[0]);
    target[64u + part_0] = encode(post[1]);
    target[128u + part_0] = encode(post[2]);
    target[192u + part_0] = encode(post[3]);
    target[256u + part_0] = encode(post[4]);
    target[320u + part_0] = encode(post[5]);
    target[384u + part_0] = encode(post[6]);
    target[448u + part_0] = encode(post[7]);
    target[512u + part_0] = encode(post[8]);
    target[576u + part_0] = encode(post[9]);
    target[640u + part_0] = encode(post[10]);
    target[704u + part_0] = encode(post[11]);
    target[768u + part_0] = encode(post[12]);
    target[832u + part_0] = encode(post[13]);
    target[896u + part_0] = encode(post[14]);
    target[960u + part_0] = encode(post[15]);
    target[1024u + part_0] = encode(post[16]);
    target[1088u + part_0] = encode(post[17]);
    target[1152u + part_0] = encode(post[18]);
}
