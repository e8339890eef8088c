/// A listener may ask the actor while the actor waits for the listener: it is reentrant.
public actor SettingsActor {
  private var values: [String: Int] = [:]
  private var listeners: [@Sendable (String) async -> Void] = []

  public init() {}

  public func value(for key: String) -> Int { values[key, default: 0] }

  public func observe(_ listener: @escaping @Sendable (String) async -> Void) {
    listeners.append(listener)
  }

  public func set(_ value: Int, for key: String) async {
    values[key] = value
    for listener in listeners { await listener(key) }
  }
}
