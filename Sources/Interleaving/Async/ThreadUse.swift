import Foundation

/// What a thread has had of the processors; nothing where the system does not tell.
struct ThreadUse {
  private var isReady = false
  private var computed = Duration.zero
  private var delayed = Duration.zero

  /// - Parameter thread: Its number.
  init(of thread: Int32) {
    let folder = "/proc/self/task/\(thread)/"
    guard let state = try? String(contentsOfFile: folder + "stat", encoding: .utf8),
      let use = try? String(contentsOfFile: folder + "schedstat", encoding: .utf8)
    else { return }
    isReady = state.drop { $0 != ")" }.dropFirst(2).first == "R"
    let numbers = use.split(separator: " ").compactMap { Int($0) }
    guard numbers.count > 1 else { return }
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
