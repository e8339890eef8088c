import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport by `URLSession`.
final class SessionTransport: Sendable {
  let receipts: Receipts
  let session: URLSession

  /// - Parameters:
  ///   - largest: How many bytes a response may have.
  ///   - silence: For how long a server may send nothing, in seconds, more than 0.
  init(largest: Int = 1_000_000, silence: TimeInterval = 60) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.timeoutIntervalForRequest = silence
    receipts = Receipts(largest: largest)
    session = URLSession(configuration: configuration, delegate: receipts, delegateQueue: nil)
  }

  // A session keeps its delegate, its thread and its connections until then.
  deinit { session.finishTasksAndInvalidate() }
}
