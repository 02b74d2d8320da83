// Of a bit a node those from this index on.
__device__ __forceinline__ unsigned bits_at(const unsigned* __restrict__ bits, const size_t index, const unsigned mask) {
    return bits[index >> 5] >> (index & 31u) & mask;
}
