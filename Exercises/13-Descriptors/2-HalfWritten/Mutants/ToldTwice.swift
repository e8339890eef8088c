// Looks right: an error is told as soon as it is known. Wrong: the socket is still open then, and the cancel handler tells
// it once more.

extension Sender {
  // region fields
  private var rest: ArraySlice<UInt8>
  /// The number of the error that has ended it, or 0.
  private var code: Int32 = 0
  private let whenOver: @Sendable (Int32) -> Void
  // endregion

  // region init
  /// Begins to send.
  ///
  /// - Parameters:
  ///   - descriptor: The socket. It is the sender's, which closes it.
  ///   - queue: A serial queue, which the handlers run on.
  ///   - send: The call that sends.
  ///   - whenOver: Called once on the queue, after the socket is closed: with 0 if all is sent, or with the number of
  ///     the error.
  init(
    sending message: [UInt8], taking descriptor: Int32, queue: DispatchQueue,
    by send: @escaping Send, whenOver: @escaping @Sendable (Int32) -> Void
  ) {
    self.descriptor = descriptor
    self.send = send
    rest = message[...]
    self.whenOver = whenOver
    source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    // The handlers keep the sender, and the source releases them once it is cancelled.
    source.setEventHandler { [self] in sendSome() }
    source.setCancelHandler { [self] in
      Kernel.close(descriptor)
      whenOver(code)
    }
    source.activate()
  }
  // endregion

  // region sendSome
  /// Sends what there is room for.
  private func sendSome() {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch Kernel.errno {
      case EINTR: continue
      // The source fires when there is room again.
      case EAGAIN: return
      case let error:
        code = error
        rest = []
        whenOver(error)
      }
    }
    source.cancel()
  }
  // endregion
}
