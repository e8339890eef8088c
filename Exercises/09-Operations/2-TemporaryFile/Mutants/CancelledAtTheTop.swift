// Looks right: it looks for a cancellation, and the file is removed on every way. Wrong: it looks once, and what is
// cancelled later is rendered and ordered all the same.

extension BookOrder {
  // region main
  override func main() {
    guard !isCancelled else { return }
    do {
      let file = try disk.makeFile()
      defer { disk.remove(file) }
      guard !isCancelled else { return }
      for page in 0..<pages { try disk.append(page: page + 1, to: file) }
      let number = try shop.order(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
