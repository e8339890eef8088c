extension Awaited {
  /// Nothing to infer: the function says itself where it runs.
  @MainActor
  enum Banner {
    @concurrent
    static func prepare(_ photo: Photo) async -> Int { photo.faces().count }
  }
}
