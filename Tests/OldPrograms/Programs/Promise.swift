import Foundation

/// A value that is there later, and calls back those that want it.
///
/// Its known bug: whether the value is there is asked under the lock, and the callback is kept under the lock, but the
/// lock is given back in between. A value that comes there calls nobody.
extension Wrong {
  final class Promise<Value: Sendable>: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private var value: Value?
    private var callbacks: [@Sendable (Value) -> Void] = []

    func fulfil(_ value: Value) {
      lock.lock()
      guard self.value == nil else { return lock.unlock() }
      self.value = value
      let callbacks = self.callbacks
      self.callbacks = []
      lock.unlock()
      for callback in callbacks { callback(value) }
    }

    func then(_ callback: @escaping @Sendable (Value) -> Void) {
      lock.lock()
      let value = self.value
      lock.unlock()
      if let value { return callback(value) }
      lock.lock()
      callbacks.append(callback)
      lock.unlock()
    }
  }
}

extension Right {
  final class Promise<Value: Sendable>: @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private var value: Value?
    private var callbacks: [@Sendable (Value) -> Void] = []

    func fulfil(_ value: Value) {
      lock.lock()
      guard self.value == nil else { return lock.unlock() }
      self.value = value
      let callbacks = self.callbacks
      self.callbacks = []
      lock.unlock()
      for callback in callbacks { callback(value) }
    }

    func then(_ callback: @escaping @Sendable (Value) -> Void) {
      lock.lock()
      guard let value else {
        callbacks.append(callback)
        return lock.unlock()
      }
      lock.unlock()
      callback(value)
    }
  }
}
