// A handler that is declared as @Sendable adds to what is an actor's. It runs on its queue, and not on the actor.

actor Log {
  private var lines: [String] = []

  func follow(_ watch: (_ whenLine: @escaping @Sendable (String) -> Void) -> Void) {
    watch { self.lines.append($0) }
    // expected-error@-1 {{actor-isolated property 'lines' can not be mutated from a Sendable closure}}
    // expected-note@-5 {{mutation of this property is only permitted within the actor}}
  }
}
