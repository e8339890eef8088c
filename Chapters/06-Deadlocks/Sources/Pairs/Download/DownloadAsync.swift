extension Awaited {
  /// It reads as the version that waits, and holds no queue meanwhile.
  struct Download: Sendable {
    private let network: Network

    init(from network: Network) {
      self.network = network
    }

    func startPage() async -> String {
      _ = await page("login")
      return await page("start")
    }

    private func page(_ path: String) async -> String {
      await withCheckedContinuation { continuation in
        network.get(path) { continuation.resume(returning: $0) }
      }
    }
  }
}
