import Dispatch

extension CalledBack {
  /// Nobody waits: the second request begins in the callback of the first.
  final class Download: Sendable {
    private let network: Network

    init(from network: Network) {
      self.network = network
    }

    func startPage(then completion: @escaping @Sendable (String) -> Void) {
      network.get("login") { _ in
        self.network.get("start", then: completion)
      }
    }
  }
}
