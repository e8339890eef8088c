extension Awaited {
  /// The plan as code: what comes first stands first, and a cycle cannot be written down.
  struct SyncPlan: Sendable {
    func run(_ work: @escaping @Sendable (String) async -> Void) async {
      await work("token")
      async let photos: Void = work("photos")
      async let albums: Void = work("albums")
      _ = await (photos, albums)
      await work("log")
    }
  }
}
