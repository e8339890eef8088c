import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A value behind a lock of readers and a writer, which says it changes what it has read.
public final class Settings: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
  private let upgrades: Bool
  private var volume = 1

  public init(upgrades: Bool) {
    self.upgrades = upgrades
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  public var current: Int {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return volume
  }

  /// Doubles the volume while it is below 4.
  public func raise() {
    if upgrades {
      pthread_rwlock_rdlock(lock)
      if volume < 4 {
        // Who reads may not write; so this asks for more, and keeps what it has.
        pthread_rwlock_wrlock(lock)
        volume *= 2
        pthread_rwlock_unlock(lock)
      }
      pthread_rwlock_unlock(lock)
    } else {
      pthread_rwlock_wrlock(lock)
      if volume < 4 { volume *= 2 }
      pthread_rwlock_unlock(lock)
    }
  }

  /// Changes what it may only read.
  public func raiseAsReader() {
    pthread_rwlock_rdlock(lock)
    volume += 1
    pthread_rwlock_unlock(lock)
  }
}

/// Letters for whoever asks first.
public final class Letters: @unchecked Sendable {
  private let condition = NSCondition()
  private let asksAgain: Bool
  private var count = 0

  public init(asksAgain: Bool) { self.asksAgain = asksAgain }

  public func put(_ letters: Int) {
    condition.lock()
    count += letters
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for a letter, but not for ever.
  ///
  /// - Returns: Whether there was one.
  public func takeInTime() -> Bool {
    condition.lock()
    defer { condition.unlock() }
    let end = Date.now + 0.5
    while count == 0 { if !condition.wait(until: end) { return false } }
    count -= 1
    return true
  }

  /// Waits for a letter.
  ///
  /// - Returns: How many are left.
  public func take() -> Int {
    condition.lock()
    defer { condition.unlock() }
    if asksAgain {
      while count == 0 { condition.wait() }
    } else if count == 0 {
      condition.wait()
    }
    count -= 1
    return count
  }
}
