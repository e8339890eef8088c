// Looks right: it subscribes first, so nobody is missed. Wrong: a guest that comes in between is told twice.

extension Party {
  // region follow
  /// Gives the guests that are there, and a stream of those that come later.
  nonisolated func follow() async -> (guests: Set<String>, arrivals: AsyncStream<String>) {
    let arrivals = await arrivals()
    return (await guests, arrivals)
  }
  // endregion
}
