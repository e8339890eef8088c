#if EXPLORED
  import ControlledDispatch
#else
  import Dispatch
#endif

// Sendable because the variables are used on `queue` only.
public final class SettingsTellingInside: Settings, @unchecked Sendable {
  private let queue = DispatchQueue(label: "settings")
  private var values: [String: Int] = [:]
  private var listeners: [Listener] = []

  public init() {}

  public func value(for key: String) -> Int { queue.sync { values[key, default: 0] } }

  public func observe(_ listener: @escaping Listener) { queue.sync { listeners.append(listener) } }

  public func set(_ value: Int, for key: String) {
    queue.sync {
      values[key] = value
      for listener in listeners { listener(key) }
    }
  }
}
