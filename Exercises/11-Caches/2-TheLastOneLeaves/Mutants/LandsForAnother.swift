// Looks right: what has landed leaves the table. Wrong: it may be another flight that has the name by now.

extension PictureFlights {
  // region land
  private func land(_ name: String, _ id: Int, _ result: Result<String, any Error>) {
    guard let flight = flights.removeValue(forKey: name) else { return }
    for waiter in flight.waiters.values { waiter.resume(with: result) }
  }
  // endregion
}
