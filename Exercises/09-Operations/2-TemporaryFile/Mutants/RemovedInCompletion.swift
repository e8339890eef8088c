// Looks right: the completion block runs on every way, so it removes the file. Wrong: it runs when the operation has
// finished, and what depends on it may have begun.

extension BookOrder {
  // region main
  override func main() {
    do {
      let file = try disk.makeFile()
      completionBlock = { [disk] in disk.remove(file) }
      for page in 0..<pages {
        guard !isCancelled else { return }
        try disk.append(page: page + 1, to: file)
      }
      guard !isCancelled else { return }
      let number = try shop.order(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
