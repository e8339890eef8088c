import Foundation

/// Hears how an upload goes. The calls come one after the other, on the thread on which `send` calls back; for empty data,
/// on the caller's.
protocol UploaderDelegate: AnyObject, Sendable {
  func uploader(didSend sent: Int, of total: Int)
  func uploaderDidSucceed()
  func uploader(didFail error: any Error)
}

/// Sends data piece by piece.
final class Uploader: Sendable {
  private let pieceSize: Int
  private let send: @Sendable (Data, @escaping Completion<Void>) -> Void
  private weak let delegate: (any UploaderDelegate)?

  /// - Parameters:
  ///   - pieceSize: How many bytes to send at once; 1 or more.
  ///   - send: Sends a piece, and calls back when the server has it.
  init(
    pieceSize: Int, delegate: any UploaderDelegate,
    send: @escaping @Sendable (Data, @escaping Completion<Void>) -> Void
  ) {
    precondition(pieceSize > 0, "a piece has a byte or more")
    self.pieceSize = pieceSize
    self.delegate = delegate
    self.send = send
  }

  func upload(_ data: Data) { upload(data, from: data.startIndex) }

  private func upload(_ data: Data, from start: Int) {
    let end = min(start + pieceSize, data.endIndex)
    guard start < end else { return delegate?.uploaderDidSucceed() ?? () }
    send(data[start..<end]) { [self] result in
      switch result {
      case .success:
        delegate?.uploader(didSend: end - data.startIndex, of: data.count)
        upload(data, from: end)
      case .failure(let error):
        delegate?.uploader(didFail: error)
      }
    }
  }
}
