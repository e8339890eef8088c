/// Sells one ticket; check and act are one call.
actor TicketsActor {
  private(set) var left = 1
  private(set) var sold = 0

  func buy() {
    guard left > 0 else { return }
    left -= 1
    sold += 1
  }
}
