import Interleaving
import Testing

/// What the reduction leans on, of an operation's dependencies.
@Suite struct HoldsTests {
  private let actions: [Action] = [
    .hold(by: .variable(1)), .hold(by: .variable(2)), .letGo(by: .variable(1)),
    .letGo(by: .variable(2)), .force, .proceed, .load, .update,
  ]

  /// The states that a few actions lead to.
  private var states: Set<ObjectState> {
    var states: Set<ObjectState> = [.holds(Holds())]
    for _ in 0..<3 {
      for state in states {
        for action in actions where state.permits(action) { states.insert(state.after(action)) }
      }
    }
    return states
  }

  @Test func `actions of one mode that is no write commute and hinder nothing`() {
    #expect(states.count > 4)
    for state in states {
      for first in actions where first.mode != .write && state.permits(first) {
        for second in actions where state.permits(second) {
          let isConflict = Access.conflict(first.mode, second.mode)
          #expect(state.after(first).permits(second), "\(first) hinders \(second)")
          if !isConflict {
            #expect(state.after(first).after(second) == state.after(second).after(first))
          }
        }
      }
    }
  }

  @Test func `who proceeds waits for all who hold, unless forced on`() {
    var state = ObjectState.holds(Holds())
    #expect(state.permits(.proceed))
    state = state.after(.hold(by: .variable(1))).after(.hold(by: .variable(2))).after(
      .hold(by: .variable(1))
    ).after(.letGo(by: .variable(1)))
    #expect(!state.permits(.proceed))
    #expect(state.after(.letGo(by: .variable(2))).permits(.proceed))
    #expect(state.after(.force).permits(.proceed))
    #expect(state.after(.force).after(.hold(by: .variable(3))).permits(.proceed))
  }
}

extension ObjectState {
  fileprivate func after(_ action: Action) -> Self {
    var state = self
    state.apply(action)
    return state
  }
}
