import Dispatch

/// All that a watch needs whose source the system feeds by itself.
extension EventWatch {
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setCancelHandler(handler: handler)
  }

  func activate() {}
  func look() {}
  func cancel() {}
}
