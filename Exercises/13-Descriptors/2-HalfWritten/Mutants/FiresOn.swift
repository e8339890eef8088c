// Looks right: when all is sent it says so, once, and the last reference to it cancels the source. Wrong: the source's own
// handler is such a reference. So the source fires on, and the socket is never closed.

extension Sender {
  // region fields
  private var rest: ArraySlice<UInt8>
  private var isTold = false
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
    source.setEventHandler { [self] in sendSome() }
    source.setCancelHandler { Kernel.close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
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
      case let error: return tell(error)
      }
    }
    tell(0)
  }

  private func tell(_ code: Int32) {
    if !isTold { whenOver(code) }
    isTold = true
  }
  // endregion
}
