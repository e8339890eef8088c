extension Line {
  // region next
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    // Whoever has waited for 10 ticks goes first, however urgent the others are.
    if let index = requests.firstIndex(where: { time - $0.time >= 10 }) {
      return requests.remove(at: index).photo
    }
    guard let highest = requests.map(\.priority).max() else { return nil }
    return requests.remove(at: requests.firstIndex { $0.priority == highest }!).photo
  }
  // endregion
}
