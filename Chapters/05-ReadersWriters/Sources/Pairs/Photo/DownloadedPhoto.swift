// Sendable is false on purpose: the download writes `status` and `image` while others read them. It runs in a child
// process, or under the explorer, where a download ends beside a reader.
final class DownloadedPhoto: Photo, @unchecked Sendable {
  let id: Int
  private(set) var status = PhotoStatus.downloading
  private(set) var image: Image?

  init(id: Int) {
    self.id = id
  }

  var thumbnail: Image? { image?.thumbnail }

  /// What the download calls at its end.
  func finish(with image: Image?) {
    status = image == nil ? .failed : .good
    self.image = image
  }
}
