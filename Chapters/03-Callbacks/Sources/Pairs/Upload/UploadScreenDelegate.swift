import Dispatch

extension Delegated {
  /// Shows how far an upload has come. It belongs to the main queue.
  // Sendable because what changes is used on the main queue only.
  final class UploadScreen: UploaderDelegate, @unchecked Sendable {
    private(set) var fraction = 0.0
    private(set) var isDone = false
    private(set) var alert: String?

    func uploader(didSend sent: Int, of total: Int) {
      DispatchQueue.main.async { self.fraction = Double(sent) / Double(total) }
    }

    func uploaderDidSucceed() {
      DispatchQueue.main.async { self.isDone = true }
    }

    func uploader(didFail error: any Error) {
      DispatchQueue.main.async { self.alert = "The upload has failed." }
    }
  }
}
