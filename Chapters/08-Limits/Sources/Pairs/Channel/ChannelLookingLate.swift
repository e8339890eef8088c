extension LookingLate {
  /// Looks for the cancellation once more. By then it has taken an element, which is lost.
  nonisolated(nonsending) static func next<Element>(
    of channel: Channel<Element>
  ) async throws -> Element? {
    let element = try await channel.next()
    try Task.checkCancellation()
    return element
  }
}
