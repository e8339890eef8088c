// A lock held over an await: the closure of `withLock` is not async.

import Synchronization

func ask() async -> Int { 7 }

final class Price: Sendable {
  private let price = Mutex(0)

  func refresh() async {
    price.withLock { price in
      // expected-error@-1 {{to parameter expecting synchronous function type}}
      price = await ask()
      // expected-note@-1 {{'async' inferred from asynchronous operation used here}}
    }
  }
}
