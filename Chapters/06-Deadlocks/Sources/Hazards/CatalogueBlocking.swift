#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

/// Asks a server. It stands for any async function.
public typealias PriceServer = @Sendable (_ item: String) async -> Int

// The view layer wants a price now, and the client is async by now. So somebody builds a bridge.
public final class CatalogueBlocking: Sendable {
  private let server: PriceServer

  public init(_ server: @escaping PriceServer) {
    self.server = server
  }

  public func price(of item: String, aboutToWait: @Sendable () -> Void = {}) -> Int {
    let done = DispatchSemaphore(value: 0)
    let result = Result()
    Task {
      result.price = await server(item)
      done.signal()
    }
    aboutToWait()
    done.wait()
    return result.price
  }

  // Sendable because it is written before the signal and read after the wait.
  private final class Result: @unchecked Sendable {
    var price = 0
  }
}
