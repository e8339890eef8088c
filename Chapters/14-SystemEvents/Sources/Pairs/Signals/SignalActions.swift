import Foundation
import Synchronization

/// Held from the look at an action until its source is activated. Actions belong to the whole process.
private let actions = Mutex(())

/// Takes away the default actions of signals, and activates their sources.
///
/// The default ends most processes. On Linux, Dispatch sets a handler of its own, but only for the first source of a
/// signal. So an action that is no default any more must stay: it is that handler, or about to be.
func activate(_ sources: [SignalNumber: any DispatchSourceSignal]) {
  actions.withLock { _ in
    for (signal, source) in sources {
      if signal == .child {
        keepEndedChildren()
      } else if signal.action == .default {
        signal.setAction(SIG_IGN)
      }
      source.activate()
    }
  }
}

/// Sees to it that children can be waited for.
///
/// Some programs begin others with SIGCHLD ignored, and then the kernel reaps their children: how they ended is lost.
func keepChildrenUntilReaped() { actions.withLock { _ in keepEndedChildren() } }

private func keepEndedChildren() {
  if SignalNumber.child.action == .ignored { SignalNumber.child.setAction(SIG_DFL) }
}

enum SignalAction {
  case `default`
  case ignored
  case handled
}

extension SignalNumber {
  /// What the process does with the signal at present.
  var action: SignalAction {
    var action = sigaction()
    sigaction(rawValue, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler  // untested
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return switch unsafeBitCast(handler, to: Int.self) {
    case unsafeBitCast(SIG_DFL, to: Int.self): .default
    case unsafeBitCast(SIG_IGN, to: Int.self): .ignored
    default: .handled
    }
  }

  fileprivate func setAction(_ handler: sig_t?) { _ = signal(rawValue, handler) }
}
