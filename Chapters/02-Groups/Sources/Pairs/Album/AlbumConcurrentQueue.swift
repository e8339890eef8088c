import Dispatch

extension EnteringFirst {
  /// Each photo enters on the caller's thread, before its request is handed over to be prepared and sent.
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
        DispatchQueue.global().async {
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
