// Looks right: the handlers do not keep what keeps them. Wrong: then nobody keeps the sender, and it is gone before it has
// sent anything.

extension Sender {
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
    source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.sendSome() }
    source.setCancelHandler { [weak self] in
      Kernel.close(descriptor)
      whenOver(self?.code ?? 0)
    }
    source.activate()
  }
  // endregion
}
