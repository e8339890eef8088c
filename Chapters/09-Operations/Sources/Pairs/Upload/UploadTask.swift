extension Awaited {
  struct Upload: Sendable {
    let send: AsyncSend

    func upload(_ photo: Photo) async throws -> Receipt {
      guard !photo.bytes.isEmpty else { throw NothingToSend() }
      return try await send(photo)
    }

    /// - Returns: A task, to await and to cancel.
    func start(_ photo: Photo) -> Task<Receipt, any Error> {
      Task { try await upload(photo) }
    }
  }
}
