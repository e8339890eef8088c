import Dispatch

extension WaitingInside {
  /// Each block has a thread of the pool, and blocks it until it may begin. The answers need threads of the same pool.
  struct Downloads: Sendable {
    let width: Int
    let fetch: Fetch

    func start(_ names: [String], then completion: @escaping @Sendable ([Answer]) -> Void) {
      let (free, group) = (DispatchSemaphore(value: width), DispatchGroup())
      let answers = Slots<Answer>(names.count)
      for (index, name) in names.enumerated() {
        group.enter()
        DispatchQueue.global().async {
          free.wait()
          fetch(name) { answer in
            answers.set(answer, at: index)
            free.signal()
            group.leave()
          }
        }
      }
      group.notify(queue: .global()) { completion(answers.all) }
    }
  }
}
