// Looks right: one error leads out of everything, as in a task. Wrong: nobody tells it from an error of the disk, and a
// cancelled order has failed.

extension BookOrder {
  // region main
  override func main() {
    do {
      let file = try disk.makeFile()
      defer { disk.remove(file) }
      for page in 0..<pages {
        try checkCancellation()
        try disk.append(page: page + 1, to: file)
      }
      try checkCancellation()
      let number = try shop.order(file)
      if isCancelled { shop.cancelOrder(number) }
      try checkCancellation()
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }

  private func checkCancellation() throws {
    if isCancelled { throw CancellationError() }
  }
  // endregion
}
