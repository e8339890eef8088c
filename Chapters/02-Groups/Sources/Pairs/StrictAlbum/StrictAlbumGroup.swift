import Dispatch

extension Grouped {
  /// All or an error, told when all have ended: a group cannot stop its members.
  struct StrictAlbum: Sendable {
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    func load(
      _ names: [String], on queue: DispatchQueue,
      then completion: @escaping @Sendable (Result<[Photo], any Error>) -> Void
    ) {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          answers.keep(answer, at: index)
          group.leave()
        }
      }
      group.notify(queue: queue) {
        completion(Result { try answers.inOrder.map { try $0.get() } })
      }
    }
  }
}
