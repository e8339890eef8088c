import Dispatch

extension Performed {
  struct Greyscale: Sendable {
    /// Holds the calling thread until the last row is done, and works on it, too.
    func convert(_ photo: Photo) -> Photo {
      var pixels = photo.pixels
      pixels.withUnsafeMutableBufferPointer { buffer in
        // Safe, because each iteration reads and writes the bytes of its own row and no others, and the last one has
        // ended when `concurrentPerform` returns, so before the buffer goes.
        nonisolated(unsafe) let bytes = buffer
        DispatchQueue.concurrentPerform(iterations: photo.height) { row in
          Photo.turnGrey(bytes[photo.bytes(ofRow: row)])
        }
      }
      return Photo(width: photo.width, height: photo.height, pixels: pixels)
    }
  }
}
