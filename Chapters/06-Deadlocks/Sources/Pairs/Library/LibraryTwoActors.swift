extension IsolatedCrosswise {
  /// Ported line by line: each queue has become an actor.
  final class Library: Sendable {
    let disk: Shelf
    let index: Shelf

    init(photos: Set<String>) {
      disk = Shelf(photos)
      index = Shelf(photos)
    }

    func rename(_ name: String, to new: String) async {
      await disk.rename(name, to: new) { await self.index.rename(name, to: new) {} }
    }

    func delete(_ name: String) async {
      await index.delete(name) { await self.disk.delete(name) {} }
    }

    var isConsistent: Bool {
      get async { await disk.names == index.names }
    }
  }

  /// Changes its own names, and then, still on its own turn, has the other change its own.
  actor Shelf {
    private(set) var names: Set<String>

    init(_ names: Set<String>) { self.names = names }

    func rename(
      _ name: String, to new: String, then other: @Sendable () async -> Void
    ) async {
      if names.remove(name) != nil { names.insert(new) }
      await other()
    }

    func delete(_ name: String, then other: @Sendable () async -> Void) async {
      names.remove(name)
      await other()
    }
  }
}
