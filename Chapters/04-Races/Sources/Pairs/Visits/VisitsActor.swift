extension Isolated {
  /// Counts visits; reading and writing are one call.
  actor Visits {
    private(set) var count = 0

    func visit() { count += 1 }
  }
}
