// Asks for what will be read soon.
__device__ __forceinline__ void prefetch(const stored* const at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(at)));
#else
    (void)at;
#endif
}
