import Dispatch

extension Waiting {
  // The view layer wants a price now, and the client is async by now. So somebody builds a bridge.
  final class Catalogue: Sendable {
    private let server: PriceServer

    init(_ server: @escaping PriceServer) {
      self.server = server
    }

    func price(of item: String) -> Int {
      let done = DispatchSemaphore(value: 0)
      let result = Result()
      Task {
        result.price = await server(item)
        done.signal()
      }
      done.wait()
      return result.price
    }

    // Sendable because it is written before the signal and read after the wait.
    private final class Result: @unchecked Sendable {
      var price = 0
    }
  }
}
