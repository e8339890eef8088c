import Dispatch

/// Not all was there when the time was over.
struct TimedOut: Error, Equatable {}

extension Waiting {
  /// A queue off main waits, with a time limit, so that a server that never answers cannot hold its thread for ever.
  struct Album: Sendable {
    private let waiting = DispatchQueue(label: "waiting")
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    func load(
      _ names: [String], within limit: DispatchTimeInterval,
      then completion: @escaping @Sendable (Result<[Answer], TimedOut>) -> Void
    ) {
      waiting.async {
        let (group, answers) = (DispatchGroup(), Answers(count: names.count))
        for (index, name) in names.enumerated() {
          group.enter()
          fetch(name) { answer in
            answers.keep(answer, at: index)
            group.leave()
          }
        }
        switch group.wait(timeout: .now() + limit) {
        case .success: completion(.success(answers.inOrder))
        case .timedOut: completion(.failure(TimedOut()))
        }
      }
    }
  }
}
