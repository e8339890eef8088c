extension ChildPerRow {
  /// A child a row: no chunk to think of, and a task to pay for every row.
  struct Greyscale: Sendable {
    func convert(_ photo: Photo) async -> Photo {
      let rows = await (0..<photo.height).concurrentMap(inChunks: photo.height) {
        photo.grey(row: $0)
      }
      return Photo(width: photo.width, rows: rows)
    }
  }
}
