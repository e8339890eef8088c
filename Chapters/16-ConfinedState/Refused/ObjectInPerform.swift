// An object of one context, used in a block that another queue runs.

import Dispatch

final class ManagedUser {
  var name = "Ada"
}

func rename(_ user: ManagedUser, on queue: DispatchQueue) {
  queue.async { user.name = "Bo" }
  // expected-error@-1 {{capture of 'user' with non-Sendable type 'ManagedUser' in a '@Sendable' closure}}
  // expected-note@-7 {{class 'ManagedUser' does not conform to the 'Sendable' protocol}}
}
