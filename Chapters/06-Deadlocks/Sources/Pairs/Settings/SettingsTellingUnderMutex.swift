import Synchronization

extension MutexedInside {
  final class Settings: Sendable {
    private struct State {
      var values: [String: Int] = [:]
      var listeners: [Listener] = []
    }

    private let state = Mutex(State())

    func value(for key: String) -> Int { state.withLock { $0.values[key, default: 0] } }

    func observe(_ listener: @escaping Listener) {
      state.withLock { $0.listeners.append(listener) }
    }

    func set(_ value: Int, for key: String) {
      state.withLock { state in
        state.values[key] = value
        for listener in state.listeners { listener(key) }
      }
    }
  }
}
