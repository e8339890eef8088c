import Dispatch
import Synchronization

/// A network that answers nothing before so many downloads are under way, and the oldest one then; or all, once the last
/// has begun.
final class Network: Sendable {
  private struct State {
    var begun = 0
    var calledBack = 0
    var most = 0
    var open: [(name: String, completion: @Sendable (Answer) -> Void)] = []
  }

  private let state = Mutex(State())
  private let total: Int
  private let width: Int

  init(_ total: Int, answersAt width: Int) {
    self.total = total
    self.width = width
  }

  var most: Int { state.withLock { $0.most } }
  var told: String { "at most \(most) at a time" }

  @Sendable func fetch(_ name: String, _ completion: @escaping @Sendable (Answer) -> Void) {
    let ready = state.withLock { state in
      state.begun += 1
      state.open.append((name, completion))
      state.most = max(state.most, state.begun - state.calledBack)
      let count = state.begun == total ? state.open.count : state.open.count < width ? 0 : 1
      defer { state.open.removeFirst(count) }
      return Array(state.open.prefix(count))
    }
    for (name, completion) in ready {
      DispatchQueue.global().async {
        self.state.withLock { $0.calledBack += 1 }
        completion(.success(Array(name.utf8)))
      }
    }
  }

  @Sendable func load(_ name: String) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      fetch(name) { continuation.resume(with: $0) }
    }
  }
}
