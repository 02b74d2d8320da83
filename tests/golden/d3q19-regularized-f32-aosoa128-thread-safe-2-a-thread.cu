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

// What goes to the neighbours along x is exchanged in the same way, so that whole packs are written. A thread whose
// neighbour writes nothing (`first` to the west, `last` to the east of it) writes what falls into that one's pack by itself,
// and of its own pack only what is its own.
template <int N, int Q>
__device__ __forceinline__ void write_to_east(
    stored* const at, stored* const east, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Pack<N> pack;
#pragma unroll
    for (int n = 1; n < N; ++n) pack.value[n] = encode(post[n - 1][i]);
    const stored end = encode(post[N - 1][i]);
    pack.value[0] = __shfl_up_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (first) {
#pragma unroll
        for (int n = 1; n < N; ++n) at[n] = pack.value[n];
    } else {
        *reinterpret_cast<Pack<N>*>(at) = pack;
    }
    if (last) *east = end;
}

template <int N, int Q>
__device__ __forceinline__ void write_to_west(
    stored* const at, stored* const west, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Pack<N> pack;
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) pack.value[n] = encode(post[n + 1][i]);
    const stored end = encode(post[0][i]);
    pack.value[N - 1] = __shfl_down_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (last) {
#pragma unroll
        for (int n = 0; n + 1 < N; ++n) at[n] = pack.value[n];
    } else {
        *reinterpret_cast<Pack<N>*>(at) = pack;
    }
    if (first) *west = end;
}

