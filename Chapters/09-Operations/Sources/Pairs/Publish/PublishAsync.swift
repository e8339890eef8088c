extension Awaited {
  /// A photo and its thumbnail, which are sent at the same time, and then announced.
  struct Publishing: Sendable {
    let upload: Upload
    let announce: @Sendable ([Receipt]) -> Void

    func publish(_ photo: Photo, thumbnail: Photo) async throws {
      async let large = upload.upload(photo)
      async let small = upload.upload(thumbnail)
      announce(try await [large, small])
    }
  }
}
