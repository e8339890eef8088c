extension Awaited {
  /// A photo and its thumbnail, which are sent at the same time, and then announced.
  struct Publishing: Sendable {
    let send: AsyncSend
    let announce: @Sendable ([Receipt]) -> Void

    func publish(_ photo: Photo, thumbnail: Photo) async throws {
      async let large = send(photo)
      async let small = send(thumbnail)
      announce(try await [large, small])
    }
  }
}
