// Looks right: a list that is late needs the newest only. Wrong: that is so of a state, and these are changes.

extension Party {
  // region arrivals
  private func arrivals() -> AsyncStream<String> {
    let (arrivals, list) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(1))
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
}
