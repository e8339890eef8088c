import Dispatch

extension Grouped {
  /// Every photo enters before its download begins, and leaves when it has ended, on every path.
  struct Album: Sendable {
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
          answers.keep(answer, at: index)
          group.leave()
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