// The population of each direction that leaves a node, from its moments.
__device__ __forceinline__ real rebuild_0(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real post_0 = 0.33333334f * isotropic_post;
    population = post_0;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_1(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_1 = fma_rn(0.16666667f, j_x_post, even_0);
    population = post_1;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_2(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real p_xx_post = m[4];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_2 = fma_rn(-0.16666667f, j_x_post, even_0);
    population = post_2;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_3(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_3 = fma_rn(0.16666667f, j_y_post, even_1);
    population = post_3;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_4(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real p_yy_post = m[7];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_4 = fma_rn(-0.16666667f, j_y_post, even_1);
    population = post_4;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_5(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_5 = fma_rn(0.16666667f, j_z_post, even_2);
    population = post_5;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_6(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_z_post = m[3];
    const real p_zz_post = m[9];
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_6 = fma_rn(-0.16666667f, j_z_post, even_2);
    population = post_6;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_7(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_7 = even_3 + odd_3;
    population = post_7;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_8(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_8 = even_3 - odd_3;
    population = post_8;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_9(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_9 = even_4 + odd_4;
    population = post_9;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_10(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_10 = even_4 - odd_4;
    population = post_10;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_11(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_11 = even_5 + odd_5;
    population = post_11;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_12(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xz_post = m[6];
    const real p_zz_post = m[9];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_12 = even_5 - odd_5;
    population = post_12;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_13(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_13 = even_6 + odd_6;
    population = post_13;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_14(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_yy_post = m[7];
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_14 = even_6 - odd_6;
    population = post_14;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_15(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_15 = even_7 + odd_7;
    population = post_15;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_16(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_16 = even_7 - odd_7;
    population = post_16;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_17(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_17 = even_8 + odd_8;
    population = post_17;
    return decode(encode(population));
}
__device__ __forceinline__ real rebuild_18(const real (&m)[10]) {
    real population;
    const real isotropic_post = m[0];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_18 = even_8 - odd_8;
    population = post_18;
    return decode(encode(population));
}

// The populations that leave a node, from its moments.
__device__ __forceinline__ void rebuild_all(const real (&m)[10], real (&post)[19]) {
    const real isotropic_post = m[0];
    const real j_x_post = m[1];
    const real j_y_post = m[2];
    const real j_z_post = m[3];
    const real p_xx_post = m[4];
    const real p_xy_post = m[5];
    const real p_xz_post = m[6];
    const real p_yy_post = m[7];
    const real p_yz_post = m[8];
    const real p_zz_post = m[9];
    const real post_0 = 0.33333334f * isotropic_post;
    post[0] = post_0;
    const real t_1 = fma_rn(4.5f, p_xx_post, isotropic_post);
    const real even_0 = 0.055555556f * t_1;
    const real post_1 = fma_rn(0.16666667f, j_x_post, even_0);
    post[1] = post_1;
    const real post_2 = fma_rn(-0.16666667f, j_x_post, even_0);
    post[2] = post_2;
    const real t_2 = fma_rn(4.5f, p_yy_post, isotropic_post);
    const real even_1 = 0.055555556f * t_2;
    const real post_3 = fma_rn(0.16666667f, j_y_post, even_1);
    post[3] = post_3;
    const real post_4 = fma_rn(-0.16666667f, j_y_post, even_1);
    post[4] = post_4;
    const real even_2_part_1 = 0.055555556f * isotropic_post;
    const real even_2 = fma_rn(0.25f, p_zz_post, even_2_part_1);
    const real post_5 = fma_rn(0.16666667f, j_z_post, even_2);
    post[5] = post_5;
    const real post_6 = fma_rn(-0.16666667f, j_z_post, even_2);
    post[6] = post_6;
    const real t_3 = fma_rn(0.22222222f, t_1, p_yy_post);
    const real even_3_part_1 = 0.25f * p_xy_post;
    const real even_3 = fma_rn(0.125f, t_3, even_3_part_1);
    const real t_6 = j_x_post + j_y_post;
    const real odd_3 = 0.083333336f * t_6;
    const real post_7 = even_3 + odd_3;
    post[7] = post_7;
    const real post_8 = even_3 - odd_3;
    post[8] = post_8;
    const real t_4 = fma_rn(0.22222222f, t_1, p_zz_post);
    const real even_4_part_1 = 0.25f * p_xz_post;
    const real even_4 = fma_rn(0.125f, t_4, even_4_part_1);
    const real t_8 = j_x_post + j_z_post;
    const real odd_4 = 0.083333336f * t_8;
    const real post_9 = even_4 + odd_4;
    post[9] = post_9;
    const real post_10 = even_4 - odd_4;
    post[10] = post_10;
    const real even_5_part_1 = -0.25f * p_xz_post;
    const real even_5 = fma_rn(0.125f, t_4, even_5_part_1);
    const real t_9 = j_x_post - j_z_post;
    const real odd_5 = 0.083333336f * t_9;
    const real post_11 = even_5 + odd_5;
    post[11] = post_11;
    const real post_12 = even_5 - odd_5;
    post[12] = post_12;
    const real even_6_part_1 = -0.25f * p_xy_post;
    const real even_6 = fma_rn(0.125f, t_3, even_6_part_1);
    const real t_7 = j_x_post - j_y_post;
    const real odd_6 = 0.083333336f * t_7;
    const real post_13 = even_6 + odd_6;
    post[13] = post_13;
    const real post_14 = even_6 - odd_6;
    post[14] = post_14;
    const real t_5 = fma_rn(0.22222222f, t_2, p_zz_post);
    const real even_7_part_1 = 0.25f * p_yz_post;
    const real even_7 = fma_rn(0.125f, t_5, even_7_part_1);
    const real t_10 = j_y_post + j_z_post;
    const real odd_7 = 0.083333336f * t_10;
    const real post_15 = even_7 + odd_7;
    post[15] = post_15;
    const real post_16 = even_7 - odd_7;
    post[16] = post_16;
    const real even_8_part_1 = -0.25f * p_yz_post;
    const real even_8 = fma_rn(0.125f, t_5, even_8_part_1);
    const real t_11 = j_y_post - j_z_post;
    const real odd_8 = 0.083333336f * t_11;
    const real post_17 = even_8 + odd_8;
    post[17] = post_17;
    const real post_18 = even_8 - odd_8;
    post[18] = post_18;
}

// Coefficients that are the same for all nodes.
struct Uniforms { real k[2]; };

// The collision of one node, to the moments that carry it.
__device__ __forceinline__ void gather(const real (&h)[19], const real (&k)[2], real (&m)[10]) {
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
    m[2] = j_y;
    const real pi_neq_1_2_part_1 = waiting_yz + t_6_late;
    const real pi_neq_1_1_part_1 = waiting_yy + t_2_late;
    const real t_1_late = h[10] + h[11];
    const real t_5_late = h[10] - h[11];
    const real t_3_late = h[6] + t_1_late;
    const real t_4_late = t_2_late + t_3_late;
    const real pi_neq_0_0_part_1 = t_12 + t_1_late;
    const real delta_rho = waiting_0 + t_4_late;
    const real j_x = waiting_x - t_5_late;
    m[1] = j_x;
    const real pi_neq_0_2_part_1 = waiting_xz + t_5_late;
    const real rho = 1.0f + delta_rho;
    const real inverse_rho = rcp_rn(rho);
    const real u_x = j_x * inverse_rho;
    const real flux_xx = j_x * u_x;
    const real pi_neq_0_0_part_2 = pi_neq_0_0_part_1 - flux_xx;
    const real pi_neq_0_0 = fma_rn(-0.33333334f, delta_rho, pi_neq_0_0_part_2);
    const real p_xx_post = fma_rn(k[0], pi_neq_0_0, flux_xx);
    m[4] = p_xx_post;
    const real u_y = inverse_rho * j_y;
    const real flux_yy = j_y * u_y;
    const real pi_neq_1_1_part_2 = pi_neq_1_1_part_1 - flux_yy;
    const real pi_neq_1_1 = fma_rn(-0.33333334f, delta_rho, pi_neq_1_1_part_2);
    const real t_9_late = pi_neq_0_0 + pi_neq_1_1;
    const real p_yy_post = fma_rn(k[0], pi_neq_1_1, flux_yy);
    m[7] = p_yy_post;
    const real t_7_late = flux_xx + flux_yy;
    const real isotropic_post_part_1 = fma_rn(-k[1], t_9_late, delta_rho);
    const real flux_xy = j_x * u_y;
    const real pi_neq_0_1 = waiting_xy - flux_xy;
    const real p_xy_post = fma_rn(k[0], pi_neq_0_1, flux_xy);
    m[5] = p_xy_post;
    const real j_z = waiting_z - t_4_late;
    m[3] = j_z;
    const real pi_neq_2_2_part_1 = waiting_z + t_4_late;
    const real u_z = inverse_rho * j_z;
    const real flux_zz = j_z * u_z;
    const real pi_neq_2_2_part_2 = pi_neq_2_2_part_1 - flux_zz;
    const real pi_neq_2_2 = fma_rn(-0.33333334f, delta_rho, pi_neq_2_2_part_2);
    const real t_8_late = fma_rn(k[0], pi_neq_2_2, flux_zz);
    m[9] = t_8_late;
    const real t_10_late = t_7_late + t_8_late;
    const real isotropic_post = fma_rn(-1.5f, t_10_late, isotropic_post_part_1);
    m[0] = isotropic_post;
    const real flux_xz = j_x * u_z;
    const real flux_yz = j_y * u_z;
    const real pi_neq_0_2 = pi_neq_0_2_part_1 - flux_xz;
    const real p_xz_post = fma_rn(k[0], pi_neq_0_2, flux_xz);
    m[6] = p_xz_post;
    const real pi_neq_1_2 = pi_neq_1_2_part_1 - flux_yz;
    const real p_yz_post = fma_rn(k[0], pi_neq_1_2, flux_yz);
    m[8] = p_yz_post;
}

// Moments send populations out, 2 nodes side by side each thread.
extern "C" __global__ void __launch_bounds__(128) scatter_0(
    stored* const values,
    const Uniforms uniforms
) {
    const unsigned x = 2u * (32u * blockIdx.x + threadIdx.x);
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    // Nodes in memory, with neighbours around the box.
    const unsigned xm1 = x < 1u ? x + 255u : x - 1u;
    const unsigned xp1 = x < 254u ? x + 2u : x - 254u;
    const unsigned ym1 = y < 1u ? y + 15u : y - 1u;
    const unsigned yp1 = y < 15u ? y + 1u : y - 15u;
    const unsigned zm1 = z < 1u ? z + 7u : z - 1u;
    const unsigned zp1 = z < 7u ? z + 1u : z - 7u;
    const size_t node_xm1_ym1 = xm1 + 256u * (ym1 + 16u * z);
    const size_t node_xm1_zm1 = xm1 + 256u * (y + 16u * zm1);
    const size_t node_xm1 = xm1 + 256u * (y + 16u * z);
    const size_t node_xm1_zp1 = xm1 + 256u * (y + 16u * zp1);
    const size_t node_xm1_yp1 = xm1 + 256u * (yp1 + 16u * z);
    const size_t node_ym1_zm1 = x + 256u * (ym1 + 16u * zm1);
    const size_t node_ym1 = x + 256u * (ym1 + 16u * z);
    const size_t node_ym1_zp1 = x + 256u * (ym1 + 16u * zp1);
    const size_t node_zm1 = x + 256u * (y + 16u * zm1);
    const size_t node = x + 256u * (y + 16u * z);
    const size_t node_zp1 = x + 256u * (y + 16u * zp1);
    const size_t node_yp1_zm1 = x + 256u * (yp1 + 16u * zm1);
    const size_t node_yp1 = x + 256u * (yp1 + 16u * z);
    const size_t node_yp1_zp1 = x + 256u * (yp1 + 16u * zp1);
    const size_t node_xp1_ym1 = xp1 + 256u * (ym1 + 16u * z);
    const size_t node_xp1_zm1 = xp1 + 256u * (y + 16u * zm1);
    const size_t node_xp1 = xp1 + 256u * (y + 16u * z);
    const size_t node_xp1_zp1 = xp1 + 256u * (y + 16u * zp1);
    const size_t node_xp1_yp1 = xp1 + 256u * (yp1 + 16u * z);
    // Moments.
    real h[2][10], post[2][19];
    read(h, 0, &values[2432u + node / 128u * 3712u + node % 128u]);
    read(h, 1, &values[2560u + node / 128u * 3712u + node % 128u]);
    read(h, 2, &values[2688u + node / 128u * 3712u + node % 128u]);
    read(h, 3, &values[2816u + node / 128u * 3712u + node % 128u]);
    read(h, 4, &values[2944u + node / 128u * 3712u + node % 128u]);
    read(h, 5, &values[3072u + node / 128u * 3712u + node % 128u]);
    read(h, 6, &values[3200u + node / 128u * 3712u + node % 128u]);
    read(h, 7, &values[3328u + node / 128u * 3712u + node % 128u]);
    read(h, 8, &values[3456u + node / 128u * 3712u + node % 128u]);
    read(h, 9, &values[3584u + node / 128u * 3712u + node % 128u]);
    rebuild_all(h[0], post[0]);
    rebuild_all(h[1], post[1]);
    const bool idle = false, first_out = first, last_out = last;
    // All has been read before anything is written.
    asm volatile("" ::: "memory");
    // Populations that leave.
    write_to_east(&values[128u + node / 128u * 3712u + node % 128u], &values[128u + node_xp1 / 128u * 3712u + node_xp1 % 128u], post, 1, first_out, last_out, idle);
    write_to_west(&values[256u + node / 128u * 3712u + node % 128u], &values[256u + node_xm1 / 128u * 3712u + node_xm1 % 128u], post, 2, first_out, last_out, idle);
    write_to_east(&values[896u + node_yp1 / 128u * 3712u + node_yp1 % 128u], &values[896u + node_xp1_yp1 / 128u * 3712u + node_xp1_yp1 % 128u], post, 7, first_out, last_out, idle);
    write_to_west(&values[1024u + node_ym1 / 128u * 3712u + node_ym1 % 128u], &values[1024u + node_xm1_ym1 / 128u * 3712u + node_xm1_ym1 % 128u], post, 8, first_out, last_out, idle);
    write_to_east(&values[1152u + node_zp1 / 128u * 3712u + node_zp1 % 128u], &values[1152u + node_xp1_zp1 / 128u * 3712u + node_xp1_zp1 % 128u], post, 9, first_out, last_out, idle);
    write_to_west(&values[1280u + node_zm1 / 128u * 3712u + node_zm1 % 128u], &values[1280u + node_xm1_zm1 / 128u * 3712u + node_xm1_zm1 % 128u], post, 10, first_out, last_out, idle);
    write_to_east(&values[1408u + node_zm1 / 128u * 3712u + node_zm1 % 128u], &values[1408u + node_xp1_zm1 / 128u * 3712u + node_xp1_zm1 % 128u], post, 11, first_out, last_out, idle);
    write_to_west(&values[1536u + node_zp1 / 128u * 3712u + node_zp1 % 128u], &values[1536u + node_xm1_zp1 / 128u * 3712u + node_xm1_zp1 % 128u], post, 12, first_out, last_out, idle);
    write_to_east(&values[1664u + node_ym1 / 128u * 3712u + node_ym1 % 128u], &values[1664u + node_xp1_ym1 / 128u * 3712u + node_xp1_ym1 % 128u], post, 13, first_out, last_out, idle);
    write_to_west(&values[1792u + node_yp1 / 128u * 3712u + node_yp1 % 128u], &values[1792u + node_xm1_yp1 / 128u * 3712u + node_xm1_yp1 % 128u], post, 14, first_out, last_out, idle);
    write(&values[node / 128u * 3712u + node % 128u], post, 0);
    write(&values[384u + node_yp1 / 128u * 3712u + node_yp1 % 128u], post, 3);
    write(&values[512u + node_ym1 / 128u * 3712u + node_ym1 % 128u], post, 4);
    write(&values[640u + node_zp1 / 128u * 3712u + node_zp1 % 128u], post, 5);
    write(&values[768u + node_zm1 / 128u * 3712u + node_zm1 % 128u], post, 6);
    write(&values[1920u + node_yp1_zp1 / 128u * 3712u + node_yp1_zp1 % 128u], post, 15);
    write(&values[2048u + node_ym1_zm1 / 128u * 3712u + node_ym1_zm1 % 128u], post, 16);
    write(&values[2176u + node_yp1_zm1 / 128u * 3712u + node_yp1_zm1 % 128u], post, 17);
    write(&values[2304u + node_ym1_zp1 / 128u * 3712u + node_ym1_zp1 % 128u], post, 18);
}

// A time step, 2 nodes side by side each thread. Nodes whose bit of `skip` is set are left to `boundary_0`.
extern "C" __global__ void __launch_bounds__(128) step_0(
    stored* const values,
    const Uniforms uniforms,
    const unsigned* __restrict__ skip
) {
    const unsigned x = 2u * (32u * blockIdx.x + threadIdx.x);
    const unsigned y = 4u * blockIdx.y + threadIdx.y;
    const unsigned z = blockIdx.z;
    // Neighbours along x are with the thread beside, if that is in this warp and row.
    const unsigned lane = threadIdx.x & 31u;
    const bool first = lane == 0u, last = lane == 31u;
    // Nodes in memory, with neighbours around the box.
    const size_t node = x + 256u * (y + 16u * z);
    // Populations that meet here.
    real h[2][19], post[2][10];
    read(h, 0, &values[node / 128u * 3712u + node % 128u]);
    read(h, 1, &values[128u + node / 128u * 3712u + node % 128u]);
    read(h, 2, &values[256u + node / 128u * 3712u + node % 128u]);
    read(h, 3, &values[384u + node / 128u * 3712u + node % 128u]);
    read(h, 4, &values[512u + node / 128u * 3712u + node % 128u]);
    read(h, 5, &values[640u + node / 128u * 3712u + node % 128u]);
    read(h, 6, &values[768u + node / 128u * 3712u + node % 128u]);
    read(h, 7, &values[896u + node / 128u * 3712u + node % 128u]);
    read(h, 8, &values[1024u + node / 128u * 3712u + node % 128u]);
    read(h, 9, &values[1152u + node / 128u * 3712u + node % 128u]);
    read(h, 10, &values[1280u + node / 128u * 3712u + node % 128u]);
    read(h, 11, &values[1408u + node / 128u * 3712u + node % 128u]);
    read(h, 12, &values[1536u + node / 128u * 3712u + node % 128u]);
    read(h, 13, &values[1664u + node / 128u * 3712u + node % 128u]);
    read(h, 14, &values[1792u + node / 128u * 3712u + node % 128u]);
    read(h, 15, &values[1920u + node / 128u * 3712u + node % 128u]);
    read(h, 16, &values[2048u + node / 128u * 3712u + node % 128u]);
    read(h, 17, &values[2176u + node / 128u * 3712u + node % 128u]);
    read(h, 18, &values[2304u + node / 128u * 3712u + node % 128u]);
    gather(h[0], uniforms.k, post[0]);
    gather(h[1], uniforms.k, post[1]);
    const size_t pack = x / 2u + 128u * (y + 16u * z);
    if (skip[pack >> 5] >> (pack & 31u) & 1u) return;
    // All has been read before anything is written.
    asm volatile("" ::: "memory");
    // Moments that stay.
    write(&values[2432u + node / 128u * 3712u + node % 128u], post, 0);
    write(&values[2560u + node / 128u * 3712u + node % 128u], post, 1);
    write(&values[2688u + node / 128u * 3712u + node % 128u], post, 2);
    write(&values[2816u + node / 128u * 3712u + node % 128u], post, 3);
    write(&values[2944u + node / 128u * 3712u + node % 128u], post, 4);
    write(&values[3072u + node / 128u * 3712u + node % 128u], post, 5);
    write(&values[3200u + node / 128u * 3712u + node % 128u], post, 6);
    write(&values[3328u + node / 128u * 3712u + node % 128u], post, 7);
    write(&values[3456u + node / 128u * 3712u + node % 128u], post, 8);
    write(&values[3584u + node / 128u * 3712u + node % 128u], post, 9);
}

// The same for `count` nodes at walls. Bit i of `missing` says that direction i comes from a wall, whose
// number follows in `walls`; what this node sent there comes back, and a moving wall adds its term.
extern "C" __global__ void __launch_bounds__(128, 1) boundary_0(
    stored* const values,
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
    const unsigned x = index % 256u, y = index / 256u % 16u, z = index / 256u / 16u;
    const unsigned lost = missing[number];
    unsigned link = links[number];
    // Nodes in memory, with neighbours around the box.
    const size_t node = x + 256u * (y + 16u * z);
    real h[19], after[10];
    // Populations that meet here, or come back.
    { h[0] = decode(values[node / 128u * 3712u + node % 128u]); }
    if (lost >> 1 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); h[1] = rebuild_2(m);
        h[1] = h[1] + terms[19u * walls[link++] + 1u];
    } else { h[1] = decode(values[128u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 2 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); h[2] = rebuild_1(m);
        h[2] = h[2] + terms[19u * walls[link++] + 2u];
    } else { h[2] = decode(values[256u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 3 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[3] = rebuild_4(m);
        h[3] = h[3] + terms[19u * walls[link++] + 3u];
    } else { h[3] = decode(values[384u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 4 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[4] = rebuild_3(m);
        h[4] = h[4] + terms[19u * walls[link++] + 4u];
    } else { h[4] = decode(values[512u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 5 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[5] = rebuild_6(m);
        h[5] = h[5] + terms[19u * walls[link++] + 5u];
    } else { h[5] = decode(values[640u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 6 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[6] = rebuild_5(m);
        h[6] = h[6] + terms[19u * walls[link++] + 6u];
    } else { h[6] = decode(values[768u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 7 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[5] = decode(values[3072u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[7] = rebuild_8(m);
        h[7] = h[7] + terms[19u * walls[link++] + 7u];
    } else { h[7] = decode(values[896u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 8 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[5] = decode(values[3072u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[8] = rebuild_7(m);
        h[8] = h[8] + terms[19u * walls[link++] + 8u];
    } else { h[8] = decode(values[1024u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 9 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[6] = decode(values[3200u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[9] = rebuild_10(m);
        h[9] = h[9] + terms[19u * walls[link++] + 9u];
    } else { h[9] = decode(values[1152u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 10 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[6] = decode(values[3200u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[10] = rebuild_9(m);
        h[10] = h[10] + terms[19u * walls[link++] + 10u];
    } else { h[10] = decode(values[1280u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 11 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[6] = decode(values[3200u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[11] = rebuild_12(m);
        h[11] = h[11] + terms[19u * walls[link++] + 11u];
    } else { h[11] = decode(values[1408u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 12 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[6] = decode(values[3200u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[12] = rebuild_11(m);
        h[12] = h[12] + terms[19u * walls[link++] + 12u];
    } else { h[12] = decode(values[1536u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 13 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[5] = decode(values[3072u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[13] = rebuild_14(m);
        h[13] = h[13] + terms[19u * walls[link++] + 13u];
    } else { h[13] = decode(values[1664u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 14 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[1] = decode(values[2560u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[4] = decode(values[2944u + node / 128u * 3712u + node % 128u]); m[5] = decode(values[3072u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); h[14] = rebuild_13(m);
        h[14] = h[14] + terms[19u * walls[link++] + 14u];
    } else { h[14] = decode(values[1792u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 15 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); m[8] = decode(values[3456u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[15] = rebuild_16(m);
        h[15] = h[15] + terms[19u * walls[link++] + 15u];
    } else { h[15] = decode(values[1920u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 16 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); m[8] = decode(values[3456u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[16] = rebuild_15(m);
        h[16] = h[16] + terms[19u * walls[link++] + 16u];
    } else { h[16] = decode(values[2048u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 17 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); m[8] = decode(values[3456u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[17] = rebuild_18(m);
        h[17] = h[17] + terms[19u * walls[link++] + 17u];
    } else { h[17] = decode(values[2176u + node / 128u * 3712u + node % 128u]); }
    if (lost >> 18 & 1u) {
        real m[10]; m[0] = decode(values[2432u + node / 128u * 3712u + node % 128u]); m[2] = decode(values[2688u + node / 128u * 3712u + node % 128u]); m[3] = decode(values[2816u + node / 128u * 3712u + node % 128u]); m[7] = decode(values[3328u + node / 128u * 3712u + node % 128u]); m[8] = decode(values[3456u + node / 128u * 3712u + node % 128u]); m[9] = decode(values[3584u + node / 128u * 3712u + node % 128u]); h[18] = rebuild_17(m);
        h[18] = h[18] + terms[19u * walls[link++] + 18u];
    } else { h[18] = decode(values[2304u + node / 128u * 3712u + node % 128u]); }
    gather(h, uniforms.k, after);
    // Moments that stay.
    values[2432u + node / 128u * 3712u + node % 128u] = encode(after[0]);
    values[2560u + node / 128u * 3712u + node % 128u] = encode(after[1]);
    values[2688u + node / 128u * 3712u + node % 128u] = encode(after[2]);
    values[2816u + node / 128u * 3712u + node % 128u] = encode(after[3]);
    values[2944u + node / 128u * 3712u + node % 128u] = encode(after[4]);
    values[3072u + node / 128u * 3712u + node % 128u] = encode(after[5]);
    values[3200u + node / 128u * 3712u + node % 128u] = encode(after[6]);
    values[3328u + node / 128u * 3712u + node % 128u] = encode(after[7]);
    values[3456u + node / 128u * 3712u + node % 128u] = encode(after[8]);
    values[3584u + node / 128u * 3712u + node % 128u] = encode(after[9]);
}
