// How a kernel is called from outside: stubs that unpack the arguments by type, and the one table that is exported.
namespace lbm_shim {

// The limit of a block on current devices, 227 KiB.
alignas(128) static unsigned char dynamic_shared[232448];
static unsigned char shared_section_exists __attribute__((section(LBM_SHARED_SECTION), used, aligned(128)));

template <class T> static inline T argument(const void* place) {
  T value;
  __builtin_memcpy(&value, place, sizeof value);
  return value;
}

template <size_t... I> struct Indices {};
template <size_t N, size_t... I> struct Count : Count<N - 1, N - 1, I...> {};
template <size_t... I> struct Count<0, I...> { typedef Indices<I...> type; };

template <auto kernel> struct Stub;
template <class... A, void (*kernel)(A...)> struct Stub<kernel> {
  static constexpr unsigned parameters = sizeof...(A);
  template <size_t... I> static inline void call(void* const* arguments, Indices<I...>) {
    kernel(argument<A>(arguments[I])...);
  }
  static void once(void* const* arguments) { call(arguments, typename Count<sizeof...(A)>::type()); }
  static void loop(void* const* arguments, const uint3* threads, size_t count) {
    for (size_t i = 0; i < count; i++) {
      state.thread = threads[i];
      call(arguments, typename Count<sizeof...(A)>::type());
    }
  }
};

// Mirrored by `Entry` in fibre.rs.
struct Entry {
  void (*once)(void* const*);
  void (*loop)(void* const*, const uint3*, size_t);
  size_t parameters;
};
template <auto kernel> static constexpr Entry entry() {
  return {Stub<kernel>::once, Stub<kernel>::loop, Stub<kernel>::parameters};
}

// Mirrored by `Table` in fibre.rs.
struct Table {
  size_t fibre_bytes;
  State* state;
  void (*prepare)(Fibre*);
  void (*resume)(Fibre*);
  unsigned char *shared_begin, *shared_end, *dynamic_begin;
  size_t dynamic_bytes;
  const Entry* entries;
  size_t entry_count;
  // Unused outside; a linker that drops what nobody refers to would drop the section.
  unsigned char* keeps_section;
};

}  // namespace lbm_shim

#ifdef __APPLE__
extern "C" unsigned char lbm_shared_begin __asm("section$start$__DATA$lbm_shared");
extern "C" unsigned char lbm_shared_end __asm("section$end$__DATA$lbm_shared");
#else
extern "C" __attribute__((visibility("hidden"))) unsigned char lbm_shared_begin __asm__("__start_lbm_shared");
extern "C" __attribute__((visibility("hidden"))) unsigned char lbm_shared_end __asm__("__stop_lbm_shared");
#endif

#define LBM_TABLE(...)                                                                                           \
  static const lbm_shim::Entry lbm_entries[] = {__VA_ARGS__};                                                    \
  extern "C" __attribute__((visibility("default"))) const lbm_shim::Table lbm_table = {                          \
      sizeof(lbm_shim::Fibre), &lbm_shim::state, lbm_shim::prepare, lbm_shim::resume, &lbm_shared_begin,         \
      &lbm_shared_end, lbm_shim::dynamic_shared, sizeof lbm_shim::dynamic_shared, lbm_entries,                   \
      sizeof lbm_entries / sizeof lbm_entries[0], &lbm_shim::shared_section_exists};
