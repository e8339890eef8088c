// Looks right: the first visible one is taken. Wrong: if there is none, the permit is free, and those in line stay
// there.

extension DownloadGate {
  // region state
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      guard let index = line.firstIndex(where: \.wish.isVisible) else {
        free += 1
        return nil
      }
      return line.remove(at: index).continuation
    }
  }
  // endregion
}
