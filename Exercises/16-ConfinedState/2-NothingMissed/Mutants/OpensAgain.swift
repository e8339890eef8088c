// Looks right: when it is closed, all streams end. Wrong: one that begins afterwards never does.

extension Party {
  // region arrivals
  private func arrivals() -> AsyncStream<String> {
    let (arrivals, list) = AsyncStream.makeStream(of: String.self)
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
