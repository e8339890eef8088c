#ifndef C_INTERLEAVING_H
#define C_INTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

// What the explorer has to define in C: threads and whom they work for; the functions that instrumented code calls
// at each access; those that stand before libc's and the runtime's; and who races, which must be told without a
// line of Swift, since Swift's own code may be instrumented, too.

// MARK: Threads

/// Starts a thread that runs a function; returns the thread, which must be joined or detached, or 0.
uintptr_t interleaving_start_thread(
  void *_Nullable (*_Nonnull run)(void *_Nullable), void *_Nonnull context);

/// Waits until a thread has ended.
void interleaving_join_thread(uintptr_t thread);

/// Lets a thread end without being waited for.
void interleaving_detach_thread(uintptr_t thread);

/// Ends the calling thread; nothing on its stack is released.
_Noreturn void interleaving_exit_thread(void);

/// Keeps the calling thread on one of the processors that it may use, counted from 0 and round again; does
/// nothing where that cannot be had.
void interleaving_stay_on_processor(int number);

// MARK: Whom threads work for

typedef struct interleaving_watch interleaving_watch;

/// How many clocks the system has.
#define INTERLEAVING_CLOCKS 12

/// A `static let` or a global that the scenario's code has set up.
typedef struct {
  /// Tells that it is there.
  void *_Nonnull token;
  /// Behind the beginning of what sets it up, as a place in the program.
  uintptr_t place;
} interleaving_set_up;

/// Whom threads work for.
typedef struct {
  void *_Nonnull receiver;
  interleaving_watch *_Nonnull watch;
  /// The executor that a task prefers which begins at once, as the runtime refers to it; zeros if there is none.
  uintptr_t executor, executor_implementation;
  /// Whether what runs is the scenario's code, and not the explorer's; see ``interleaving_set_in_scenario``.
  bool is_in_scenario;
  /// Whether references to some objects are noted.
  bool tracks_lifetimes;
  /// Whether clocks are kept.
  bool is_watching;
  /// Whether memory that is given back matters: clocks are kept, or the scenario's code holds a mutex.
  bool is_concerned;
  /// Whether a group has had a task: groups are cancelled with no more than the lock of a task's status taken.
  bool has_groups;
  /// Whether to tell of each lock of a task's status that the runtime finds free and takes.
  bool tells_statuses;
  /// What each clock told when virtual time began, in nanoseconds.
  int64_t epochs[INTERLEAVING_CLOCKS];
  /// The choices of the execution under way, which are written where the process ends.
  uint16_t *_Nullable choices;
  int32_t choice_count;
  /// Whether what is set up once is kept note of, and what that is.
  bool keeps_set_ups;
  interleaving_set_up *_Nullable set_ups;
  int32_t set_up_count, set_up_capacity;
} interleaving_seat;

// Found without a call, since all code that is instrumented looks at it.
#if defined(__linux__)
#define INTERLEAVING_QUICK __attribute__((tls_model("initial-exec")))
#else
#define INTERLEAVING_QUICK
#endif
extern _Thread_local interleaving_seat *_Nullable interleaving_seat_of_thread INTERLEAVING_QUICK;

/// The calling thread's seat, or null.
static inline interleaving_seat *_Nullable interleaving_get_seat(void) {
  return interleaving_seat_of_thread;
}

/// Gives the calling thread a seat, or takes it away; it must stay where it is meanwhile.
static inline void interleaving_set_seat(interleaving_seat *_Nullable seat) {
  interleaving_seat_of_thread = seat;
}

/// Lets the runtime tell of references for one more execution, or for one less.
void interleaving_use_slots(bool is_more);

/// From now on the scenario's code runs, or the explorer's.
static inline void interleaving_set_in_scenario(interleaving_seat *_Nonnull seat, bool is_in_scenario) {
  seat->is_in_scenario = is_in_scenario;
}

static inline interleaving_seat interleaving_make_seat(void *_Nonnull receiver, interleaving_watch *_Nonnull watch) {
  return (interleaving_seat){.receiver = receiver, .watch = watch};
}

/// Virtual time begins, at the second that the real clocks are in.
void interleaving_begin_time(interleaving_seat *_Nonnull seat);

