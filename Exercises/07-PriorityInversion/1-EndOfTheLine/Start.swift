extension Line {
  // region next
  // TODO: Let a photo count as one more urgent for each 10 ticks that it has waited.
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    guard let highest = requests.map(\.priority).max() else { return nil }
    let index = requests.firstIndex { $0.priority == highest }!
    return requests.remove(at: index).photo
  }
  // endregion
}
