import Dispatch

extension Notified {
  /// The end is a work item, so that a screen that goes away can take it back.
  struct Album: Sendable {
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    /// - Returns: What calls back. Cancelled before, it tells nobody; the downloads go on.
    func load(
      _ names: [String], on queue: DispatchQueue,
      then completion: @escaping @Sendable ([Answer]) -> Void
    ) -> DispatchWorkItem {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          answers.keep(answer, at: index)
          group.leave()
        }
      }
      let item = DispatchWorkItem { completion(answers.inOrder) }
      group.notify(queue: queue, work: item)
      return item
    }
  }
}
