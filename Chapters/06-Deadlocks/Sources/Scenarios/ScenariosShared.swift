import Interleaving

import class ControlledDispatch.DispatchSemaphore

// What the explorer runs of the old side: the very files that the chapter teaches, compiled against stand-ins.

extension Strategy {
  /// One schedule of each class of schedules that differ only in the order of what commutes.
  static let everyClass = reduced(assuming: .controlledSharing)
}

func callback(
  _ begin: (@escaping @Sendable (String) -> Void) -> Void
) -> String {
  let result = Shared("", "result")
  let done = DispatchSemaphore(value: 0)
  begin { text in
    result.value = text
    done.signal()
  }
  done.wait()
  return result.value
}
