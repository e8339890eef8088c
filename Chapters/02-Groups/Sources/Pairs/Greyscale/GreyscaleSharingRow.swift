import Dispatch

extension Unsynchronised {
  struct Greyscale: Sendable {
    // One row for all iterations, so that it is made once; and a word that silences the compiler.
    func convert(_ photo: Photo) -> Photo {
      var pixels = photo.pixels
      var row = [UInt8](repeating: 0, count: 3 * photo.width)
      pixels.withUnsafeMutableBufferPointer { pixels in
        row.withUnsafeMutableBufferPointer { row in
          // False on purpose of `row`, which all iterations write. It runs under the explorer only.
          nonisolated(unsafe) let (bytes, row) = (pixels, row)
          DispatchQueue.concurrentPerform(iterations: photo.height) { number in
            for (index, byte) in photo.grey(row: number).enumerated() { row[index] = byte }
            for (index, place) in photo.bytes(ofRow: number).enumerated() {
              bytes[place] = row[index]
            }
          }
        }
      }
      return Photo(width: photo.width, height: photo.height, pixels: pixels)
    }
  }
}
