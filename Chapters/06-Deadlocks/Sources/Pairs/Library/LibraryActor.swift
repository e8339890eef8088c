extension Isolated {
  actor Library {
    private var files: Set<String>
    private var titles: Set<String>

    init(photos: Set<String>) {
      files = photos
      titles = photos
    }

    func rename(_ name: String, to new: String) {
      if files.remove(name) != nil { files.insert(new) }
      if titles.remove(name) != nil { titles.insert(new) }
    }

    func delete(_ name: String) {
      titles.remove(name)
      files.remove(name)
    }

    var isConsistent: Bool { files == titles }
  }
}
