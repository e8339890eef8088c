public actor GalleryDecoder {
  private(set) var decoded = 0

  func decode() { decoded += 1 }
}

public struct GalleryTaskGroup: Sendable {
  private let decoder = GalleryDecoder()

  public init() {}

  public func show(_ photos: Int) async -> Int {
    await withDiscardingTaskGroup { group in
      for _ in 1...photos { group.addTask { await decoder.decode() } }
    }
    return await decoder.decoded
  }
}
