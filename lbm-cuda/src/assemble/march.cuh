// What leaves the nodes of a pack along x comes to the nodes beside; at the pack's end it comes from the thread beside, or,
// at the end of a warp, was rebuilt here.
template <int N, int Q>
__device__ __forceinline__ void arrive_from_west(
    real (&h)[N][Q], const int i, const real (&leaving)[N][Q], const real end, const bool first
) {
    const real beside = __shfl_up_sync(0xffffffffu, leaving[N - 1][i], 1);
    h[0][i] = first ? end : beside;
#pragma unroll
    for (int n = 1; n < N; ++n) h[n][i] = leaving[n - 1][i];
}

template <int N, int Q>
__device__ __forceinline__ void arrive_from_east(
    real (&h)[N][Q], const int i, const real (&leaving)[N][Q], const real end, const bool last
) {
    const real beside = __shfl_down_sync(0xffffffffu, leaving[0][i], 1);
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) h[n][i] = leaving[n + 1][i];
    h[N - 1][i] = last ? end : beside;
}
