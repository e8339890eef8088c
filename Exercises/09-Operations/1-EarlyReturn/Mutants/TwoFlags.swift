// Looks right: each flag is guarded and announced. Wrong: between the two the upload is finished and executing.

import ControlledDispatch  // its types are spelled as Foundation's, and the check gives the turns

/// Why there is no receipt.
enum UploadError: Error, Hashable {
  /// The file has no bytes, so there is nothing to send.
  case empty
  case cancelled
  /// The server has refused the file, with this status.
  case refused(status: Int)
}

/// One transfer, as a `URLSessionTask` is one. It stays as it is.
protocol Transfer: Sendable {
  /// Begins it; one that was cancelled before does nothing.
  func resume()
  /// Ends it soon, with `.cancelled`; one that has called back does nothing.
  func cancel()
}

/// Sends files to a server. It stays as it is.
protocol UploadClient: Sendable {
  /// Makes a transfer. It calls back once, on any thread, maybe before `resume()` or `cancel()` returns, and lets go
  /// of the completion then.
  ///
  /// - Parameter completion: Gets the number of the receipt, or why there is none.
  func transfer(
    _ bytes: [UInt8], completion: @escaping @Sendable (Result<Int, UploadError>) -> Void
  ) -> any Transfer
}

/// Uploads a file; an operation that goes on after `start()` has returned.
///
/// The check uses `UploadError`, `Transfer`, `UploadClient`, `init(_:client:)`, `result`, and what every operation
/// has.
final class Upload: Operation, @unchecked Sendable {
  // Sendable: what changes is used under `lock` only.
  private let bytes: [UInt8]
  private let client: any UploadClient
  private let lock = NSLock()
  private var executing = false
  private var finished = false
  private var answer: Result<Int, UploadError>?
  private var transfer: (any Transfer)?

  init(_ bytes: [UInt8], client: any UploadClient) {
    self.bytes = bytes
    self.client = client
  }

  /// What it came to; nil until it has finished.
  var result: Result<Int, UploadError>? { lock.withLock { answer } }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { executing } }
  override var isFinished: Bool { lock.withLock { finished } }

  override func start() {
    guard !isCancelled else { return finish(.failure(.cancelled)) }
    guard !bytes.isEmpty else { return finish(.failure(.empty)) }
    willChangeValue(for: \.isExecuting)
    lock.withLock { executing = true }
    didChangeValue(for: \.isExecuting)
    let transfer = client.transfer(bytes) { self.finish($0) }
    lock.withLock { self.transfer = transfer }
    transfer.resume()
    // Until the line before last, `cancel()` found no transfer.
    if isCancelled { transfer.cancel() }
  }

  override func cancel() {
    super.cancel()
    let transfer = lock.withLock { self.transfer }
    transfer?.cancel()
  }

  private func finish(_ result: Result<Int, UploadError>) {
    willChangeValue(for: \.isFinished)
    lock.withLock {
      finished = true
      answer = result
    }
    didChangeValue(for: \.isFinished)
    willChangeValue(for: \.isExecuting)
    lock.withLock { executing = false }
    didChangeValue(for: \.isExecuting)
  }
}