/// When that was by the time of day, in nanoseconds since 1970.
int64_t interleaving_epoch_of_day(const interleaving_seat *_Nonnull seat);

// MARK: What ends a process

/// Waits for signals that end the process, and for ``interleaving_ask_thread``; called once.
void interleaving_await_deaths(void);

/// The calling thread, and to ask one why its step does not come to its end, if threads can be asked; it may have ended.
int interleaving_thread_id(void);
bool interleaving_ask_thread(int thread);

/// Stops the calling thread for good, with its stack as it is.
_Noreturn void interleaving_wait_for_ever(void);

// MARK: Who races

// Vector clocks: after Flanagan and Freund, FastTrack, PLDI 2009, without its compression. A strand's time passes
// at each of its releases; its clock says up to which moment of each strand all comes before what it does now.
// Whatever orders strands has a key: an object of the explorer's, or an address.

/// A use of memory, or of what the explorer gave a key.
typedef struct {
  /// Where in the program, as a return address; 0 where nobody says.
  uintptr_t place;
  int32_t strand;
  bool is_write;
  /// A number for the library that asks the code for it; 0 where none does.
  uint8_t asker;
} interleaving_use;

/// Two uses that nothing orders, one of them a write.
typedef struct {
  uintptr_t address;
  interleaving_use first, second;
} interleaving_race;

interleaving_watch *_Nonnull interleaving_make_watch(void);
void interleaving_drop_watch(interleaving_watch *_Nonnull watch);

/// Forgets the execution.
void interleaving_reset_watch(interleaving_watch *_Nonnull watch);

/// A strand goes on.
void interleaving_run(interleaving_watch *_Nonnull watch, int32_t strand);

/// What the running strand has done comes before all that a new one does.
void interleaving_fork(interleaving_watch *_Nonnull watch, int32_t strand);

/// What came before the releases of a key comes before what the running strand does next.
void interleaving_acquire(interleaving_watch *_Nonnull watch, uintptr_t key);
void interleaving_release(interleaving_watch *_Nonnull watch, uintptr_t key);

/// What had this key is no more.
void interleaving_forget(interleaving_watch *_Nonnull watch, uintptr_t key);

/// The running strand uses what has a key, which nothing else has as its address.
void interleaving_use_key(interleaving_watch *_Nonnull watch, uintptr_t key, bool is_write);

/// What the running strand uses from now on is what a library asks its code for; 0 where none does.
void interleaving_set_asker(interleaving_watch *_Nonnull watch, uint8_t asker);

/// Whether what is raced for is kept by a library or the system, which sees to its own memory: then only the order
/// matters, and its places are no places of memory.
static inline bool interleaving_is_kept(interleaving_race race) { return race.address >> 62 == 1; }

/// Races of this execution, each with other places or strands.
int interleaving_count_races(const interleaving_watch *_Nonnull watch);
interleaving_race interleaving_get_race(const interleaving_watch *_Nonnull watch, int index);

// MARK: What instrumented code does

