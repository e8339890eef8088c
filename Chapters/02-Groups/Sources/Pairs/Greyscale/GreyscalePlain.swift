extension Plain {
  struct Greyscale: Sendable {
    func convert(_ photo: Photo) -> Photo {
      var pixels = photo.pixels
      pixels.withUnsafeMutableBufferPointer { Photo.turnGrey($0[...]) }
      return Photo(width: photo.width, height: photo.height, pixels: pixels)
    }
  }
}
