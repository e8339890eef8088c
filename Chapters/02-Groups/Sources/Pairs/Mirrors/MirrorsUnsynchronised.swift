import Dispatch

extension Unsynchronised {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class Mirrors: @unchecked Sendable {
    private let completion: @Sendable (Answer) -> Void
    private var isAnswered = false

    init(then completion: @escaping @Sendable (Answer) -> Void) {
      self.completion = completion
    }

    static func load(
      _ name: String, from mirrors: [Fetch], on queue: DispatchQueue,
      then completion: @escaping @Sendable (Answer) -> Void
    ) {
      let request = Mirrors { answer in queue.async { completion(answer) } }
      for fetch in mirrors { fetch(name, request.take) }
    }

    /// Takes what a mirror answers.
    @Sendable func take(_ answer: Answer) {
      if isAnswered { return }
      isAnswered = true
      completion(answer)
    }
  }
}
