extension Async {
  /// Copies a file, with one piece of it in memory.
  ///
  /// - Returns: How many bytes it has.
  static func copy(fileAt path: String, to target: String) async throws -> Int {
    let source = try File(at: path)
    let copy = try File(at: target, creates: true)
    var count = 0
    while true {
      let piece = try await source.read()
      if piece.isEmpty { return count }
      try await copy.write(piece)
      count += piece.count
    }
  }
}
