// What another node has sent, where it lies in a copy; zero, if no fluid is there.
__device__ __forceinline__ real seen(const stored* const there, const unsigned at) {
    const real value = decode(there[at == 0xffffffffu ? 0u : at]);
    return at == 0xffffffffu ? (real)0 : value;
}
