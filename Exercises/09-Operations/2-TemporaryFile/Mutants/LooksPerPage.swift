// Looks right: it looks before each page, and again when the answer comes. Wrong: after the last page nobody looks, and
// the shop is asked for a book that nobody wants.

extension BookOrder {
  // region main
  override func main() {
    do {
      let file = try disk.makeFile()
      defer { disk.remove(file) }
      for page in 0..<pages {
        guard !isCancelled else { return }
        try disk.append(page: page + 1, to: file)
      }
      let number = try shop.order(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
