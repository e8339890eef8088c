#ifndef C_INTERLEAVING_H
#define C_INTERLEAVING_H

#include <stdbool.h>

// What the explorer has to define in C: whom a thread works for, and functions that stand before libc's, so
// that the runtime's own synchronisation is told.

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