/// What is asked of the explorer: an atomic operation is about to be done, or one on a lock. Plain numbers, since
/// a Swift enumeration of C asks the runtime for its type, which synchronises.
enum {
  // Of an atomic.
  interleaving_load,
  interleaving_store,
  interleaving_update,
  // Of a mutex; strictly: who holds it must not; again: who holds it may.
  interleaving_lock,
  interleaving_lock_strictly,
  interleaving_lock_again,
  interleaving_try_lock,
  interleaving_try_lock_again,
  interleaving_unlock,
  // Of a lock of readers and a writer.
  interleaving_lock_to_read,
  interleaving_try_lock_to_read,
  interleaving_lock_to_write,
  interleaving_try_lock_to_write,
  interleaving_unlock_shared,
  // Of a condition.
  interleaving_wait,
  interleaving_wake_one,
  interleaving_wake_all,
  // Of a task: it is cancelled, or asked whether it is; it is to sleep, unless it is cancelled; it is to
  // have the next of a sequence, which may set what is done when it is cancelled; it begins a child; it sets or drops what is done when it is
  // cancelled; what it has begun by `async let` is cancelled; it begins within another's step, and has ended there or
  // suspends.
  interleaving_cancel,
  interleaving_ask_cancelled,
  interleaving_go_to_sleep,
  interleaving_await_next,
  interleaving_begin_child,
  interleaving_set_handler,
  interleaving_end_lets,
  interleaving_begin_at_once,
  interleaving_have_begun,
  // Of the runtime's own locks: that of a stream or a group, or of a task's status, is about to be locked; or that of a
  // status has been.
  interleaving_use_runtime,
  interleaving_use_status,
  interleaving_pass_status,
  // Of a lock within a library: another holds it, and if that is a strand that waits for its turn, true is returned
  // when this one has it; and it is unlocked by such a strand.
  interleaving_await_lock,
  interleaving_release_lock,
  // Of the clock.
  interleaving_sleep,
  // Of a task's continuation: it is made; and it is resumed, if that is done for the first time.
  interleaving_open_continuation,
  interleaving_resume,
  // Of an object whose references are noted, by its number from 1: one is dropped, which others see, if at all, by looking
  // for the object, or by what its end does; and it is looked for,
  // or whether there is no other reference to it.
  interleaving_drop,
  interleaving_end_life,
  interleaving_look,
  interleaving_ask_whether_shared,
  // Of a file: it gets a name that is another in each execution.
  interleaving_name_at_random,
};

/// A use of what a library or the system keeps: of an object, a file, a folder's list, the environment.
typedef struct {
  /// What it counts as in each execution; it is none of an object of the explorer's, nor an address.
  uintptr_t identity;
  bool is_write;
} interleaving_kept_use;

/// How the scenario's code reaches the explorer.
typedef struct {
  /// Memory is about to be used at a place that is a scheduling point.
  void (*_Nonnull access)(
    void *_Nonnull receiver, const void *_Nonnull address, uintptr_t place, bool is_write);
  /// What a library or the system keeps is about to be used at a place that is a scheduling point: `what` is a verb, or
  /// the symbol of the function that is called, and `name` what that is done to.
  void (*_Nonnull keep)(
    void *_Nonnull receiver, const interleaving_kept_use *_Nonnull uses, int count, const char *_Nonnull what,
    const char *_Nullable name, uintptr_t place);
  /// Something is about to be done to an atomic or a lock; returns false if a try does not succeed, or not in time.
  ///
  /// `other` is the mutex of a condition, and `nanoseconds` how long it is waited for, or −1.
  bool (*_Nonnull operate)(
    void *_Nonnull receiver, int operation, const void *_Nonnull object,
    const void *_Nullable other, int64_t nanoseconds, uintptr_t place);
  /// A lock is new, whatever was at its address before; or it is no more.
  void (*_Nonnull make)(void *_Nonnull receiver, const void *_Nonnull object, bool is_new);
  /// Fills 16 bytes that nobody else gets in this execution, and that are the same in each run of a schedule; false
  /// where no strand runs.
  bool (*_Nonnull identify)(void *_Nonnull receiver, uint8_t *_Nonnull bytes);
  /// How much time has passed since the execution began, in nanoseconds; `place` is where the scenario's code asks, or 0
  /// if the runtime does for itself.
  int64_t (*_Nonnull read_time)(void *_Nonnull receiver, uintptr_t place);
  /// The running strand traps, and is left for good; `places` is where in the program that is, from the inside out.
  void (*_Nonnull trap)(
    void *_Nonnull receiver, const char *_Nonnull message, const uintptr_t *_Nonnull places, int count);
  /// The step under way does not come to its end, and the thread may be stopped for good; `waits` is whether it is in a
  /// call of the system's.
  void (*_Nonnull stop)(void *_Nonnull receiver, bool waits, const uintptr_t *_Nonnull places, int count);
} interleaving_calls;

/// Begins to tell of what the scenarios' code does; called once, and keeps a copy.
void interleaving_listen(const interleaving_calls *_Nonnull calls);

/// Makes places scheduling points.
void interleaving_set_points(
  interleaving_watch *_Nonnull watch, const uintptr_t *_Nullable places, int count);

