// Looks right: it looks after each step, and a cancelled order has no other outcome. Wrong: the shop has not heard of it,
// and prints the book.

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
      guard !isCancelled else { return }
      let number = try shop.order(file)
      guard !isCancelled else { return }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
