extension Line {
  // region next
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    let urgencies = requests.map { $0.priority + min((time - $0.time) / 10, 1) }
    guard let highest = urgencies.max() else { return nil }
    return requests.remove(at: urgencies.firstIndex(of: highest)!).photo
  }
  // endregion
}
