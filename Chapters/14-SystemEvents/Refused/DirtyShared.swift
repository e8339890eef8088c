// The handler marks what is dirty, and the owner takes it on another thread.

import Dispatch

final class Redraw: Sendable {
  private var dirty: UInt = 0
  // expected-error@-1 {{stored property 'dirty' of 'Sendable'-conforming class 'Redraw' is mutable}}

  func follow(_ source: any DispatchSourceUserDataOr) {
    source.setEventHandler { self.dirty |= source.data }
  }
}
