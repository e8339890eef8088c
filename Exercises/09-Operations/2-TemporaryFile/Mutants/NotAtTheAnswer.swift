// Looks right: it looks before each step, and the answer is the last step. Wrong: the answer takes longest, and what is
// cancelled meanwhile stands.

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
      outcome = .ordered(try shop.order(file))
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
