// Looks right: whoever finds that the number of items has changed meanwhile reads again. Wrong: the
// second reading has the same gap as the first.

extension Basket {
  // region items
  private(set) var items = 0
  private(set) var total = 0
  // endregion

  // region basketSummary
  // endregion
}

extension Shop {
  // region shopSummary
  func summary() async -> Summary {
    let first = await read()
    return await basket.items == first.items ? first : await read()
  }

  private func read() async -> Summary {
    let items = await basket.items
    let total = await basket.total
    return Summary(items: items, total: total)
  }
  // endregion
}
