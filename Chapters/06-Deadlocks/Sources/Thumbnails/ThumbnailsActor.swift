/// The disk is one actor; what needs it is a part of it, and not a queue behind it.
public actor ThumbnailsActor {
  private let files: [String: String]
  private var made: [String: String] = [:]

  public init(of files: [String: String]) {
    self.files = files
  }

  public func thumbnail(of name: String) -> String? {
    if let thumbnail = made[name] { return thumbnail }
    guard let photo = photo(name) else { return nil }
    made[name] = "small \(photo)"
    return made[name]
  }

  public func photo(_ name: String) -> String? { files[name] }
}
