import Foundation

/// Loads one picture, and says once what came of it. While it loads, it holds no thread.
// Sendable because `progress` is used under the lock only.
final class PictureDownload: Operation, @unchecked Sendable {
  let url: URL
  private let load: CallbackLoad
  private let report: @Sendable (PictureDownload, Result<Picture, any Error>) -> Void
  private let cancellation = Cancellation()
  private let lock = NSLock()
  private var progress = (hasBegun: false, hasEnded: false)

  init(
    _ url: URL, by load: @escaping CallbackLoad,
    report: @escaping @Sendable (PictureDownload, Result<Picture, any Error>) -> Void
  ) {
    self.url = url
    self.load = load
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
    // A cancellation that came in between cancels the load now.
    cancellation.begun(load(url) { self.end($0) })
  }

  override func cancel() {
    super.cancel()
    cancellation.cancel()
  }

  private func end(_ result: Result<Picture, any Error>) {
    report(self, result)
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { progress.hasEnded = true }
    didChangeValue(forKey: "isFinished")
    didChangeValue(forKey: "isExecuting")
  }
}