/// How a place stands for what is done there, in all executions.
enum {
  /// For a load or a store of its own.
  interleaving_itself,
  /// An `inout` access begins, and the load or store that follows is told, too.
  interleaving_nothing,
  /// An `inout` access begins, and no more of it is told.
  interleaving_a_store,
};
int interleaving_meaning(const interleaving_watch *_Nonnull watch, uintptr_t place);

/// Where a load or store is that belongs to the `inout` access which begins at a place, or that place itself.
uintptr_t interleaving_partner(const interleaving_watch *_Nonnull watch, uintptr_t place);

/// Whether any instrumented code has been met, if only a copy of another module's function.
bool interleaving_has_met_code(const interleaving_watch *_Nonnull watch);

/// A call of an instrumented function by code of the program: where in that, and where in the function.
typedef struct {
  uintptr_t caller, function;
} interleaving_call;

/// Places in the first few instrumented functions that were called since this was last 0, one after another, and then 0.
uintptr_t interleaving_take_function(interleaving_watch *_Nonnull watch);

/// The calls that were met in any execution, each once, among places that are 0.
int interleaving_count_met_calls(const interleaving_watch *_Nonnull watch);
interleaving_call interleaving_get_met_call(const interleaving_watch *_Nonnull watch, int index);

/// An object that the scenario's code has made in this execution.
typedef struct {
  uintptr_t address, size, metadata;
  /// Where in the program it was made.
  uintptr_t place;
  int32_t strand;
  /// How many its strand has made there before.
  int32_t ordinal;
} interleaving_object;

/// The object that an address lies in; its address is 0 if it is none that is known.
interleaving_object interleaving_find_object(
  const interleaving_watch *_Nonnull watch, uintptr_t address);

/// The nearest symbol of the program's before a place in it, and how far that is; null if there is none.
const char *_Nullable interleaving_symbol(uintptr_t place, uintptr_t *_Nonnull offset);

/// Between these, what all threads of the process may ask for is being read, and one that asks waits for that.
void interleaving_begin_reading(void);
void interleaving_end_reading(void);
bool interleaving_is_reading(void);

/// A line of a source file.
typedef struct {
  const char *_Nullable file, *_Nullable directory;
  uint64_t line;
} interleaving_source;

/// The line of a place in the program, as its debug information says.
///
/// - Returns: Whether there is one. To ask the first time takes some milliseconds for each megabyte of debug information.
bool interleaving_source_of(uintptr_t place, interleaving_source *_Nonnull source);

/// A symbol of Swift's as people read it, to be freed; null if it is none.
char *_Nullable interleaving_demangle(const char *_Nonnull symbol);

/// The next function of the runtime of tasks that the calling thread is in, from a depth of its stack on, which is 0 at
/// first and is moved on; null if there is none.
const char *_Nullable interleaving_runtime_caller(int *_Nonnull depth);

/// The metadata of the type that a mangled name stands for, or null.
const void *_Nullable interleaving_type_named(const void *_Nonnull name, intptr_t length);

/// Where in the program an address lies, or 0; and back.
uintptr_t interleaving_place(uintptr_t address);
uintptr_t interleaving_address(uintptr_t place);

/// The scenario's code goes on or begins, on the calling thread; what was on its stack below here is no more.
///
/// Where nobody else can run until it returns, what is on its stack is its own.
void interleaving_begin_code(interleaving_seat *_Nonnull seat, bool is_alone);

/// A lock within a library that the calling thread holds and that was not asked for before, or null.
const void *_Nullable interleaving_next_held_lock(void);

/// Whether the runtime has the functions by which code cancels tasks, asks whether they are cancelled and uses
/// streams.
bool interleaving_has_entries(void);

/// Whether the program calls more methods of libraries directly than can be seen.
bool interleaving_has_missed_calls(void);

/// Whether the calling thread sets up what is set up once in a process: whoever asks for that waits until it has.
bool interleaving_is_setting_up(void);

/// Whether the calling thread drops references, or looks for an object, in the midst of what stands in for Dispatch, which
/// others must not meet there; asked where it does something that others see.
bool interleaving_is_in_stand_in(void);

/// Lets a `static let` or a global be set up anew by whoever asks for it next; what was there is left behind.
void interleaving_renew(void *_Nonnull token);

