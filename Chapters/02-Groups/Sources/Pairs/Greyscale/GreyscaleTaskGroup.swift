import Foundation

extension TaskGrouped {
  struct Greyscale: Sendable {
    func convert(
      _ photo: Photo, inChunks chunks: Int = ProcessInfo.processInfo.activeProcessorCount
    ) async -> Photo {
      let rows = await (0..<photo.height).concurrentMap(inChunks: chunks) { photo.grey(row: $0) }
      return Photo(width: photo.width, rows: rows)
    }
  }
}
