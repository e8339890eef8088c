extension Isolated {
  /// The table gives out both forks in one step, or none, so a philosopher who waits holds nothing.
  actor Table {
    private var isFree: [Bool]
    private var waiting: [(seat: Int, continuation: CheckedContinuation<Void, Never>)] = []

    init(seats: Int) {
      isFree = Array(repeating: true, count: seats)
    }

    func eat(at seat: Int) async {
      if !take(seat) {
        await withCheckedContinuation { waiting.append((seat, $0)) }
      }
      putBack(seat)
    }

    private func take(_ seat: Int) -> Bool {
      let right = (seat + 1) % isFree.count
      guard isFree[seat] && isFree[right] else { return false }
      (isFree[seat], isFree[right]) = (false, false)
      return true
    }

    private func putBack(_ seat: Int) {
      (isFree[seat], isFree[(seat + 1) % isFree.count]) = (true, true)
      waiting.removeAll { other in
        guard take(other.seat) else { return false }
        other.continuation.resume()
        return true
      }
    }
  }
}
