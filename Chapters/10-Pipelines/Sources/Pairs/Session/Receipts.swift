import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The bytes of the responses that a session gets, each up to a size.
// Sendable because `receipts` is used under `lock` only.
final class Receipts: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Receipt {
    var body = Data()
    let completion: Completion<Response>
  }

  private let largest: Int
  private let lock = NSLock()
  private var receipts: [Int: Receipt] = [:]

  init(largest: Int) { self.largest = largest }

  /// Has a completion called with what comes of a task, which has not been resumed.
  func expect(_ task: URLSessionTask, then completion: @escaping Completion<Response>) {
    lock.withLock { receipts[task.taskIdentifier] = Receipt(completion: completion) }
  }

  func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let id = dataTask.taskIdentifier
    let tooLarge: Receipt? = lock.withLock {
      guard let size = receipts[id]?.body.count else { return nil }
      if size + data.count > largest { return receipts.removeValue(forKey: id) }
      receipts[id]?.body.append(data)
      return nil
    }
    guard let tooLarge else { return }
    // Not here: `cancel()` may block, and what comes in the meantime is kept for this method.
    DispatchQueue.global().async { dataTask.cancel() }
    tooLarge.completion(.failure(TransportError.tooLarge(limit: largest)))
  }

  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let receipt = lock.withLock { receipts.removeValue(forKey: task.taskIdentifier) }
    guard let receipt else { return }
    receipt.completion(
      Result {
        if let error { throw transportError(error) }
        guard let response = task.response as? HTTPURLResponse else {
          throw TransportError.connection(URLError(.badServerResponse))
        }
        // UInt32, because a sleep of `Int.max` seconds ends the process.
        let seconds = response.value(forHTTPHeaderField: "Retry-After").flatMap { UInt32($0) }
        return Response(
          status: response.statusCode, retryAfter: seconds.map { .seconds($0) }, body: receipt.body)
      })
  }

  private func transportError(_ error: any Error) -> any Error {
    switch (error as? URLError)?.code {
    case .cancelled: CancellationError()
    case .httpTooManyRedirects: TransportError.tooManyRedirects
    case .badURL, .unsupportedURL, .secureConnectionFailed, .serverCertificateUntrusted,
      .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
      TransportError.refused(error)
    default: TransportError.connection(error)
    }
  }
}
