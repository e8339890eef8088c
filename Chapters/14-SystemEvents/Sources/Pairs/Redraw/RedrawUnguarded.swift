import Dispatch

extension Unguarded {
  /// Remembers what has to be drawn again until a window takes it, on the thread where it draws.
  // Not safe to send, on purpose: its handler and the thread that draws use `dirty` at the same time. Explored only.
  final class Redraw: @unchecked Sendable {
    private let source: any DispatchSourceUserDataOr
    private var dirty: Parts = []

    /// - Parameter whenDirty: Called on the queue when there is something to draw.
    init(whenDirty: @escaping @Sendable () -> Void) {
      source = DispatchSource.makeUserDataOrSource(queue: DispatchQueue(label: "redraw"))
      source.setEventHandler { [weak self] in
        self?.add()
        whenDirty()
      }
      source.activate()
    }

    deinit { source.cancel() }

    func mark(_ parts: Parts) { source.or(data: parts.rawValue) }

    /// Gives what is dirty, and forgets it.
    func take() -> Parts {
      defer { dirty = [] }
      return dirty
    }

    private func add() { dirty = dirty.union(Parts(rawValue: source.data)) }
  }
}
