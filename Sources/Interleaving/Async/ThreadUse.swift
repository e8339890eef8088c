import Foundation

/// What a thread has had of the processors, as the system tells.
struct ThreadUse {
  /// Whether it computes, or waits for a processor or for memory that the system has to bring.
  private let isReady: Bool
  private let computed: Duration
  private let delayed: Duration

  /// - Parameter thread: Its number.
  /// - Returns: nil where the system does not tell.
  init?(of thread: Int32) {
    let folder = "/proc/self/task/\(thread)/"
    guard let state = try? String(contentsOfFile: folder + "stat", encoding: .utf8),
      let use = try? String(contentsOfFile: folder + "schedstat", encoding: .utf8)
    else { return nil }
    let numbers = use.split(separator: " ").compactMap { Int($0) }
    guard numbers.count > 1, numbers[0] > 0 else { return nil }
    isReady = state.drop { $0 != ")" }.dropFirst(2).first.map { "RD".contains($0) } ?? false
    (computed, delayed) = (.nanoseconds(numbers[0]), .nanoseconds(numbers[1]))
  }

  /// How long it has computed, or waited for something other than a processor.
  ///
  /// - Parameters:
  ///   - earlier: What it had had before.
  ///   - time: How long ago that was.
  func time(since earlier: Self, in time: Duration) -> Duration {
    // The system counts a delay when it is over.
    max(isReady ? computed - earlier.computed : time - (delayed - earlier.delayed), .zero)
  }
}
