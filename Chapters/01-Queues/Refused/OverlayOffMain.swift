// The block that forgot to go back to the main queue.

import Dispatch

@MainActor
final class Overlay {
  var faces: [String] = []
  // expected-note@-1 {{mutation of this property is only permitted within the actor}}
}

func find(for overlay: Overlay) {
  DispatchQueue.global().async {
    overlay.faces = ["Ann"]
    // expected-error@-1 {{main actor-isolated property 'faces' can not be mutated from a Sendable closure}}
  }
}
