/// Who is at the party.
///
/// The check uses `come(_:)`, `follow()`, `close()`, `guests` and `followers`.
actor Party {
  private(set) var guests: Set<String> = []
  private var lists: [Int: AsyncStream<String>.Continuation] = [:]
  private var lastList = 0
  // region state
  private var isClosed = false
  // endregion

  /// How many lists follow.
  var followers: Int { lists.count }

  // region come
  /// Lets a guest in, and tells the lists.
  func come(_ guest: String) {
    guard guests.insert(guest).inserted else { return }
    for list in lists.values { list.yield(guest) }
  }
  // endregion

  // region follow
  /// Gives the guests that are there, and a stream of those that come later.
  func follow() -> (guests: Set<String>, arrivals: AsyncStream<String>) {
    (guests, arrivals())
  }
  // endregion

  // region arrivals
  private func arrivals() -> AsyncStream<String> {
    let (arrivals, list) = AsyncStream.makeStream(of: String.self)
    if isClosed {
      list.finish()
      return arrivals
    }
    lastList += 1
    lists[lastList] = list
    list.onTermination = { [weak self, id = lastList] _ in
      Task { await self?.forget(id) }
    }
    return arrivals
  }

  private func forget(_ id: Int) { lists[id] = nil }
  // endregion

  // region close
  /// Ends all streams.
  func close() {
    isClosed = true
    for list in lists.values { list.finish() }
    lists = [:]
  }
  // endregion
}
