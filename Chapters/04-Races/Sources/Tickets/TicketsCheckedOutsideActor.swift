/// Sells one ticket; the caller checks, then acts.
actor TicketsCheckedOutsideActor {
  private(set) var left = 1
  private(set) var sold = 0

  func sell() {
    left -= 1
    sold += 1
  }
}

extension TicketsCheckedOutsideActor {
  nonisolated func buy() async {
    if await left > 0 { await sell() }
  }
}
