import Dispatch

extension Waiting {
  // A synchronous face for an API with callbacks: written for a background thread, where it works.
  final class Download: Sendable {
    private let network: Network

    init(from network: Network) {
      self.network = network
    }

    func page(_ path: String) -> String {
      let done = DispatchSemaphore(value: 0)
      let result = Result()
      network.get(path) { page in
        result.page = page
        done.signal()
      }
      done.wait()
      return result.page
    }

    // Sendable because it is written before the signal and read after the wait.
    private final class Result: @unchecked Sendable {
      var page = ""
    }

    /// The login page links to the start page. It is asked for in a callback, so on the network's queue.
    func startPage(then completion: @escaping @Sendable (String) -> Void) {
      network.get("login") { _ in
        completion(self.page("start"))
      }
    }
  }
}
