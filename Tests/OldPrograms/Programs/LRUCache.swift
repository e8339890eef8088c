import Foundation

/// Keeps the values that were used last.
///
/// Its known bug: a value is made without the lock, and two threads that miss the same key both enter it. The second
/// entry throws out another key too early.
extension Wrong {
  final class LRUCache<Key: Hashable, Value>: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private let capacity: Int
    private var values: [Key: Value] = [:]
    /// The key that was used last comes last.
    private var keys: [Key] = []

    init(capacity: Int) { self.capacity = capacity }

    func value(for key: Key, make: () -> Value) -> Value {
      lock.lock()
      if let value = values[key] {
        keys.removeAll { $0 == key }
        keys.append(key)
        lock.unlock()
        return value
      }
      lock.unlock()
      let value = make()
      lock.lock()
      defer { lock.unlock() }
      values[key] = value
      keys.append(key)
      if keys.count > capacity { values[keys.removeFirst()] = nil }
      return value
    }

    var count: Int { lock.withLock { values.count } }
  }
}

extension Right {
  final class LRUCache<Key: Hashable, Value>: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private let capacity: Int
    private var values: [Key: Value] = [:]
    /// The key that was used last comes last.
    private var keys: [Key] = []

    init(capacity: Int) { self.capacity = capacity }

    func value(for key: Key, make: () -> Value) -> Value {
      if let value = lock.withLock({ use(key) }) { return value }
      let value = make()
      return lock.withLock {
        // Another thread may have made it meanwhile.
        if let value = use(key) { return value }
        values[key] = value
        keys.append(key)
        if keys.count > capacity { values[keys.removeFirst()] = nil }
        return value
      }
    }

    var count: Int { lock.withLock { values.count } }

    private func use(_ key: Key) -> Value? {
      guard let value = values[key] else { return nil }
      keys.removeAll { $0 == key }
      keys.append(key)
      return value
    }
  }
}
