#define _GNU_SOURCE
#include "Code.h"
#include "Images.h"

// What a scenario's code does to tasks without taking a lock that is seen: it cancels them and asks whether they are
// cancelled. These functions stand before the runtime's, say what is about to happen, and go on to them; all that they
// were given is left as it is.

// Of the runtime's.
void *swift_task_getCurrent(void);
void *swift_retain(void *object);
void swift_release(void *object);

const void *interleaving_current_task(void) { return swift_task_getCurrent(); }

#if defined(__linux__)
#include <dlfcn.h>
#include <stdatomic.h>

static __attribute__((noinline)) void tell(int operation, const void *task, const void *caller) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL || task == NULL) return;
  notice_unlocks(seat);
  operate(seat, operation, task, place_of(caller));
}

static inline void tell_of_running(int operation, const void *caller) {
  if (interleaving_seat_of_thread != NULL) tell(operation, swift_task_getCurrent(), caller);
}

/// Says what is about to happen to a task, and goes on to the real function.
#define ENTRY(name, symbol, operation, task) \
  uintptr_t name(uintptr_t self, uintptr_t other) __asm__(symbol); \
  uintptr_t name(uintptr_t self, uintptr_t other) { \
    static _Atomic(uintptr_t) known; \
    if (interleaving_seat_of_thread != NULL) tell(operation, task, __builtin_return_address(0)); \
    __attribute__((musttail)) return ((uintptr_t(*)(uintptr_t, uintptr_t))find_real(&known, symbol, NULL))( \
      self, other); \
  }

// What the runtime says meanwhile that it acquires it has not waited for.
#define CANCEL(name, symbol) \
  void name(uintptr_t task) __asm__(symbol); \
  void name(uintptr_t task) { \
    static _Atomic(uintptr_t) known; \
    if (interleaving_seat_of_thread != NULL) \
      tell(interleaving_cancel, (const void *)task, __builtin_return_address(0)); \
    code_of_thread.cancelling++; \
    ((void (*)(uintptr_t))find_real(&known, symbol, NULL))(task); \
    code_of_thread.cancelling--; \
  }
CANCEL(cancel, "$sScT6cancelyyF")
CANCEL(cancel_task, "swift_task_cancel")

#define SELF ((const void *)self)
ENTRY(is_cancelled, "$sScT11isCancelledSbvg", interleaving_ask_cancelled, SELF)
ENTRY(is_task_cancelled, "swift_task_isCancelled", interleaving_ask_cancelled, SELF)

// Of the running task.
#define ENTRY_OF_RUNNING(name, symbol) \
  ENTRY(name, symbol, interleaving_ask_cancelled, swift_task_getCurrent())
ENTRY_OF_RUNNING(is_running_cancelled, "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ")
ENTRY_OF_RUNNING(check_cancellation, "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ")
ENTRY_OF_RUNNING(is_group_cancelled, "$sScG11isCancelledSbvg")
ENTRY_OF_RUNNING(is_throwing_group_cancelled, "$sScg11isCancelledSbvg")
ENTRY_OF_RUNNING(is_discarding_group_cancelled, "$ss19DiscardingTaskGroupV11isCancelledSbvg")
ENTRY_OF_RUNNING(is_throwing_discarding_group_cancelled, "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg")
// Adds a task that exists to a group, unless that is cancelled where `other` is false.
ENTRY(
  add_pending, "swift_taskGroup_addPending",
  (other & 1) != 0 ? interleaving_begin_child : interleaving_ask_cancelled, swift_task_getCurrent())

// Of the task that `withUnsafeCurrentTask` has handed out.
#define SWIFT __attribute__((swiftcall))
#define UNSAFE __attribute__((swift_context)) uintptr_t *self
SWIFT void cancel_unsafe(UNSAFE) __asm__("$sSct6cancelyyF");
SWIFT void cancel_unsafe(UNSAFE) { cancel_task(*self); }
SWIFT bool is_unsafe_cancelled(UNSAFE) __asm__("$sSct11isCancelledSbvg");
SWIFT bool is_unsafe_cancelled(UNSAFE) { return is_task_cancelled(*self, 0) & 1; }

