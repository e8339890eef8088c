extension Conditioned {
  // Sendable because `stored` is used under `access` only, and written where nobody reads.
  final class PhotoManager: @unchecked Sendable {
    private let access = SharedAccess()
    private var stored: [any Photo] = []

    func addPhoto(_ photo: any Photo) { access.write { stored.append(photo) } }

    var photos: [any Photo] {
      var copy: [any Photo] = []
      access.read { copy = stored }
      return copy
    }
  }
}

extension WriterFirst {
  // Sendable because `stored` is used under `access` only, and written where nobody reads.
  final class PhotoManager: @unchecked Sendable {
    private let access = WriterFirstAccess()
    private var stored: [any Photo] = []

    func addPhoto(_ photo: any Photo) { access.write { stored.append(photo) } }

    var photos: [any Photo] {
      var copy: [any Photo] = []
      access.read { copy = stored }
      return copy
    }
  }
}
