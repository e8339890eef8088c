import Foundation

extension Operated {
  /// The queue begins as many operations as it is wide. Each ends with its answer, so none holds a thread meanwhile.
  struct Downloads: Sendable {
    private let queue = OperationQueue()
    private let fetch: Fetch

    init(width: Int, fetch: @escaping Fetch) {
      queue.maxConcurrentOperationCount = width
      self.fetch = fetch
    }

    func start(_ names: [String], then completion: @escaping @Sendable ([Answer]) -> Void) {
      let answers = Slots<Answer>(names.count)
      let last = BlockOperation { completion(answers.all) }
      for (index, name) in names.enumerated() {
        let download = DownloadOperation(name, by: fetch) { answers.set($0, at: index) }
        last.addDependency(download)
        queue.addOperation(download)
      }
      queue.addOperation(last)
    }
  }

  // Sendable because `progress` is used under the lock only.
  private final class DownloadOperation: Operation, @unchecked Sendable {
    private let file: String
    private let fetch: Fetch
    private let report: @Sendable (Answer) -> Void
    private let lock = NSLock()
    private var progress = (hasBegun: false, hasEnded: false)

    init(_ name: String, by fetch: @escaping Fetch, report: @escaping @Sendable (Answer) -> Void) {
      file = name
      self.fetch = fetch
      self.report = report
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { progress.hasBegun && !progress.hasEnded } }
    override var isFinished: Bool { lock.withLock { progress.hasEnded } }

    override func start() {
      if isCancelled { return end(.failure(CancellationError())) }
      willChangeValue(forKey: "isExecuting")
      lock.withLock { progress.hasBegun = true }
      didChangeValue(forKey: "isExecuting")
      fetch(file) { self.end($0) }
    }

    private func end(_ answer: Answer) {
      report(answer)
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      lock.withLock { progress.hasEnded = true }
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
