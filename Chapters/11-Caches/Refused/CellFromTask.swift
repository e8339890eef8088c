// The old completion, called where the loader happens to be: it shows a picture off the main actor.

@MainActor final class Cell { var picture: [UInt8] = [] }  // expected-note {{mutation of this}}

func load(into cell: Cell, _ bytes: @escaping @Sendable () async -> [UInt8]) {
  Task.detached { cell.picture = await bytes() }
  // expected-error@-1 {{main actor-isolated property 'picture' can not be mutated from a nonisolated context}}
  // expected-note@-2 {{consider declaring an isolated method on 'MainActor' to perform the mutation}}
}
