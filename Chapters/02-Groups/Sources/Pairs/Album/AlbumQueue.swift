import Dispatch

/// Not all was there when the time was over.
struct TimedOut: Error, Equatable {}

extension Waiting {
  /// The downloads and the time limit begin at once. A thread off main waits, so that the caller goes on, and a server
  /// that never answers holds it no longer than the limit.
  struct Album: Sendable {
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    func load(
      _ names: [String], within limit: DispatchTimeInterval,
      then completion: @escaping @Sendable (Result<[Answer], TimedOut>) -> Void
    ) {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          answers.keep(answer, at: index)
          group.leave()
        }
      }
      let deadline = DispatchTime.now() + limit
      // On a global queue, the waits of some albums could hold all the threads that the answers need.
      DispatchQueue(label: "waiting").async {
        switch group.wait(timeout: deadline) {
        case .success: completion(.success(answers.inOrder))
        case .timedOut: completion(.failure(TimedOut()))
        }
      }
    }
  }
}
