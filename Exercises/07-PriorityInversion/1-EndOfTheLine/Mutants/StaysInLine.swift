extension Line {
  // region next
  /// Takes out the most urgent photo, or `nil` if nobody waits.
  mutating func next(at time: Int) -> String? {
    let urgencies = requests.map { $0.priority + (time - $0.time) / 10 }
    guard let highest = urgencies.max() else { return nil }
    let request = requests[urgencies.firstIndex(of: highest)!]
    requests.removeAll { $0.photo == request.photo }
    return request.photo
  }
  // endregion
}
