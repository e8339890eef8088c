// Looks right: the function that makes the file removes it, whatever happens. Wrong: it returns before the shop has
// read the file.

extension BookOrder {
  // region main
  override func main() {
    do {
      guard let file = try render(), !isCancelled else { return }
      let number = try shop.order(file)
      guard !isCancelled else { return shop.cancelOrder(number) }
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }

  private func render() throws -> TemporaryFile? {
    let file = try disk.makeFile()
    defer { disk.remove(file) }
    for page in 0..<pages {
      guard !isCancelled else { return nil }
      try disk.append(page: page + 1, to: file)
    }
    return file
  }
  // endregion
}
