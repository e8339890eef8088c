extension Isolated {
  /// The disk is one actor; what needs it is a part of it, and not a queue behind it.
  actor Thumbnails {
    private let files: [String: String]
    private var made: [String: String] = [:]

    init(of files: [String: String]) {
      self.files = files
    }

    func thumbnail(of name: String) -> String? {
      if let thumbnail = made[name] { return thumbnail }
      guard let photo = photo(name) else { return nil }
      made[name] = "small \(photo)"
      return made[name]
    }

    func photo(_ name: String) -> String? { files[name] }
  }
}
