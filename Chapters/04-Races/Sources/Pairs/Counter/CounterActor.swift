extension Isolated {
  actor Counter {
    private(set) var value = 0

    func increment() { value += 1 }
  }
}
