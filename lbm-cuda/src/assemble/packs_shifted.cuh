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
