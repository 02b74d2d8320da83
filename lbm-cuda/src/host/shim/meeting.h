// Threads as fibres, and the places where they meet. A fibre that waits writes down what for and switches to the
// scheduler, which lives outside of this text and decides who goes on; nothing here has a policy.
namespace lbm_shim {

enum Status : unsigned { ready, done, yielded, at_block, at_warp };
enum Meeting : unsigned { barrier, synchronise, shuffle, ballot };

// Mirrored by `Fibre` in fibre.rs.
struct Fibre {
  void* context;
  unsigned char* stack;
  size_t stack_bytes;
  unsigned long long value, result;
  unsigned thread[3];
  unsigned lane, status, meeting, mask, source, found, line;
};

// Mirrored by `State` in fibre.rs.
struct State {
  uint3 thread, block;
  dim3 block_dim, grid_dim;
  Fibre* current;
  void* scheduler;
  void* const* arguments;
  void (*once)(void* const*);
  unsigned stray;
};
static State state = {};

}  // namespace lbm_shim

#define threadIdx (lbm_shim::state.thread)
#define blockIdx (lbm_shim::state.block)
#define blockDim (lbm_shim::state.block_dim)
#define gridDim (lbm_shim::state.grid_dim)

// Saves the running context in `*save` and goes on with `to`. An external function to the compiler, so that no
// value in memory is kept in a register across it.
extern "C" __attribute__((visibility("hidden"))) void lbm_switch(void** save, void* to);

namespace lbm_shim {
static void start();
}

#ifdef __APPLE__
#define LBM_FUNCTION(name) ".text\n.p2align 4\n.private_extern _" name "\n.globl _" name "\n_" name ":\n"
#else
#define LBM_FUNCTION(name) ".text\n.p2align 4\n.globl " name "\n.hidden " name "\n" name ":\n"
#endif

#if defined(LBM_UCONTEXT)
extern "C" void lbm_switch(void** save, void* to) { swapcontext((ucontext_t*)*save, (const ucontext_t*)to); }
namespace lbm_shim {
static ucontext_t scheduler_context;
static void prepare(Fibre* fibre) {
  state.scheduler = &scheduler_context;
  ucontext_t* context = (ucontext_t*)(fibre->stack + 64);  // above the canary of the scheduler
  const size_t below = 64 + (sizeof(ucontext_t) + 63) / 64 * 64;
  getcontext(context);
  context->uc_stack.ss_sp = fibre->stack + below;
  context->uc_stack.ss_size = fibre->stack_bytes - below;
  context->uc_link = 0;
  makecontext(context, start, 0);
  fibre->context = context;
}
}  // namespace lbm_shim
#elif defined(__x86_64__)
__asm__(LBM_FUNCTION("lbm_switch")
        "pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
        "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
        "popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n");
namespace lbm_shim {
static void prepare(Fibre* fibre) {
  void** top = (void**)(((size_t)fibre->stack + fibre->stack_bytes) & ~(size_t)15);
  *--top = 0;  // the return address of `start`: with it the stack is aligned as after a call
  *--top = (void*)start;
  for (int saved = 0; saved < 6; saved++) *--top = 0;
  fibre->context = top;
}
}  // namespace lbm_shim
#elif defined(__aarch64__)
__asm__(LBM_FUNCTION("lbm_switch")
        "stp x19, x20, [sp, #-160]!\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\nstp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\n"
        "stp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\nmov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\nldp x27, x28, [sp, #64]\n"
        "ldp x29, x30, [sp, #80]\nldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\n"
        "ldp d14, d15, [sp, #144]\nldp x19, x20, [sp], #160\nret\n");
namespace lbm_shim {
static void prepare(Fibre* fibre) {
  void** top = (void**)(((size_t)fibre->stack + fibre->stack_bytes) & ~(size_t)15) - 20;
  for (int saved = 0; saved < 20; saved++) top[saved] = 0;
  top[11] = (void*)start;  // x30, where `ret` goes
  fibre->context = top;
}
}  // namespace lbm_shim
#else
#error "no context switch for this processor: build with -DLBM_UCONTEXT"
#endif

