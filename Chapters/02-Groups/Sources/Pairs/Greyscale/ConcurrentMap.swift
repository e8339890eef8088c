extension Range<Int> {
  /// Maps numbers beside each other: a child task for each chunk of them, so that a child has enough to do.
  ///
  /// - Parameters:
  ///   - chunks: How many chunks, 1 or more; as many as there are cores, say.
  ///   - transform: What is done to each; it does not wait for anything.
  /// - Returns: The results, in the order of the numbers.
  func concurrentMap<Mapped: Sendable>(
    inChunks chunks: Int, _ transform: @escaping @Sendable (Int) -> Mapped
  ) async -> [Mapped] {
    let size = Swift.max(1, (count + chunks - 1) / chunks)
    return await withTaskGroup(of: (start: Int, mapped: [Mapped]).self) { group in
      for start in stride(from: lowerBound, to: upperBound, by: size) {
        let chunk = start..<Swift.min(start + size, upperBound)
        group.addTask { (start, chunk.map(transform)) }
      }
      let mapped = await group.reduce(into: []) { $0.append($1) }
      return mapped.sorted { $0.start < $1.start }.flatMap(\.mapped)
    }
  }
}
