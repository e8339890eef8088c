import Dispatch

extension LeavingTwice {
  // The error's path left the group before there was a `defer`, and still does.
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
          defer { group.leave() }
          answers.keep(answer, at: index)
          guard case .success = answer else { return group.leave() }
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
