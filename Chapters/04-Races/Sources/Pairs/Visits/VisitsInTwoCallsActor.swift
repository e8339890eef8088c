extension IsolatedByHalves {
  /// Counts visits; the caller reads and writes in two calls, and between them others come in.
  actor Visits {
    private(set) var count = 0

    func store(_ count: Int) { self.count = count }

    nonisolated func visit() async {
      let read = await count
      await store(read + 1)
    }
  }
}
