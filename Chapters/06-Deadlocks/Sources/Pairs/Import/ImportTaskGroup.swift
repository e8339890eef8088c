extension Awaited {
  /// A task group's children end before it does, on every path, and a child cannot wait for its own group.
  struct Import: Sendable {
    func start(_ folder: Folder) async -> Int {
      await withTaskGroup { group in
        for photo in folder.photos { group.addTask { photo.isEmpty ? 0 : 1 } }
        for inner in folder.folders { group.addTask { await start(inner) } }
        return await group.reduce(0, +)
      }
    }
  }
}
