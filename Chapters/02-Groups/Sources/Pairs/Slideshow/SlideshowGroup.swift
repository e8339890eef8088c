import Dispatch

extension Grouped {
  /// Begins with the photos that have come when the time is over. The downloads that are late go on: their answers
  /// are kept, and nobody looks at them.
  struct Slideshow: Sendable {
    private let fetch: Fetch

    init(fetch: @escaping Fetch) {
      self.fetch = fetch
    }

    func load(
      _ names: [String], within limit: DispatchTimeInterval,
      then completion: @escaping @Sendable ([Photo?]) -> Void
    ) {
      let (group, answers) = (DispatchGroup(), Answers(count: names.count))
      for (index, name) in names.enumerated() {
        group.enter()
        fetch(name) { answer in
          answers.keep(answer, at: index)
          group.leave()
        }
      }
      let deadline = DispatchTime.now() + limit
      // On a global queue, the waits of some albums could hold all the threads that the answers need.
      DispatchQueue(label: "waiting").async {
        _ = group.wait(timeout: deadline)
        completion(answers.soFar.map { try? $0?.get() })
      }
    }
  }
}