// Begins a task and runs it up to where it suspends, within the step of who calls.
void swift_task_immediate(void *task, uintptr_t identity, uintptr_t implementation);
void swift_task_immediate(void *task, uintptr_t identity, uintptr_t implementation) {
  static _Atomic(uintptr_t) known;
  bool is_seen = interleaving_seat_of_thread != NULL;
  if (is_seen) {
    swift_retain(task);
    tell(interleaving_begin_at_once, task, __builtin_return_address(0));
  }
  ((void (*)(void *, uintptr_t, uintptr_t))find_real(&known, "swift_task_immediate", NULL))(
    task, identity, implementation);
  if (is_seen) {
    tell(interleaving_have_begun, task, NULL);
    swift_release(task);
  }
}

// What a task is made with: a list, of which only executors are looked at, or zeros: where the task is isolated, and which
// executor it prefers.
typedef struct task_option {
  uintptr_t kind;
  struct task_option *next;
  uintptr_t executor, implementation;
} task_option;
enum { isolation = 0, unowned_preference = 5, owned_preference = 6 };

static task_option *find_option(task_option *options, uintptr_t kind, uintptr_t other_kind) {
  while (options != NULL && options->kind != kind && options->kind != other_kind) options = options->next;
  return options;
}

// Makes a task, as a child of a group where the flags say so. One that begins at once, and is isolated to nothing, does so
// apart from any executor: if it sleeps or yields before it has waited, it asks for the one that it prefers. That is the
// explorer's, if it would prefer none.
typedef struct { void *task, *context; } task_and_context;
SWIFT task_and_context swift_task_create(
  uintptr_t flags, task_option *options, const void *type, void *code, void *context);
SWIFT task_and_context swift_task_create(
  uintptr_t flags, task_option *options, const void *type, void *code, void *context) {
  enum { is_added_to_group = 1 << 13, begins_at_once = 1 << 16 };
  static _Atomic(uintptr_t) known;
  if ((flags & is_added_to_group) != 0) tell_of_running(interleaving_begin_child, __builtin_return_address(0));
  typedef SWIFT task_and_context (*create)(uintptr_t, task_option *, const void *, void *, void *);
  interleaving_seat *seat = (flags & begins_at_once) != 0 ? seat_in_scenario() : NULL;
  task_option *isolated = seat == NULL ? NULL : find_option(options, isolation, isolation);
  if (seat != NULL && (isolated == NULL || isolated->executor == 0)) {
    task_option ours = {unowned_preference, options, seat->executor, seat->executor_implementation};
    task_option *preference = find_option(options, unowned_preference, owned_preference);
    if (preference == NULL) {
      return ((create)find_real(&known, "swift_task_create", NULL))(flags, &ours, type, code, context);
    }
    if (preference->executor == 0) {
      // The caller has it for this call only.
      ours.next = preference->next;
      *preference = ours;
    }
  }
  __attribute__((musttail)) return ((create)find_real(&known, "swift_task_create", NULL))(
    flags, options, type, code, context);
}

// Begins an `async let`.
uintptr_t swift_asyncLet_begin(void *let, void *options, const void *type, void *code, void *context, void *buffer);
uintptr_t swift_asyncLet_begin(
  void *let, void *options, const void *type, void *code, void *context, void *buffer) {
  static _Atomic(uintptr_t) known;
  tell_of_running(interleaving_begin_child, __builtin_return_address(0));
  typedef uintptr_t (*begin)(void *, void *, const void *, void *, void *, void *);
  __attribute__((musttail)) return ((begin)find_real(&known, "swift_asyncLet_begin", NULL))(
    let, options, type, code, context, buffer);
}

#define ASYNC __attribute__((swiftasynccall))
#define CONTEXT __attribute__((swift_async_context)) void *context
#define RECEIVER __attribute__((swift_context)) void *receiver

// Where the library asks whether the task is cancelled, and it is not seen. All that may come in registers is handed on.
#define ASYNC_ENTRY(name, symbol, operation) \
  ASYNC void name(CONTEXT, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, RECEIVER) \
    __asm__(symbol); \
  ASYNC void name( \
    CONTEXT, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d, uintptr_t e, uintptr_t f, RECEIVER) { \
    static _Atomic(uintptr_t) known; \
    tell_of_running(operation, __builtin_return_address(0)); \
    typedef ASYNC void ( \
      *real)(CONTEXT, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, RECEIVER); \
    __attribute__((musttail)) return ((real)find_real(&known, symbol, NULL))(context, a, b, c, d, e, f, receiver); \
  }

