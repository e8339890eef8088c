extension ChildPerRow {
  /// A child for each row of each preview: more tasks than there is work for.
  struct Import: Sendable {
    func album(of files: [PhotoFile]) async throws -> Album {
      var album = Album()
      for file in files {
        guard let photo = Photo(pixmap: file.bytes) else {
          album.enter(Preview(name: file.name, photo: nil, fingerprint: file.fingerprint))
          continue
        }
        var pixels: [UInt8] = []
        try await Array(0..<max(1, photo.height / 4)).forEachInOrder(width: photo.height) { row in
          photo.rowOfQuarter(row)
        } then: { row in
          pixels += row
        }
        for row in 0..<photo.height { album.light.add(photo.row(row)) }
        let quarter = Photo(
          width: max(1, photo.width / 4), height: max(1, photo.height / 4), pixels: pixels)
        album.enter(Preview(name: file.name, photo: quarter, fingerprint: file.fingerprint))
      }
      return album
    }
  }
}
