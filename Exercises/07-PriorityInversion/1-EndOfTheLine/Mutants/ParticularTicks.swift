extension Line {
  // region next
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    // Ten priorities a step, so that each tick counts.
    let urgencies = requests.map { $0.priority * 10 + time - $0.time }
    guard let highest = urgencies.max() else { return nil }
    return requests.remove(at: urgencies.firstIndex(of: highest)!).photo
  }
  // endregion
}
