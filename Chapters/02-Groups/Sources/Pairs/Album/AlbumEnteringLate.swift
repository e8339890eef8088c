import Dispatch

extension EnteringLate {
  // Preparing a request takes a while, so it was moved off main, and the `enter()` with it.
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
        DispatchQueue.global().async {
          group.enter()
          fetch(name) { answer in
            answers.keep(answer, at: index)
            group.leave()
          }
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
