import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SessionTransport: Transport {
  func send(_ request: URLRequest) async throws -> Response {
    try Task.checkCancellation()
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        cancellation.begun(send(request) { continuation.resume(with: $0) })
      }
    } onCancel: {
      cancellation.cancel()
    }
  }
}
