// A code in the upper half of a word. Said like this, a device takes it from either half of a word of memory in one instruction.
#ifdef LBM_ON_HOST
__device__ __forceinline__ unsigned raised(const unsigned short code) { return static_cast<unsigned>(code) << 16; }
#else
__device__ __forceinline__ unsigned raised(const unsigned short code) {
    const unsigned short zero = 0;
    unsigned word;
    asm("mov.b32 %0, {%1, %2};" : "=r"(word) : "h"(zero), "h"(code));
    return word;
}
#endif
