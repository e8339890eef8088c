import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A transport by `URLSession`.
final class SessionTransport: Sendable {
  let receipts: Receipts
  let session: URLSession

  /// - Parameter largest: How many bytes a response may have.
  init(largest: Int = 1_000_000) {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    receipts = Receipts(largest: largest)
    session = URLSession(configuration: configuration, delegate: receipts, delegateQueue: nil)
  }

  // A session keeps its delegate, its thread and its connections until then.
  deinit { session.finishTasksAndInvalidate() }
}
