// The number of a node with links, by its index in the order x, y, z.
__device__ __forceinline__ unsigned number_linked(
    const unsigned* __restrict__ linked, const unsigned* __restrict__ ranks, const size_t index
) {
    return ranks[index >> 5] + __popc(linked[index >> 5] & ((1u << (index & 31u)) - 1u));
}

// Asks for what this thread will read soon.
template <class T>
__device__ __forceinline__ void ask_for(const T* const at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(__cvta_generic_to_global(at)));
#else
    (void)at;
#endif
}
