extension BookOrder {
  // region main
  override func main() {
    // TODO: Look for a cancellation where it saves work, and leave neither a file nor an order behind.
    do {
      let file = try disk.makeFile()
      for page in 0..<pages {
        try disk.append(page: page + 1, to: file)
      }
      let number = try shop.order(file)
      disk.remove(file)
      outcome = .ordered(number)
    } catch {
      outcome = .failed(error)
    }
  }
  // endregion
}
