import Dispatch

extension OnTwoQueues {
  /// A download's callback, a block that develops the photo, and one that files it are members of one group. Each
  /// begins before the one that it follows leaves, so the group is never empty in between.
  struct Album: Sendable {
    private let developing = DispatchQueue(label: "developing", attributes: .concurrent)
    private let filing = DispatchQueue(label: "filing")
    private let fetch: Fetch
    private let develop: @Sendable (Photo) -> Photo

    init(fetch: @escaping Fetch, develop: @escaping @Sendable (Photo) -> Photo = { $0 }) {
      self.fetch = fetch
      self.develop = develop
    }

    func load(
      _ names: [String], on queue: DispatchQueue,
      then completion: @escaping @Sendable ([Answer]) -> Void
    ) {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          developing.async(group: group) {
            let developed = answer.map(develop)
            filing.async(group: group) { answers.keep(developed, at: index) }
          }
          group.leave()
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
