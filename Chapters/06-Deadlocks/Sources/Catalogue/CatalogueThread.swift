import Foundation

/// Where the caller has to stay synchronous: the blocking bridge, on a thread that no task needs.
public struct CatalogueThread: Sendable {
  private let blocking: CatalogueBlocking

  public init(_ server: @escaping PriceServer) {
    blocking = CatalogueBlocking(server)
  }

  public func price(of item: String) async -> Int {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: blocking.price(of: item)) }
    }
  }
}
