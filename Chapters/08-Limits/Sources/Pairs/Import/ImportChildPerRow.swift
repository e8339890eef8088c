extension ChildPerRow {
  /// A child for each row of each preview, with the light of its rows: more tasks than there is work for.
  struct Import: Sendable {
    func album(of files: [PhotoFile]) async throws -> Album {
      var album = Album()
      for file in files {
        guard let photo = Photo(pixmap: file.bytes) else {
          album.enter(Preview(name: file.name, photo: nil, fingerprint: file.fingerprint))
          continue
        }
        let height = max(1, photo.height / 4)
        var pixels: [UInt8] = []
        try await Array(0..<height).forEachInOrder(width: height) { row in
          let lines = 4 * row..<(row + 1 == height ? photo.height : 4 * row + 4)
          var light = Light()
          for line in lines { light.add(photo.row(line)) }
          return (photo.rowOfQuarter(row), light)
        } then: { row, light in
          pixels += row
          album.light.add(light)
        }
        let quarter = Photo(width: max(1, photo.width / 4), height: height, pixels: pixels)
        album.enter(Preview(name: file.name, photo: quarter, fingerprint: file.fingerprint))
      }
      return album
    }
  }
}
