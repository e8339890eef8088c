extension Sender {
  // region fields
  private let message: [UInt8]
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
    self.message = message
    source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [self] in
      sendSome()
      source.cancel()
      Kernel.close(descriptor)
      whenOver(0)
    }
    source.activate()
  }
  // endregion

  // region sendSome
  /// Sends what there is room for.
  private func sendSome() {
    // TODO: Send all of it, wait where there is no room, and close when the source is cancelled.
    _ = send(descriptor, message, message.count, Int32(MSG_NOSIGNAL))
  }
  // endregion
}
