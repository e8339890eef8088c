// The claim of Sendable is false on purpose: this runs in a child process only.
final class CounterUnsynchronised: Counter, @unchecked Sendable {
  private(set) var value = 0

  /// `value += 1`, written as the read, the addition and the write that it is.
  func increment(afterReading pause: @Sendable () -> Void) {
    let read = value
    pause()
    value = read + 1
  }
}
