import Dispatch

extension LeavingToRetry {
  // The branch that fails leaves, as the other does, and then tries again. Nobody counts the second download.
  struct RetryingAlbum: Sendable {
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    func load(
      _ names: [String], on queue: DispatchQueue,
      then completion: @escaping @Sendable ([Answer]) -> Void
    ) {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          guard case .failure = answer else {
            answers.keep(answer, at: index)
            return group.leave()
          }
          group.leave()
          fetch(name) { answers.keep($0, at: index) }
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
