#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

// Sendable because the variables are used under `lock` only.
public final class SettingsTellingLocked: Settings, @unchecked Sendable {
  private let lock = NSLock()
  private var values: [String: Int] = [:]
  private var listeners: [Listener] = []

  public init() {}

  public func value(for key: String) -> Int { lock.withLock { values[key, default: 0] } }

  public func observe(_ listener: @escaping Listener) {
    lock.withLock { listeners.append(listener) }
  }

  public func set(_ value: Int, for key: String) {
    lock.withLock {
      values[key] = value
      for listener in listeners { listener(key) }
    }
  }
}
