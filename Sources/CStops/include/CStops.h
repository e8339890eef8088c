#ifndef C_STOPS_H
#define C_STOPS_H

// Stops a thread in the middle of ordinary code, at what it is about to do to an object. It hears of that from code
// that is compiled for ThreadSanitizer: the linker puts the functions here before those that such code calls
// (`--wrap`), be they the sanitizer's own or the explorer's.

/// What a thread is about to do.
enum {
  /// Any use but that of an atomic.
  stops_use,
  /// A change begins: an `inout` access, or a store that belongs to none.
  stops_change,
  /// A store.
  stops_store,
  /// An operation on an atomic, other than the word of a `Mutex`.
  stops_atomic,
};

/// Sets a stop: whoever is about to do something to an object, for the n-th time since then, calls a function first.
///
/// It orders no memory.
///
/// Returns the number of the stop, or -1 if 256 are set.
int stops_set(
  const void *_Nonnull object, int deed, int ordinal, void (*_Nonnull stop)(void *_Nonnull context),
  void *_Nonnull context);

/// Takes a stop back; the thread that it stops, if there is one, has to have gone on.
void stops_clear(int number);

#endif
