extension Awaited {
  /// Tells others of an album, once its photos are uploaded and there is a connection.
  struct Announcement: Sendable {
    let connected: @Sendable () async throws -> Void
    let announce: @Sendable () -> Void

    /// - Throws: What the first upload throws that fails, in their order. The others go on.
    func announce(after uploads: [Task<Receipt, any Error>]) async throws {
      for upload in uploads { _ = try await upload.value }
      try await connected()
      announce()
    }
  }
}
