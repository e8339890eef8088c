import Foundation
import Synchronization

extension Sourced {
  /// Tells a child that its parent is gone, so that it does not go on alone.
  final class ParentWatch: Sendable {
    private struct State {
      /// To be called once, or never.
      var whenGone: (@Sendable () -> Void)?
      var isGone = false
    }

    private let source: ProcessSource?
    private let state: Mutex<State>

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - parent: The parent's number. A child that was given it as an argument misses nothing; one that asks finds the
    ///     process that has taken it over, if its parent was quick.
    ///   - whenGone: Called once, unless it is cancelled before.
    /// - Throws: ``SystemError`` if the parent cannot be watched.
    init(
      of parent: pid_t = getppid(), queue: DispatchQueue, whenGone: @escaping @Sendable () -> Void
    ) throws(SystemError) {
      state = Mutex(State(whenGone: whenGone))
      do {
        source = try ProcessSource(identifier: parent, eventMask: .exit, queue: queue)
      } catch  where error.code == ESRCH {
        source = nil
      }
      source?.setEventHandler { [weak self] in self?.tell() }
      source?.activate()
      // If the parent was gone before it was watched, somebody else may have its number by now.
      if getppid() != parent { queue.async { [weak self] in self?.tell() } }
    }

    deinit { cancel() }

    /// Whether this process has to end.
    var isParentGone: Bool { state.withLock { $0.isGone } }

    /// Stops watching.
    func cancel() {
      state.withLock { $0.whenGone = nil }
      source?.cancel()
    }

    private func tell() {
      source?.cancel()
      let whenGone: (@Sendable () -> Void)? = state.withLock { state in
        guard let whenGone = state.whenGone else { return nil }
        state = State(whenGone: nil, isGone: true)
        return whenGone
      }
      whenGone?()
    }
  }
}
