import Dispatch

extension Fed {
  /// One thread waits for the semaphore, and begins the downloads: the feeder.
  struct Downloads: Sendable {
    private let feeder = DispatchQueue(label: "com.example.feeder")
    private let free: DispatchSemaphore
    private let fetch: Fetch

    init(width: Int, fetch: @escaping Fetch) {
      free = DispatchSemaphore(value: width)
      self.fetch = fetch
    }

    func start(_ names: [String], then completion: @escaping @Sendable ([Answer]) -> Void) {
      let group = DispatchGroup()
      let answers = Slots<Answer>(names.count)
      for _ in names { group.enter() }
      feeder.async { [free, fetch] in
        for (index, name) in names.enumerated() {
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
