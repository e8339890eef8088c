#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

/// Nobody waits: the second request begins in the callback of the first.
public final class DownloadCallback: Sendable {
  private let network: Network

  public init(from network: Network) {
    self.network = network
  }

  public func startPage(then completion: @escaping @Sendable (String) -> Void) {
    network.get("login") { _ in
      self.network.get("start", then: completion)
    }
  }
}
