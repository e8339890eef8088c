import Dispatch

extension QueuedInside {
  // Sendable because the variables are used on `queue` only.
  final class Settings: @unchecked Sendable {
    private let queue = DispatchQueue(label: "settings")
    private var values: [String: Int] = [:]
    private var listeners: [Listener] = []

    func value(for key: String) -> Int { queue.sync { values[key, default: 0] } }

    func observe(_ listener: @escaping Listener) { queue.sync { listeners.append(listener) } }

    func set(_ value: Int, for key: String) {
      queue.sync {
        values[key] = value
        for listener in listeners { listener(key) }
      }
    }
  }
}