namespace lbm_shim {

static void start() {
  state.once(state.arguments);
  Fibre* fibre = state.current;
  fibre->status = done;
  lbm_switch(&fibre->context, state.scheduler);
  __builtin_trap();  // nobody resumes what is done
}

static void resume(Fibre* fibre) {
  state.current = fibre;
  state.thread = make_uint3(fibre->thread[0], fibre->thread[1], fibre->thread[2]);
  lbm_switch(&state.scheduler, fibre->context);
}

// Where a thread lands that meets although its kernel runs as a plain loop; the scheduler reports it.
static Fibre nobody;

static __attribute__((noinline)) Fibre* meet(Status status, Meeting meeting, unsigned line, unsigned mask,
                                             unsigned source, unsigned long long value) {
  Fibre* fibre = state.current;
  if (!fibre) {
    state.stray = line;
    return &nobody;
  }
  fibre->meeting = meeting;
  fibre->line = line;
  fibre->mask = mask;
  fibre->source = source;
  fibre->value = value;
  fibre->status = status;
  lbm_switch(&fibre->context, state.scheduler);
  return fibre;
}

// Lets others run; a loop that waits for another thread needs one of these in it.
static inline void yield() {
  Fibre* fibre = state.current;
  if (!fibre) return;
  fibre->status = yielded;
  lbm_switch(&fibre->context, state.scheduler);
}

static inline unsigned lane() { return state.current ? state.current->lane : 0; }

// What a shuffle gives that reads from a lane which takes no part: unspecified on a GPU, easily seen here.
template <class T> static inline T poison() {
  T value;
  __builtin_memset(&value, 0xcd, sizeof value);
  return value;
}
template <> inline float poison<float>() { return __builtin_nanf("0xcdcd"); }
template <> inline double poison<double>() { return __builtin_nan("0xcdcdcdcd"); }

template <class T> static inline T exchange(unsigned mask, T value, unsigned source, unsigned line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 32 or 64 bits");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  Fibre* fibre = meet(at_warp, shuffle, line, mask, source, bits);
  if (!fibre->found) return poison<T>();
  bits = fibre->result;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static inline unsigned from_index(int source, int width) {
  return (lane() & ~(unsigned)(width - 1)) | ((unsigned)source & (unsigned)(width - 1));
}
static inline unsigned from_below(unsigned delta, int width) {
  const unsigned here = lane(), first = here & ~(unsigned)(width - 1);
  return here - first >= delta ? here - delta : here;
}
static inline unsigned from_above(unsigned delta, int width) {
  const unsigned here = lane(), last = here | (unsigned)(width - 1);
  return last - here >= delta ? here + delta : here;
}
static inline unsigned from_flipped(int flip, int width) {
  const unsigned here = lane(), there = here ^ (unsigned)flip;
  return there <= (here | (unsigned)(width - 1)) ? there : here;
}

}  // namespace lbm_shim

#define LBM_LINE unsigned line = __builtin_LINE()
#define LBM_SHUFFLES(T)                                                                                          \
  static inline T __shfl_sync(unsigned mask, T value, int source, int width = 32, LBM_LINE) {                    \
    return lbm_shim::exchange(mask, value, lbm_shim::from_index(source, width), line);                           \
  }                                                                                                              \
  static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, LBM_LINE) {             \
    return lbm_shim::exchange(mask, value, lbm_shim::from_below(delta, width), line);                            \
  }                                                                                                              \
  static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, LBM_LINE) {           \
    return lbm_shim::exchange(mask, value, lbm_shim::from_above(delta, width), line);                            \
  }                                                                                                              \
  static inline T __shfl_xor_sync(unsigned mask, T value, int flip, int width = 32, LBM_LINE) {                  \
    return lbm_shim::exchange(mask, value, lbm_shim::from_flipped(flip, width), line);                           \
  }
LBM_SHUFFLES(int)
LBM_SHUFFLES(unsigned)
LBM_SHUFFLES(long)
LBM_SHUFFLES(unsigned long)
LBM_SHUFFLES(long long)
LBM_SHUFFLES(unsigned long long)
LBM_SHUFFLES(float)
LBM_SHUFFLES(double)

static inline void __syncwarp(unsigned mask = 0xffffffffu, LBM_LINE) {
  lbm_shim::meet(lbm_shim::at_warp, lbm_shim::synchronise, line, mask, 0, 0);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate, LBM_LINE) {
  return (unsigned)lbm_shim::meet(lbm_shim::at_warp, lbm_shim::ballot, line, mask, 0, predicate != 0)->result;
}
static inline int __any_sync(unsigned mask, int predicate, LBM_LINE) {
  return __ballot_sync(mask, predicate, line) != 0;
}
static inline int __all_sync(unsigned mask, int predicate, LBM_LINE) {
  return __ballot_sync(mask, !predicate, line) == 0;
}

static inline int __syncthreads_count(int predicate, LBM_LINE) {
  return (int)lbm_shim::meet(lbm_shim::at_block, lbm_shim::barrier, line, 0, 0, predicate != 0)->result;
}
static inline int __syncthreads_or(int predicate, LBM_LINE) { return __syncthreads_count(predicate, line) != 0; }
static inline int __syncthreads_and(int predicate, LBM_LINE) { return __syncthreads_count(!predicate, line) == 0; }
static inline void __syncthreads(LBM_LINE) { __syncthreads_count(0, line); }

static inline void __threadfence() { lbm_shim::yield(); }
static inline void __threadfence_block() { lbm_shim::yield(); }
static inline void __threadfence_system() { lbm_shim::yield(); }
static inline void __nanosleep(unsigned) { lbm_shim::yield(); }
