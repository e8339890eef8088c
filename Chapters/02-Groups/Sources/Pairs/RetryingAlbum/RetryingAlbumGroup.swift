import Dispatch

extension Grouped {
  /// A photo that fails is asked for once more. Its member stays until that has ended, too.
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
        let finish: @Sendable (Answer) -> Void = { answer in
          answers.keep(answer, at: index)
          group.leave()
        }
        group.enter()
        fetch(name) { answer in
          guard case .failure = answer else { return finish(answer) }
          fetch(name, finish)
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
