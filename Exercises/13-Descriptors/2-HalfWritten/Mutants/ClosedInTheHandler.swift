// Looks right: the source is cancelled first, and then the socket is closed, once. Wrong: Dispatch watches the number for
// a while yet, so the source of its next owner may stay silent.

extension Sender {
  // region fields
  private var rest: ArraySlice<UInt8>
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
    // The handler keeps the sender, and the source releases it once it is cancelled.
    source.setEventHandler { [self] in sendSome() }
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
      case let error: return end(with: error)
      }
    }
    end(with: 0)
  }

  private func end(with code: Int32) {
    source.cancel()
    Kernel.close(descriptor)
    whenOver(code)
  }
  // endregion
}
