import Dispatch

extension LeavingBetween {
  // Leave what has ended, then begin what is next: in between the group is empty.
  struct Album: Sendable {
    private let developing = DispatchQueue(label: "developing", attributes: .concurrent)
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
          group.leave()
          developing.async(group: group) {
            answers.keep(answer.map(develop), at: index)
          }
        }
      }
      group.notify(queue: queue) { completion(answers.inOrder) }
    }
  }
}
