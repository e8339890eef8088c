extension Isolated {
  actor UsageMeter {
    private(set) var usage = Usage()

    func add(bytes: Int) {
      usage.photos += 1
      usage.bytes += bytes
    }
  }
}
