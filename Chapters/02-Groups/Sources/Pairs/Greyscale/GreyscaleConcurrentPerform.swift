import Dispatch

extension Performed {
  struct Greyscale: Sendable {
    /// Holds the calling thread until the last row is done, and works on it, too.
    func convert(_ photo: Photo) -> Photo {
      var pixels = photo.pixels
      pixels.withUnsafeMutableBufferPointer { buffer in
        // Safe, because each iteration writes the bytes of its own row and no others.
        nonisolated(unsafe) let bytes = buffer
        DispatchQueue.concurrentPerform(iterations: photo.height) { row in
          let grey = photo.grey(row: row)
          for (index, byte) in zip(photo.bytes(ofRow: row), grey) { bytes[index] = byte }
        }
      }
      return Photo(width: photo.width, height: photo.height, pixels: pixels)
    }
  }
}
