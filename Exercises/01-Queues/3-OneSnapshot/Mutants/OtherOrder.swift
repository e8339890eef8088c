// Looks right: the total changes last, so the total is read first. Wrong: any order of two reads has
// a gap, and the whole change fits into it.

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
    let total = await basket.total
    let items = await basket.items
    return Summary(items: items, total: total)
  }
  // endregion
}
