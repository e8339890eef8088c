// Looks right: `cancel()` gives back the file, at once. Wrong: `main` is still at work, and its next page or the shop
// has no file.

extension BookOrder {
  // region main
  override func cancel() {
    super.cancel()
    removeFile()
  }

  override func main() {
    defer { removeFile() }
    do {
      let file = try disk.makeFile()
      made.withLock { $0 = file }
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

  private func removeFile() {
    let file = made.withLock { $0.take() }
    if let file { disk.remove(file) }
  }
  // endregion

  // region made
  private let made = Mutex<TemporaryFile?>(nil)
  // endregion
}
