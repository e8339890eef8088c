extension ChildPerPixel {
  /// A child a pixel: the task costs far more than its work.
  struct Greyscale: Sendable {
    func convert(_ photo: Photo) async -> Photo {
      let count = photo.width * photo.height
      let pixels = await (0..<count).concurrentMap(inChunks: count) { pixel in
        let first = 3 * pixel
        return Photo.grey(photo.pixels[first], photo.pixels[first + 1], photo.pixels[first + 2])
      }
      return Photo(
        width: photo.width, height: photo.height, pixels: pixels.flatMap { [$0, $0, $0] })
    }
  }
}
