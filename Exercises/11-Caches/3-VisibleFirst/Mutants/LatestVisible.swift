// Looks right: the one that was shown last is what the user looks at. Wrong: the one before it waits as long as cells
// come.

extension DownloadGate {
  // region state
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      guard let index = line.lastIndex(where: \.wish.isVisible) ?? line.indices.first else {
        free += 1
        return nil
      }
      return line.remove(at: index).continuation
    }
  }
  // endregion
}
