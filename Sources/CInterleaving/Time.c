#define _GNU_SOURCE
#include "Code.h"

// The time that a scenario's code reads, and for which it sleeps, is the exploration's: these functions stand before
// libc's. Called by anybody else, and by the explorer itself, they go on to the real ones.

#if defined(__linux__)
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// In seconds: what takes longer never comes.
enum { century = 3155760000 };

/// −1 if that is too many.
static int64_t nanoseconds(const struct timespec *time) {
  return time->tv_sec > century ? -1 : time->tv_sec * 1000000000 + time->tv_nsec;
}

static struct timespec timespec_of(int64_t nanoseconds) {
  return (struct timespec){.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
}

REAL(int, clock_gettime, clockid_t, struct timespec *)
REAL(int, gettimeofday, struct timeval *, void *)
REAL(time_t, time, time_t *)
REAL(int, timespec_get, struct timespec *, int)
REAL(int, nanosleep, const struct timespec *, struct timespec *)
REAL(int, clock_nanosleep, clockid_t, int, const struct timespec *, struct timespec *)
REAL(int, usleep, useconds_t)
REAL(unsigned, sleep, unsigned)

// MARK: Whose time

/// Of the clocks that tell the time of day, and of those that tell how long the system has run.
static bool is_virtual(clockid_t clock) {
  switch (clock) {
  case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_TAI:
  case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_RAW: case CLOCK_MONOTONIC_COARSE: case CLOCK_BOOTTIME:
    return true;
  default: return false;
  }
}

// Whole seconds, so that sums of a date and an interval, which are no exact numbers, fall on the milliseconds that they
// stand for.
void interleaving_begin_time(interleaving_seat *seat) {
  for (clockid_t clock = 0; clock < INTERLEAVING_CLOCKS; clock++) {
    struct timespec now = {0};
    real_clock_gettime()(clock, &now);
    seat->epochs[clock] = now.tv_sec * 1000000000;
  }
}

int64_t interleaving_epoch_of_day(const interleaving_seat *seat) { return seat->epochs[CLOCK_REALTIME]; }

/// The seat if the time is the scenario's, called with a frame of this file's.
///
/// `place` receives where the scenario's code asks, or 0 if the runtime asks for itself, as to set a sleeper's timer.
static __attribute__((noinline)) interleaving_seat *seat_of_time(void **frame, uintptr_t *place) {
  interleaving_seat *seat = seat_in_scenario();
  if (seat == NULL) return NULL;
  *place = 0;
  image image = image_of(frame[1]);
  if (image == OTHER_IMAGE) return NULL;
  // A clock's `now` is a frame or two from who asks: its witness, and the runtime's own function. What sleeps has been
  // called by the runtime.
  for (int depth = 0; depth < 4; depth++, frame = frame[0]) {
    if (image_of(frame[1]) == OWN_IMAGE) {
      if (!asks_for_itself(frame[1])) *place = place_of(frame[1]);
      break;
    }
    if (frame[0] <= (void *)frame || (char *)frame[0] - (char *)frame > 4096) break;
  }
  return seat;
}

static int64_t read_time(interleaving_seat *seat, uintptr_t place) {
  if (code_of_thread.setting_up > 0) place = 0;
  notice_unlocks(seat);
  interleaving_set_in_scenario(seat, false);
  int64_t now = calls_of_code->read_time(seat->receiver, place);
  interleaving_set_in_scenario(seat, true);
  return now;
}

#define SEAT_OF_TIME seat_of_time(__builtin_frame_address(0), &place)

int clock_gettime(clockid_t clock, struct timespec *time) {
  uintptr_t place;
  interleaving_seat *seat = interleaving_seat_of_thread != NULL && is_virtual(clock) ? SEAT_OF_TIME : NULL;
  if (seat == NULL) return real_clock_gettime()(clock, time);
  *time = timespec_of(seat->epochs[clock] + read_time(seat, place));
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  uintptr_t place;
  interleaving_seat *seat = interleaving_seat_of_thread != NULL ? SEAT_OF_TIME : NULL;
  if (seat == NULL) return real_gettimeofday()(time, zone);
  int64_t now = seat->epochs[CLOCK_REALTIME] + read_time(seat, place);
  *time = (struct timeval){.tv_sec = now / 1000000000, .tv_usec = now % 1000000000 / 1000};
  return 0;
}

time_t time(time_t *result) {
  uintptr_t place;
  interleaving_seat *seat = interleaving_seat_of_thread != NULL ? SEAT_OF_TIME : NULL;
  if (seat == NULL) return real_time()(result);
  time_t now = (seat->epochs[CLOCK_REALTIME] + read_time(seat, place)) / 1000000000;
  if (result != NULL) *result = now;
  return now;
}

int timespec_get(struct timespec *time, int base) {
  uintptr_t place;
  interleaving_seat *seat = interleaving_seat_of_thread != NULL && base == TIME_UTC ? SEAT_OF_TIME : NULL;
  if (seat == NULL) return real_timespec_get()(time, base);
  *time = timespec_of(seat->epochs[CLOCK_REALTIME] + read_time(seat, place));
  return base;
}

int64_t time_left(interleaving_seat *seat, clockid_t clock, const struct timespec *end) {
  if (!is_virtual(clock)) clock = CLOCK_REALTIME;
  int64_t now = seat->epochs[clock] + read_time(seat, 0);
  if (end->tv_sec - now / 1000000000 > century) return -1;
  int64_t left = end->tv_sec * 1000000000 + end->tv_nsec - now;
  return left > 0 ? left : 0;
}

// MARK: Sleeping

/// Sleeps for so long, or for ever if that is negative.
static void sleep_in_scenario(int64_t nanoseconds, uintptr_t place) {
  interleaving_seat *seat = interleaving_seat_of_thread;
  notice_unlocks(seat);
  operate_for_a_time(seat, interleaving_sleep, seat, NULL, nanoseconds, place);
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  uintptr_t place;
  if (interleaving_seat_of_thread == NULL || SEAT_OF_TIME == NULL) return real_nanosleep()(time, left);
  sleep_in_scenario(nanoseconds(time), place);
  if (left != NULL) *left = (struct timespec){0};
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  uintptr_t place;
  interleaving_seat *seat = interleaving_seat_of_thread != NULL && is_virtual(clock) ? SEAT_OF_TIME : NULL;
  if (seat == NULL) return real_clock_nanosleep()(clock, flags, time, left);
  bool is_absolute = (flags & TIMER_ABSTIME) != 0;
  sleep_in_scenario(is_absolute ? time_left(seat, clock, time) : nanoseconds(time), place);
  if (left != NULL && !is_absolute) *left = (struct timespec){0};
  return 0;
}

int usleep(useconds_t microseconds) {
  uintptr_t place;
  if (interleaving_seat_of_thread == NULL || SEAT_OF_TIME == NULL) return real_usleep()(microseconds);
  sleep_in_scenario((int64_t)microseconds * 1000, place);
  return 0;
}

// Foundation spins for some of its locks, with a pause between. Mostly another thread has the lock, of another exploration,
// and gives it back without our help; only if that takes long it may be a strand that waits for its turn.
static bool spins(unsigned seconds, const void *caller) {
  enum { quick = 100, most = 1000 };
  if (seconds != 0 || image_of(caller) != FOUNDATION_IMAGE || seat_in_scenario() == NULL) return false;
  int count = code_of_thread.spins++;
  if (count >= quick) real_usleep()(100);
  else sched_yield();
  return count < most;
}

unsigned sleep(unsigned seconds) {
  uintptr_t place;
  if (spins(seconds, __builtin_return_address(0))) return 0;
  if (interleaving_seat_of_thread == NULL || SEAT_OF_TIME == NULL) return real_sleep()(seconds);
  sleep_in_scenario((int64_t)seconds * 1000000000, place);
  return 0;
}
#else
void interleaving_begin_time(interleaving_seat *seat) { (void)seat; }
int64_t interleaving_epoch_of_day(const interleaving_seat *seat) { return (void)seat, 0; }
#endif
