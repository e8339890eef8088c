import Dispatch

extension CountingStarts {
  // The group counts blocks, and each block ends as soon as its download has begun.
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
        DispatchQueue.global().async(group: group) {
          fetch(name) { answers.keep($0, at: index) }
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
