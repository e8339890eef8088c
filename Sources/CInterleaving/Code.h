#ifndef CODE_H
#define CODE_H

#include "Images.h"
#include "Watch.h"

// What a thread does while it runs a scenario's code.

/// A lock within a library, and whether the explorer knows that it is held.
typedef struct {
  const void *lock;
  bool is_told, is_status;
} library_lock;

typedef struct {
  uintptr_t address, place;
} place_of_use;

/// An object that comes to its end, and where its last reference was dropped.
typedef struct {
  uintptr_t object, metadata;
  const void *caller;
} end_of_object;

/// A use of what a library or the system keeps.
typedef struct {
  /// Tells what is used from all else, as an address would; none is one.
  uintptr_t key;
  /// What it counts as, in every execution: whatever may be the same, or be changed by it, has the same.
  uintptr_t identity;
  bool is_write;
} kept_use;

typedef struct {
  /// The locks within libraries that it holds.
  LIST(library_lock) library_locks;
  /// How deep in the runtime's cancelling of tasks it is.
  int cancelling;
  /// How deep in the program's own code of a `deinit` it is.
  int ignoring;
  /// The objects that come to their end, the outermost first.
  LIST(end_of_object) ends;
  /// Where a reference is being dropped or an object looked for, if anywhere.
  const void *reaching;
  /// Whether an object of the program's own code is being made; the last that was made, and what size was asked for.
  bool is_making;
  const void *made;
  size_t made_size;
  /// How deep in what is done once in a process.
  int setting_up;
  /// The words of the mutexes that it holds.
  LIST(const uint32_t *) held;
  /// Whether it has passed a fence that releases, so that its stores do from now on; and what it has loaded without
  /// acquiring, which a fence that acquires makes up for.
  bool has_fenced;
  LIST(uintptr_t) loaded;
  /// Where `inout` accesses have begun of which nothing more was told yet.
  LIST(place_of_use) beginnings;
  /// An access that has begun, and nothing was told since; address 0 if there is none.
  struct {
    uintptr_t address, place;
    const void *buffer;
    bool is_write;
  } untold;
  /// What it has loaded last of eight bytes each, and from where; a method is called by loading an object's class, and
  /// then from that the method's address.
  struct {
    uintptr_t address, word;
  } loads[4];
  unsigned load_count;
  /// How often it has spun for a lock of Foundation's since it did something that others see.
  int spins;
  /// What is about to be changed in place by what a library has handed out; identity 0 if nothing is.
  kept_use changing;
  /// Where its stack was when the code began; and how far down the code has used it since.
  uintptr_t stack_top, stack_bottom;
  /// Whether nobody else can run until the code returns.
  bool is_alone;
} code_state;

/// Gives back what the thread's lists have taken, at its end.
void drop_code_state(void);

extern _Thread_local code_state code_of_thread INTERLEAVING_QUICK;
extern _Atomic(const interleaving_calls *) calls_of_code;

/// Looks for the function behind one of this library's that bears its name, of a version if there are several.
void *look_up(_Atomic(uintptr_t) *known, const char *name, const char *version);

/// That function, looked up once.
static inline void *find_real(_Atomic(uintptr_t) *known, const char *name, const char *version) {
  uintptr_t address = atomic_load_explicit(known, memory_order_relaxed);
  return address == 0 ? look_up(known, name, version) : (void *)address;
}

/// Gives that function by calling `real_name()`.
#define REAL_OF(version, result, name, ...) \
  static inline result (*real_##name(void))(__VA_ARGS__) { \
    static _Atomic(uintptr_t) known; \
    return (result(*)(__VA_ARGS__))find_real(&known, #name, version); \
  }
#define REAL(result, name, ...) REAL_OF(NULL, result, name, __VA_ARGS__)

/// Tells that a lock of the scenario's code is new, or is no more.
void make_lock(interleaving_seat *seat, const void *object, bool is_new);

/// Does an operation of the explorer's, when it can be done; false if a try does not succeed.
bool operate(interleaving_seat *seat, int operation, const void *object, uintptr_t place);

/// Does it for so long at most, if that is not negative; false if its time is over before.
///
/// `other` is the mutex of a condition.
bool operate_for_a_time(
  interleaving_seat *seat, int operation, const void *object, const void *other, int64_t nanoseconds,
  uintptr_t place);

/// How long it takes until a moment of a clock comes, in virtual time and nanoseconds; −1 if it never comes.
#if defined(__linux__)
#include <time.h>
int64_t time_left(interleaving_seat *seat, clockid_t clock, const struct timespec *end);
#endif

/// How much one call uses at most.
enum { KEPT_USE_LIMIT = 256 };

/// The running strand is about to use what a library or the system keeps.
///
/// - Parameters:
///   - what: A verb, or the symbol of the function that it calls.
///   - name: What that is done to, or null.
///   - place: Where its code calls; `deed` tells apart what is done for one call, from 0.
void use_kept(
  interleaving_seat *seat, const kept_use *uses, int count, const char *what, const char *name, uintptr_t place,
  int deed);

/// A key or an identity that no object and no memory has.
static inline uintptr_t kept_key(uint64_t number) {
  return (uintptr_t)(((number << 3) & (UINT64_MAX >> 2)) | (uint64_t)1 << 62);
}

/// The scheduling point of a deed that is done for a call at a place: what is done at one place need not matter each time.
static inline uintptr_t kept_point(uintptr_t place, int deed) { return place | (uintptr_t)(deed + 1) << 48; }

/// The environment.
static inline kept_use use_of_environment(bool is_write) { return (kept_use){kept_key(1), kept_key(1), is_write}; }

/// Notes what follows where an `inout` access has begun: a use at another place, or none, which is 0.
void end_beginning(interleaving_seat *seat, int index, int meaning, uintptr_t partner);

/// How much of what `malloc` has given may be used.
size_t usable_size(void *memory);

/// Whether the calling thread holds the lock of a task's status.
bool holds_status(void);

/// Notices which of the mutexes that are held were unlocked by code that is not instrumented.
void notice_unlocks_of_held(interleaving_seat *seat);

static inline void notice_unlocks(interleaving_seat *seat) {
  if (code_of_thread.held.count > 0) notice_unlocks_of_held(seat);
}

#endif
