extension Party {
  // region state
  // endregion

  // region come
  // TODO: Tell each list of each guest once: none is missed, none comes twice, and lists that are gone are forgotten.
  /// Lets a guest in, and tells the lists.
  func come(_ guest: String) {
    guests.insert(guest)
    for list in lists.values { list.yield(guest) }
  }
  // endregion

  // region follow
  /// Gives the guests that are there, and a stream of those that come later.
  nonisolated func follow() async -> (guests: Set<String>, arrivals: AsyncStream<String>) {
    let guests = await guests
    return (guests, await arrivals())
  }
  // endregion

  // region arrivals
  private func arrivals() -> AsyncStream<String> {
    let (arrivals, list) = AsyncStream.makeStream(of: String.self)
    lastList += 1
    lists[lastList] = list
    return arrivals
  }
  // endregion

  // region close
  /// Ends all streams.
  func close() {
    for list in lists.values { list.finish() }
    lists = [:]
  }
  // endregion
}