/// The scenario's code that has begun has come to its end or suspends.
void interleaving_end_code(interleaving_seat *_Nonnull seat);

/// Calls a function with the path, the first address and the size of each image that is loaded.
void interleaving_list_images(
  void (*_Nonnull body)(void *_Nullable context, const char *_Nonnull path, uintptr_t address, uintptr_t size),
  void *_Nullable context);

/// The task that the calling thread runs, or null.
const void *_Nullable interleaving_current_task(void);

// MARK: The ends of objects

enum {
  /// Weak or unowned references to it are formed.
  interleaving_is_looked_for = 1,
  /// Others see what its end does.
  interleaving_end_is_seen = 2,
  /// Its end drops references to objects that matter.
  interleaving_holds_what_matters = 4,
};

/// What matters of objects of a type, by its metadata.
typedef struct {
  uintptr_t metadata;
  uint32_t traits;
} interleaving_type;

/// An object whose references are noted.
typedef struct {
  uintptr_t address, metadata;
  /// Where in the program it was made, by whom, and how many that strand had made there before.
  uintptr_t place;
  int32_t maker, ordinal;
  bool is_dead;
  int event_count;
} interleaving_life;

/// What a strand does to references to an object while it learns nothing of others: it makes and drops some; or it looks
/// for the object.
typedef struct {
  /// What is a scheduling point if that matters: the look, or the last release.
  uintptr_t point;
  int32_t strand;
  bool is_look;
  uint32_t retains, releases;
  /// The least of what it had made more than dropped so far.
  int64_t lowest;
  /// Of a look: how many references there were that nothing noted here has made.
  int64_t base;
  /// The strand's moment, and its clock then.
  uint32_t moment, clock_count;
  const uint32_t *_Nullable clock;
} interleaving_life_event;

/// Finds out whether the runtime tells of references; called once or more.
bool interleaving_find_lifetimes(void);

/// From the next execution on, references to objects of these types are noted, and these places are scheduling points.
void interleaving_track_lifetimes(
  interleaving_watch *_Nonnull watch, const interleaving_type *_Nullable types, int type_count,
  const uintptr_t *_Nullable points, int point_count);

/// What was met of types that is not known yet.
int interleaving_count_type_news(const interleaving_watch *_Nonnull watch);
interleaving_type interleaving_take_type_news(interleaving_watch *_Nonnull watch);

/// The objects of this execution whose references are noted, and what was done to these; good until the next execution.
int interleaving_count_lives(const interleaving_watch *_Nonnull watch);
interleaving_life interleaving_get_life(const interleaving_watch *_Nonnull watch, int number);
const interleaving_life_event *_Nonnull interleaving_get_life_event(
  const interleaving_watch *_Nonnull watch, int life, int index);

/// The running strand does something that others see, perhaps in a `deinit`.
void interleaving_note_effect(void);

/// The running strand does so by what stands in for another's, before which it may have unlocked mutexes unseen.
void interleaving_begin_operation(void);

// MARK: The runtime's order

/// Begins to tell of the runtime's synchronisation; called once.
///
/// Returns whether the runtime lets itself be listened to.
bool interleaving_track_order(uintptr_t task_metadata, uintptr_t job_metadata);

/// A step begins.
void interleaving_begin_step(interleaving_watch *_Nonnull watch, int32_t step);

/// The steps that made possible what the step under way has gone on to: it has awaited what was there already.
int interleaving_count_awaited(const interleaving_watch *_Nonnull watch);
int32_t interleaving_get_awaited(const interleaving_watch *_Nonnull watch, int index);

/// The strands of the tasks that had ended when the step under way awaited them.
int interleaving_count_ended(const interleaving_watch *_Nonnull watch);
int32_t interleaving_get_ended(const interleaving_watch *_Nonnull watch, int index);

/// The running strand lets go of a job: the step under way, with what it has awaited, comes before what acquires it.
void interleaving_release_job(interleaving_watch *_Nonnull watch, uintptr_t job);

/// A task that the runtime may release is known, or has ended; another may get its address.
void interleaving_know_task(interleaving_watch *_Nonnull watch, uintptr_t task, bool is_known);

#endif
