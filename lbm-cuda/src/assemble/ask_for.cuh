// Asks for what this thread will read soon.
template <class T>
__device__ __forceinline__ void ask_for(const T* const at) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L1 [%0];" ::"l"(__cvta_generic_to_global(at)));
#else
    (void)at;
#endif
}
