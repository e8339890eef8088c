#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

/// The network layer: it calls back on its own queue.
public final class Network: Sendable {
  public let queue = DispatchQueue(label: "network")

  public init() {}

  public func get(_ path: String, then completion: @escaping @Sendable (String) -> Void) {
    queue.async { completion("contents of \(path)") }
  }
}

// A synchronous face for an API with callbacks: written for a background thread, where it works.
public final class DownloadWaiting: Sendable {
  private let network: Network

  public init(from network: Network) {
    self.network = network
  }

  public func page(_ path: String, aboutToWait: @Sendable () -> Void = {}) -> String {
    let done = DispatchSemaphore(value: 0)
    let result = Result()
    network.get(path) { page in
      result.page = page
      done.signal()
    }
    aboutToWait()
    done.wait()
    return result.page
  }

  // Sendable because it is written before the signal and read after the wait.
  private final class Result: @unchecked Sendable {
    var page = ""
  }

  /// The login page links to the start page. It is asked for in a callback, so on the network's queue.
  public func startPage(
    aboutToWait: @escaping @Sendable () -> Void = {},
    then completion: @escaping @Sendable (String) -> Void
  ) {
    network.get("login") { _ in
      completion(self.page("start", aboutToWait: aboutToWait))
    }
  }
}
