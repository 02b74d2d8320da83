// What goes to the neighbours along x is exchanged in the same way, so that whole groups are written. A thread whose
// neighbour writes nothing (`first` to the west, `last` to the east of it) writes what falls into that one's group by itself,
// and of its own group only what is its own.
template <int N, int Q>
__device__ __forceinline__ void write_to_east(
    stored* const at, stored* const east, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Group<N> group;
#pragma unroll
    for (int n = 1; n < N; ++n) group.value[n] = encode(post[n - 1][i]);
    const stored end = encode(post[N - 1][i]);
    group.value[0] = __shfl_up_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (first) {
#pragma unroll
        for (int n = 1; n < N; ++n) at[n] = group.value[n];
    } else {
        *reinterpret_cast<Group<N>*>(at) = group;
    }
    if (last) *east = end;
}

template <int N, int Q>
__device__ __forceinline__ void write_to_west(
    stored* const at, stored* const west, const real (&post)[N][Q], const int i, const bool first, const bool last, const bool idle
) {
    Group<N> group;
#pragma unroll
    for (int n = 0; n + 1 < N; ++n) group.value[n] = encode(post[n + 1][i]);
    const stored end = encode(post[0][i]);
    group.value[N - 1] = __shfl_down_sync(0xffffffffu, end, 1);
    if (idle) return;
    if (last) {
#pragma unroll
        for (int n = 0; n + 1 < N; ++n) at[n] = group.value[n];
    } else {
        *reinterpret_cast<Group<N>*>(at) = group;
    }
    if (first) *west = end;
}
