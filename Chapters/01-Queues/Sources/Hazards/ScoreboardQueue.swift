import Dispatch

// The claim of Sendable is false on purpose: this runs in a child process only.
final class ScoreboardQueue: @unchecked Sendable {
  private let queue = DispatchQueue(label: "scoreboard")
  private var points: Int

  init(score: Int) {
    points = score
  }

  func add(_ more: Int, afterReading pause: @Sendable () -> Void = {}) {
    queue.sync {
      let read = points
      pause()
      points = read + more
    }
  }

  /// Was added later, by someone who did not know about the queue.
  func reset() {
    points = 0
  }

  var score: Int { queue.sync { points } }
}
