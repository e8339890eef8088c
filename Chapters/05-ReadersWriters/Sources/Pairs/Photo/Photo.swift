/// What the grid shows.
protocol Photo: Sendable {
  var id: Int { get }
  /// Nil while it is on its way, and where it could not be had.
  var image: Image? { get }
  var thumbnail: Image? { get }
  var status: PhotoStatus { get }
}

enum PhotoStatus: Sendable {
  case downloading, good, failed
}

/// A decoded image. What draws it is left out here.
struct Image: Hashable, Sendable {
  let width: Int
  let height: Int

  /// The same, 64 pixels high.
  var thumbnail: Image {
    Image(width: height == 0 ? 0 : max(1, width * 64 / height), height: 64)
  }
}
