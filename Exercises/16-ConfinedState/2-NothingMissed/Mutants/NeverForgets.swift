// Looks right: a stream that nobody reads does no harm. Wrong: it stays in the dictionary, and keeps what is sent to it.

extension Party {
  // region arrivals
  private func arrivals() -> AsyncStream<String> {
    let (arrivals, list) = AsyncStream.makeStream(of: String.self)
    if isClosed {
      list.finish()
      return arrivals
    }
    lastList += 1
    lists[lastList] = list
    return arrivals
  }
  // endregion
}
