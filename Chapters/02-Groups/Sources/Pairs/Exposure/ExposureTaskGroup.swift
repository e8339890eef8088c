extension TaskGrouped {
  /// The children return what they measured, and share nothing: the parent adds.
  struct Exposure: Sendable {
    func measure(_ photos: [Photo]) async -> Int {
      await withTaskGroup(of: Int.self) { group in
        for photo in photos { group.addTask { photo.light } }
        return await group.reduce(0, +)
      }
    }
  }
}
