import Dispatch

extension Queued {
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

    /// On the queue, and without the methods that go to it.
    func restart(with first: Int) {
      queue.sync { points = first }
    }

    var score: Int { queue.sync { points } }
  }
}
