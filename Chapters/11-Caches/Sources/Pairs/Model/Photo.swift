import Foundation

/// A photo that a search has found.
struct Photo: Codable, Equatable, Sendable {
  /// How large it is sent.
  enum Size: String, Sendable {
    case thumbnail = "t"
    case medium = "m"
    case large = "b"
  }

  let id: String
  let folder: String
  let secret: String

  /// Where its picture is.
  ///
  /// - Parameter server: The root of the server.
  func url(_ size: Size, on server: URL) -> URL {
    server.appending(path: "pictures/\(folder)/\(id)_\(secret)_\(size.rawValue).ppm")
  }
}
