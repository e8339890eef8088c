// Looks right: the first visible one goes, or else the first. Wrong: a permit that nobody waits for is gone.

extension DownloadGate {
  // region state
  private struct State {
    var free: Int
    var line: [(id: Int, wish: Wish, continuation: Continuation)] = []
    var lastID = 0

    mutating func take() -> Continuation? {
      let index = line.firstIndex(where: \.wish.isVisible) ?? line.indices.first
      return index.map { line.remove(at: $0).continuation }
    }
  }
  // endregion
}
