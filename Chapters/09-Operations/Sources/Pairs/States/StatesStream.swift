extension Awaited {
  /// An upload and its states, for one loop, which ends with the upload. A loop that is left does not cancel it.
  struct States: Sendable {
    let send: AsyncSend

    func upload(_ photo: Photo) -> (states: AsyncStream<UploadState>, task: Task<Void, Never>) {
      let (states, continuation) = AsyncStream.makeStream(of: UploadState.self)
      continuation.yield(.waiting)
      let task = Task {
        continuation.yield(.sending)
        do { continuation.yield(.kept(try await send(photo))) } catch {
          continuation.yield(.failed)
        }
        continuation.finish()
      }
      return (states, task)
    }
  }
}
