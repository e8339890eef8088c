/// Async to its edge: whoever asks awaits.
public struct CatalogueAsync: Sendable {
  private let server: PriceServer

  public init(_ server: @escaping PriceServer) {
    self.server = server
  }

  public func price(of item: String) async -> Int { await server(item) }
}
