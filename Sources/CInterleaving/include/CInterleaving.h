#ifndef C_INTERLEAVING_H
#define C_INTERLEAVING_H

#include <stdbool.h>
#include <stdint.h>

// What the explorer has to define in C: threads and whom they work for, and functions that stand before libc's,
// so that the runtime's own synchronisation is told.

// MARK: Threads

/// Starts a thread that runs a function; returns the thread, which must be joined, or 0.
uintptr_t interleaving_start_thread(
  void *_Nullable (*_Nonnull run)(void *_Nullable), void *_Nonnull context);

/// Waits until a thread has ended.
void interleaving_join_thread(uintptr_t thread);

/// Ends the calling thread; nothing on its stack is released.
_Noreturn void interleaving_exit_thread(void);

/// Keeps the calling thread on one of the processors that it may use, counted from 0 and round again; does
/// nothing where that cannot be had.
void interleaving_stay_on_processor(int number);

// MARK: The runtime's order

/// How something in the runtime is used that tasks synchronise by. Plain numbers, since a Swift enumeration of
/// C asks the runtime for its type, which synchronises.
enum {
  /// What came before the releases of a job or a mutex comes before what follows.
  interleaving_job_acquired,
  interleaving_job_released,
  interleaving_mutex_locked,
  interleaving_mutex_unlocked,
  /// It is new, whatever was at its address before.
  interleaving_mutex_made,
};

/// Whom threads work for.
typedef struct {
  void *_Nonnull receiver;
  /// Whether it is told of the runtime's synchronisation.
  bool tracks_order;
} interleaving_seat;

/// Is told of a use by the calling thread, whose seat has the receiver.
typedef void (*interleaving_tracker)(
  void *_Nonnull receiver, const void *_Nonnull object, int use);

extern _Thread_local interleaving_seat *_Nullable interleaving_seat_of_thread;

/// The calling thread's seat, or null.
static inline interleaving_seat *_Nullable interleaving_get_seat(void) {
  return interleaving_seat_of_thread;
}

/// Gives the calling thread a seat, or takes it away; it must stay where it is meanwhile.
static inline void interleaving_set_seat(interleaving_seat *_Nullable seat) {
  interleaving_seat_of_thread = seat;
}

/// Begins to tell of the runtime's synchronisation; called once.
///
/// Returns whether the runtime lets itself be listened to.
bool interleaving_track_order(interleaving_tracker _Nonnull tracker);

#endif
