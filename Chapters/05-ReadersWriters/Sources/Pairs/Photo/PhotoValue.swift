/// A photo as a value: whoever has it has it alone, and what becomes of the download is told to the manager.
struct PhotoValue: Photo {
  let id: Int
  private(set) var status = PhotoStatus.downloading
  private(set) var image: Image?

  var thumbnail: Image? { image?.thumbnail }

  init(id: Int) {
    self.id = id
  }

  mutating func finish(with image: Image?) {
    status = image == nil ? .failed : .good
    self.image = image
  }
}
