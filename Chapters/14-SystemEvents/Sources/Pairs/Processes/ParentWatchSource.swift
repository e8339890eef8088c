import Dispatch
import Foundation
import Synchronization

extension Sourced {
  /// Tells a child that its parent is gone, so that it does not go on alone.
  final class ParentWatch: Sendable {
    private let source: ProcessSource?
    private let notice: Notice

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
      let notice = Notice(whenGone)
      self.notice = notice
      do {
        source = try ProcessSource(identifier: parent, eventMask: .exit, queue: queue)
      } catch  where error.code == ESRCH {
        source = nil
      }
      let tell = { @Sendable [weak source] in
        source?.cancel()
        notice.tell()
      }
      source?.setEventHandler(tell)
      source?.activate()
      // If the parent was gone before it was watched, somebody else may have its number by now.
      if getppid() != parent { queue.async(execute: tell) }
    }

    deinit { cancel() }

    /// Whether this process has to end.
    var isParentGone: Bool { notice.isTold }

    /// Stops watching.
    func cancel() {
      notice.cancel()
      source?.cancel()
    }
  }
}

/// A handler that is called once, or never.
private final class Notice: Sendable {
  private enum State {
    case open(@Sendable () -> Void)
    case told
    case cancelled
  }

  private let state: Mutex<State>

  init(_ handler: @escaping @Sendable () -> Void) { state = Mutex(.open(handler)) }

  var isTold: Bool { state.withLock { if case .told = $0 { true } else { false } } }

  func tell() { end(as: .told)?() }
  func cancel() { _ = end(as: .cancelled) }

  private func end(as last: State) -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard case .open(let handler) = state else { return nil }
      state = last
      return handler
    }
  }
}
