extension AsTheyCome {
  /// Enters what comes first: the numbers, and which of two equal files is entered, are up to chance.
  struct Import: Sendable {
    func album(of files: [PhotoFile]) async -> Album {
      let light = SharedLight()
      return await withTaskGroup(of: Preview.self) { group in
        for file in files { group.addTask { file.preview(counting: light.add) } }
        var album = Album()
        for await preview in group { album.enter(preview) }
        album.light = light.total
        return album
      }
    }
  }
}
