extension Awaited {
  actor Decoder {
    private(set) var decoded = 0

    func decode() { decoded += 1 }
  }

  struct Gallery: Sendable {
    private let decoder = Decoder()

    func show(_ photos: Int) async -> Int {
      await withDiscardingTaskGroup { group in
        for _ in 1...photos { group.addTask { await decoder.decode() } }
      }
      return await decoder.decoded
    }
  }
}
