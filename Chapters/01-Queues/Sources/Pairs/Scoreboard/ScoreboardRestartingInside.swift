import Dispatch

extension QueuedInside {
  // Sendable because `points` is read and written on `queue` only.
  final class Scoreboard: @unchecked Sendable {
    private let queue = DispatchQueue(label: "scoreboard")
    private var points: Int

    init(score: Int) {
      points = score
    }

    func add(_ more: Int) {
      queue.sync { points += more }
    }

    func reset() {
      queue.sync { points = 0 }
    }

    /// Nobody should see the score between the two, so both are done on the queue, on which they go to the queue.
    func restart(with first: Int) {
      queue.sync {
        reset()
        add(first)
      }
    }

    var score: Int { queue.sync { points } }
  }
}
