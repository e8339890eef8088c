extension DownloadGate {
  // region state
  // TODO: Let those go first that are visible when there is room.
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      guard !line.isEmpty else {
        free += 1
        return nil
      }
      return line.removeFirst().continuation
    }
  }
  // endregion
}
