extension Isolated {
  /// A listener may ask the actor while the actor waits for the listener: it is reentrant.
  actor Settings {
    private var values: [String: Int] = [:]
    private var listeners: [@Sendable (String) async -> Void] = []

    func value(for key: String) -> Int { values[key, default: 0] }

    func observe(_ listener: @escaping @Sendable (String) async -> Void) {
      listeners.append(listener)
    }

    func set(_ value: Int, for key: String) async {
      values[key] = value
      for listener in listeners { await listener(key) }
    }
  }
}
