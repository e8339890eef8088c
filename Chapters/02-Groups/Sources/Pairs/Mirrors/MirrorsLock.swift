import Dispatch
import Foundation

extension Locked {
  /// One photo, asked for at several mirrors. The first photo that comes is told; an error is, if all fail.
  // Sendable because `open` and `isAnswered` are read and written under `lock` only.
  final class Mirrors: @unchecked Sendable {
    private let lock = NSLock()
    private let completion: @Sendable (Answer) -> Void
    private var open: Int
    private var isAnswered = false

    init(_ count: Int, then completion: @escaping @Sendable (Answer) -> Void) {
      open = count
      self.completion = completion
    }

    static func load(
      _ name: String, from mirrors: [Fetch], on queue: DispatchQueue,
      then completion: @escaping @Sendable (Answer) -> Void
    ) {
      let request = Mirrors(mirrors.count) { answer in queue.async { completion(answer) } }
      for fetch in mirrors { fetch(name, request.take) }
    }

    /// Takes what a mirror answers.
    @Sendable func take(_ answer: Answer) {
      let isTold = lock.withLock {
        open -= 1
        if isAnswered { return false }
        if case .failure = answer, open > 0 { return false }
        isAnswered = true
        return true
      }
      if isTold { completion(answer) }
    }
  }
}
