// A completion handler, called on any thread, changes a screen that belongs to the main actor.

func person(_ id: Int, then completion: @escaping @Sendable (String) -> Void) {}

@MainActor final class Screen {
  private var name = ""

  func show(_ id: Int) {
    person(id) { self.name = $0 }
    // expected-error@-1 {{main actor-isolated property 'name' can not be mutated from a Sendable closure}}
    // expected-note@-5 {{mutation of this property is only permitted within the actor}}
  }
}
