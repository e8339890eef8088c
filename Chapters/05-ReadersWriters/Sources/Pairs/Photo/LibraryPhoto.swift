/// A photo that is on the device: it has its image from the beginning, and never changes.
final class LibraryPhoto: Photo {
  let id: Int
  private let original: Image

  init(id: Int, image: Image) {
    self.id = id
    original = image
  }

  var image: Image? { original }
  var thumbnail: Image? { original.thumbnail }
  var status: PhotoStatus { .good }
}
