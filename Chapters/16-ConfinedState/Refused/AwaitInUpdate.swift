// A body that awaits, where nobody may come between.

struct Draft: Sendable { var visits = 0 }

actor Store {
  private var draft = Draft()

  func update(_ body: @Sendable (inout Draft) throws -> Void) rethrows { try body(&draft) }
}

func addVisit(in store: Store, approve: @escaping @Sendable () async -> Bool) async {
  await store.update { draft in
    // expected-error@-1 {{cannot pass function of type '@Sendable (inout Draft) async -> Void' to parameter expecting synchronous function type}}
    if await approve() { draft.visits += 1 }
    // expected-note@-1 {{'async' inferred from asynchronous operation used here}}
  }
}
