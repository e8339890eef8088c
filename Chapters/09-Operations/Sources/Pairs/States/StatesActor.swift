import Observation

extension Awaited {
  /// An upload whose state views show, and which any number of loops may watch.
  @MainActor @Observable final class ObservedUpload {
    private(set) var state = UploadState.waiting

    func upload(_ photo: Photo, _ send: AsyncSend) async {
      state = .sending
      do { state = .kept(try await send(photo)) } catch { state = .failed }
    }

    /// The states as they are seen by a loop: the newest, where it is slower than the upload.
    func states() -> some AsyncSequence<UploadState, Never> {
      Observations { [self] in state }
    }
  }
}
