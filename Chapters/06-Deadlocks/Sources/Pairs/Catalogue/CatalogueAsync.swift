extension Awaited {
  /// Async to its edge: whoever asks awaits.
  struct Catalogue: Sendable {
    private let server: PriceServer

    init(_ server: @escaping PriceServer) {
      self.server = server
    }

    func price(of item: String) async -> Int { await server(item) }
  }
}
