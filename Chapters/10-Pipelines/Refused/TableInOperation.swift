// The block of an operation shows what it has parsed, in a class that belongs to the main actor.

import Foundation

@MainActor final class Table {
  private var rows: [String] = []

  func reload(in queue: OperationQueue, parse: @escaping @Sendable () -> [String]) {
    queue.addOperation { self.rows = parse() }
    // expected-error@-1 {{main actor-isolated property 'rows' can not be mutated from a Sendable closure}}
    // expected-note@-5 {{mutation of this property is only permitted within the actor}}
  }
}