#define SLEEPS(each) \
  each(sleep_nanoseconds, "$sScTss5NeverORszABRs_rlE5sleep11nanosecondsys6UInt64V_tYaKFZ") \
  each(sleep_until, \
    "$sScTss5NeverORszABRs_rlE5sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZ") \
  each(sleep_by_any_clock, "$ss5ClockP5sleep5until9tolerancey7InstantQz_8DurationQzSgtYaKFTj") \
  each(sleep_by_continuous_clock, "$ss15ContinuousClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF") \
  each(sleep_by_suspending_clock, "$ss15SuspendingClockV5sleep5until9toleranceyAB7InstantV_s8DurationVSgtYaKF")

// The next of a sequence: of a stream, of whatever a sequence is made of, or of one that is not known.
#define NEXTS(each) \
  each(next_of_any, "$sScI4next7ElementQzSgyYaKFTj") \
  each(next_of_any_isolated, "$sScI4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKFTj") \
  each(next_by_default, "$sScIsE4next7ElementQzSgyYa7FailureQzYKF") \
  each(next_by_default_isolated, "$sScIsE4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_stream_isolated, "$sScS8IteratorV4next9isolationxSgScA_pSgYi_tYaF") \
  each(next_of_stream, "$sScS8IteratorV4nextxSgyYaF") \
  each(next_of_throwing_stream_isolated, "$sScs8IteratorV4next9isolationxSgScA_pSgYi_tYaq_YKF") \
  each(next_of_throwing_stream, "$sScs8IteratorV4nextxSgyYaKF") \
  each(next_of_map_isolated, "$ss16AsyncMapSequenceV8IteratorV4next9isolationq_SgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_map, "$ss16AsyncMapSequenceV8IteratorV4nextq_SgyYaKF") \
  each(next_of_filter, "$ss19AsyncFilterSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_filter_isolated, "$ss19AsyncFilterSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_prefix, "$ss19AsyncPrefixSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_prefix_isolated, "$ss19AsyncPrefixSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_flat_map, "$ss20AsyncFlatMapSequenceV8IteratorV4next7ElementQy_SgyYaKF") \
  each(next_of_flat_map_isolated, "$ss20AsyncFlatMapSequenceV8IteratorV4next9isolation7ElementQy_SgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_drop_first, "$ss22AsyncDropFirstSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_drop_first_isolated, "$ss22AsyncDropFirstSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_drop_while, "$ss22AsyncDropWhileSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_drop_while_isolated, "$ss22AsyncDropWhileSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_compact_map_isolated, "$ss23AsyncCompactMapSequenceV8IteratorV4next9isolationq_SgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_compact_map, "$ss23AsyncCompactMapSequenceV8IteratorV4nextq_SgyYaKF") \
  each(next_of_prefix_while, "$ss24AsyncPrefixWhileSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_prefix_while_isolated, "$ss24AsyncPrefixWhileSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYa7FailureQzYKF") \
  each(next_of_throwing_map_isolated, "$ss24AsyncThrowingMapSequenceV8IteratorV4next9isolationq_SgScA_pSgYi_tYaKF") \
  each(next_of_throwing_map, "$ss24AsyncThrowingMapSequenceV8IteratorV4nextq_SgyYaKF") \
  each(next_of_throwing_filter, "$ss27AsyncThrowingFilterSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_throwing_filter_isolated, "$ss27AsyncThrowingFilterSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYaKF") \
  each(next_of_throwing_flat_map, "$ss28AsyncThrowingFlatMapSequenceV8IteratorV4next7ElementQy_SgyYaKF") \
  each(next_of_throwing_flat_map_isolated, "$ss28AsyncThrowingFlatMapSequenceV8IteratorV4next9isolation7ElementQy_SgScA_pSgYi_tYaKF") \
  each(next_of_throwing_drop_while, "$ss30AsyncThrowingDropWhileSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_throwing_drop_while_isolated, "$ss30AsyncThrowingDropWhileSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYaKF") \
  each(next_of_throwing_compact_map_isolated, "$ss31AsyncThrowingCompactMapSequenceV8IteratorV4next9isolationq_SgScA_pSgYi_tYaKF") \
  each(next_of_throwing_compact_map, "$ss31AsyncThrowingCompactMapSequenceV8IteratorV4nextq_SgyYaKF") \
  each(next_of_throwing_prefix_while, "$ss32AsyncThrowingPrefixWhileSequenceV8IteratorV4next7ElementQzSgyYaKF") \
  each(next_of_throwing_prefix_while_isolated, "$ss32AsyncThrowingPrefixWhileSequenceV8IteratorV4next9isolation7ElementQzSgScA_pSgYi_tYaKF")

#define SLEEP(name, symbol) ASYNC_ENTRY(name, symbol, interleaving_go_to_sleep)
#define NEXT(name, symbol) ASYNC_ENTRY(name, symbol, interleaving_await_next)
SLEEPS(SLEEP)
NEXTS(NEXT)

// A continuation that was resumed before it is awaited. That comes before what follows, and the runtime does not say
// so.
ASYNC void swift_continuation_await(void *continuation);
ASYNC void swift_continuation_await(void *continuation) {
  static _Atomic(uintptr_t) known;
  interleaving_seat *seat = interleaving_seat_of_thread;
  if (seat != NULL && seat->is_watching) watch_acquire_job(seat->watch, (uintptr_t)swift_task_getCurrent());
  __attribute__((musttail)) return ((ASYNC void (*)(void *))find_real(&known, "swift_continuation_await", NULL))(
    continuation);
}

// A continuation that is resumed a second time: what the runtime does then is not defined, so it is not called.
#define RESUME(name) \
  void name(uintptr_t task, uintptr_t other); \
  void name(uintptr_t task, uintptr_t other) { \
    static _Atomic(uintptr_t) known; \
    interleaving_seat *seat = seat_in_scenario(); \
    if (seat != NULL && !operate(seat, interleaving_resume, (const void *)task, 0)) return; \
    __attribute__((musttail)) return ((void (*)(uintptr_t, uintptr_t))find_real(&known, #name, NULL))(task, other); \
  }
RESUME(swift_continuation_resume)
RESUME(swift_continuation_throwingResume)
RESUME(swift_continuation_throwingResumeWithError)

void *swift_continuation_init(void *context, uintptr_t flags);
void *swift_continuation_init(void *context, uintptr_t flags) {
  static _Atomic(uintptr_t) known;
  void *task = ((void *(*)(void *, uintptr_t))find_real(&known, "swift_continuation_init", NULL))(context, flags);
  interleaving_seat *seat = seat_in_scenario();
  if (seat != NULL) operate(seat, interleaving_open_continuation, task, 0);
  return task;
}

// The scope of an `async let` ends, which cancels its task.
ASYNC void swift_asyncLet_finish(CONTEXT, void *let, void *buffer, void *resumption, void *frame);
ASYNC void swift_asyncLet_finish(CONTEXT, void *let, void *buffer, void *resumption, void *frame) {
  static _Atomic(uintptr_t) known;
  tell_of_running(interleaving_end_lets, __builtin_return_address(0));
  __attribute__((musttail)) return (
    (ASYNC void (*)(CONTEXT, void *, void *, void *, void *))find_real(&known, "swift_asyncLet_finish", NULL))(
    context, let, buffer, resumption, frame);
}

// What is done on cancellation, called by this library in the runtime's place; Swift code may not name these itself.
uintptr_t swift_task_addCancellationHandler(uintptr_t code, uintptr_t context);
void swift_task_removeCancellationHandler(uintptr_t record);

uintptr_t interleaving_add_handler(uintptr_t code, uintptr_t context);
uintptr_t interleaving_add_handler(uintptr_t code, uintptr_t context) {
  tell_of_running(interleaving_set_handler, NULL);
  return swift_task_addCancellationHandler(code, context);
}

void interleaving_remove_handler(uintptr_t record);
void interleaving_remove_handler(uintptr_t record) {
  tell_of_running(interleaving_set_handler, NULL);
  swift_task_removeCancellationHandler(record);
}

static const char *const entries[] = {
  "$sScT6cancelyyF", "swift_task_cancel", "swift_continuation_await", "$sScT11isCancelledSbvg",
  "swift_task_isCancelled",
  "$sScTss5NeverORszABRs_rlE11isCancelledSbvgZ", "$sScTss5NeverORszABRs_rlE17checkCancellationyyKFZ",
  "$sScG11isCancelledSbvg", "$sScg11isCancelledSbvg", "$ss19DiscardingTaskGroupV11isCancelledSbvg",
  "$ss27ThrowingDiscardingTaskGroupV11isCancelledSbvg", "swift_taskGroup_addPending",
  "swift_task_immediate", "swift_task_create",
  "swift_asyncLet_begin", "swift_asyncLet_finish",
#define SYMBOL(name, symbol) symbol,
  SLEEPS(SYMBOL) NEXTS(SYMBOL)};

bool interleaving_has_entries(void) {
  for (size_t index = 0; index < sizeof entries / sizeof *entries; index++) {
    if (dlsym(RTLD_NEXT, entries[index]) == NULL) return false;
  }
  return true;
}
#else
bool interleaving_has_entries(void) { return false; }
#endif
