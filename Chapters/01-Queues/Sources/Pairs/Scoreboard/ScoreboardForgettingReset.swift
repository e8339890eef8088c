import Dispatch

extension Forgetful {
  // The claim of Sendable is false: a method forgets the queue.
  final class Scoreboard: @unchecked Sendable {
    private let queue = DispatchQueue(label: "scoreboard")
    private var points: Int

    init(score: Int) {
      points = score
    }

    func add(_ more: Int) {
      queue.sync { points += more }
    }

    /// Was added later, by someone who did not know about the queue.
    func reset() {
      points = 0
    }

    var score: Int { queue.sync { points } }
  }
}
