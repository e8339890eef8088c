import Foundation

extension Published {
  /// Loads the pictures of an app. Call it on the main queue.
  // Sendable because what changes is used on the main queue only.
  final class PictureLoader: @unchecked Sendable {
    private let queue = OperationQueue()
    private let memory: any PictureMemory
    private let load: CallbackLoad
    private var completion: Completion<Picture>?

    init(width: Int, memory: any PictureMemory, load: @escaping CallbackLoad) {
      queue.maxConcurrentOperationCount = width
      self.memory = memory
      self.load = load
    }

    func load(_ url: URL, then completion: @escaping Completion<Picture>) {
      self.completion = completion
      if let picture = memory.picture(for: url) { return completion(.success(picture)) }
      if let operation = executing(url) {
        operation.queuePriority = .veryHigh
        return
      }
      let operation = DownloadOperation(url, by: load)
      operation.downloaded = { [weak self] result in
        DispatchQueue.main.async { self?.finish(url, result) }
      }
      queue.addOperation(operation)
    }

    /// A cell has left the screen.
    func slowDown(_ url: URL) { executing(url)?.queuePriority = .low }

    func cancelAll() { queue.cancelAllOperations() }

    private func executing(_ url: URL) -> DownloadOperation? {
      queue.operations.lazy.compactMap { $0 as? DownloadOperation }
        .first { $0.url == url && $0.isExecuting && !$0.isFinished }
    }

    private func finish(_ url: URL, _ result: Result<Picture, any Error>) {
      if case .success(let picture) = result { memory.keep(picture, for: url) }
      completion?(result)
    }
  }

  // Sendable because `downloaded` is set before it is in a queue, and `progress` is used under the lock only.
  private final class DownloadOperation: Operation, @unchecked Sendable {
    let url: URL
    var downloaded: Completion<Picture>?
    private let load: CallbackLoad
    private let lock = NSLock()
    private var progress = (hasBegun: false, hasEnded: false)

    init(_ url: URL, by load: @escaping CallbackLoad) {
      self.url = url
      self.load = load
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { progress.hasBegun && !progress.hasEnded } }
    override var isFinished: Bool { lock.withLock { progress.hasEnded } }

    override func start() {
      if isCancelled { return end() }
      willChangeValue(forKey: "isExecuting")
      lock.withLock { progress.hasBegun = true }
      didChangeValue(forKey: "isExecuting")
      _ = load(url) { result in
        self.downloaded?(result)
        self.end()
      }
    }

    private func end() {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      lock.withLock { progress.hasEnded = true }
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
