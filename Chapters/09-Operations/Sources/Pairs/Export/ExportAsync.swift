extension Awaited {
  /// Renders a photo and sends it.
  struct Export: Sendable {
    let budget: Budget
    let render: @Sendable (Photo) -> Photo
    let send: AsyncSend

    func export(_ photo: Photo) async throws -> Receipt {
      try Task.checkCancellation()
      budget.reserve(photo.bytes.count)
      defer { budget.giveBack(photo.bytes.count) }
      let rendition = render(photo)
      try Task.checkCancellation()
      return try await send(rendition)
    }
  }
}
