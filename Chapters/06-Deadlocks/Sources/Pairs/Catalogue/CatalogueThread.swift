import Foundation

extension WaitingApart {
  /// Where the caller has to stay synchronous: the blocking bridge, on a thread that no task needs.
  struct Catalogue: Sendable {
    private let blocking: Waiting.Catalogue

    init(_ server: @escaping PriceServer) {
      blocking = Waiting.Catalogue(server)
    }

    func price(of item: String) async -> Int {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: blocking.price(of: item)) }
      }
    }
  }
}
