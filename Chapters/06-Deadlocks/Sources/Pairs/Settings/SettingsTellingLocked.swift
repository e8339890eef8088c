import Foundation

extension LockedInside {
  // Sendable because the variables are used under `lock` only.
  final class Settings: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [String: Int] = [:]
    private var listeners: [Listener] = []

    func value(for key: String) -> Int { lock.withLock { values[key, default: 0] } }

    func observe(_ listener: @escaping Listener) {
      lock.withLock { listeners.append(listener) }
    }

    func set(_ value: Int, for key: String) {
      lock.withLock {
        values[key] = value
        for listener in listeners { listener(key) }
      }
    }
  }
}
