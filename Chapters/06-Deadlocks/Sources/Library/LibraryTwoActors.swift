/// Ported line by line: each queue has become an actor.
public final class LibraryTwoActors: Library {
  private let disk: Shelf
  private let index: Shelf

  public init(photos: Set<String>) {
    disk = Shelf(photos)
    index = Shelf(photos)
  }

  public func rename(
    _ name: String, to new: String, betweenQueues pause: @Sendable () -> Void
  ) async {
    await disk.rename(name, to: new, pause) { await self.index.rename(name, to: new, {}) {} }
  }

  public func delete(_ name: String, betweenQueues pause: @Sendable () -> Void) async {
    await index.delete(name, pause) { await self.disk.delete(name, {}) {} }
  }

  public var isConsistent: Bool {
    get async { await disk.names == index.names }
  }

  /// Changes its own names, and then, still on its own turn, has the other change its own.
  private actor Shelf {
    private(set) var names: Set<String>

    init(_ names: Set<String>) { self.names = names }

    func rename(
      _ name: String, to new: String, _ pause: @Sendable () -> Void,
      then other: @Sendable () async -> Void
    ) async {
      if names.remove(name) != nil { names.insert(new) }
      pause()
      await other()
    }

    func delete(
      _ name: String, _ pause: @Sendable () -> Void, then other: @Sendable () async -> Void
    ) async {
      names.remove(name)
      pause()
      await other()
    }
  }
}
