// Looks right: where the answer comes, it asks whether it is cancelled, and takes the order back. Wrong: it asks a second
// time for the outcome, and the cancellation may have come in between.

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
      if isCancelled { shop.cancelOrder(number) }
      outcome = isCancelled ? .cancelled : .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
