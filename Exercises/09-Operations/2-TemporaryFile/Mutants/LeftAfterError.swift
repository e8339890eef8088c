// Looks right: each way that returns removes the file before. Wrong: an error is a way, too.

extension BookOrder {
  // region main
  override func main() {
    do {
      let file = try disk.makeFile()
      for page in 0..<pages {
        guard !isCancelled else { return disk.remove(file) }
        try disk.append(page: page + 1, to: file)
      }
      guard !isCancelled else { return disk.remove(file) }
      let number = try shop.order(file)
      disk.remove(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
