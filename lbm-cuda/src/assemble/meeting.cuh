// Warps of a block meet in turns, without a barrier at which all stand still: each says that it has sent, goes on with
// something else, and waits for all others only before it reads what they sent. Nobody says so a second time before all have
// done so once: a turn differs from the next in one bit.
//
// From sm_90 on every lane says it, with release semantics, and each thread that waits acquires (the defaults of both instructions,
// for the block): all that a warp did before comes before all that others do after waiting (PTX ISA, memory consistency model).
// One lane after `__syncwarp` could say it for its warp, since causality order is transitive, as it does on older devices; but
// `racecheck` of CUDA 13.0 does not follow that.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__device__ __forceinline__ unsigned shared_address(const unsigned long long* const meeting) {
    return (unsigned)__cvta_generic_to_shared(meeting);
}
__device__ __forceinline__ void open_meeting(unsigned long long* const meeting, const unsigned warps) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(meeting)), "r"(32u * warps) : "memory");
}
__device__ __forceinline__ void say_sent(unsigned long long* const meeting) {
    __syncwarp();
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(meeting)) : "memory");
}
__device__ __forceinline__ void wait_for_all(
    const unsigned long long* const meeting, const unsigned turn, const unsigned
) {
    unsigned met;
    do {
        asm volatile(
            "{ .reg .pred met; mbarrier.try_wait.parity.shared::cta.b64 met, [%1], %2; selp.u32 %0, 1, 0, met; }"
            : "=r"(met)
            : "r"(shared_address(meeting)), "r"(turn & 1u)
            : "memory"
        );
    } while (met == 0u);
}
#else
__device__ __forceinline__ void open_meeting(unsigned long long* const meeting, const unsigned) {
    *meeting = 0;
}
__device__ __forceinline__ void say_sent(unsigned long long* const meeting) {
    __syncwarp();
    if (threadIdx.x == 0u) {
        __threadfence_block();
        atomicAdd(meeting, 1ull);
    }
}
__device__ __forceinline__ void wait_for_all(
    const unsigned long long* const meeting, const unsigned turn, const unsigned warps
) {
    const volatile unsigned long long* const sent = meeting;
    while (*sent < (turn + 1ull) * warps) __nanosleep(20);
    __threadfence_block();
}
#endif
