extension Awaited {
  struct Upload: Sendable {
    let send: AsyncSend

    /// - Returns: A task, to await and to cancel.
    func start(_ photo: Photo) -> Task<Receipt, any Error> {
      Task {
        guard !photo.bytes.isEmpty else { throw NothingToSend() }
        return try await send(photo)
      }
    }
  }
}
