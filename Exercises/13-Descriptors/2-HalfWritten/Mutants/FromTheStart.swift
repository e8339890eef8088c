// Looks right: it sends until one call has taken the whole message. Wrong: what an earlier call has taken is sent once
// more.

extension Sender {
  // region sendSome
  /// Sends what there is room for.
  private func sendSome() {
    var count = 0
    repeat {
      count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
    } while count == -1 && Kernel.errno == EINTR
    if count == -1 {
      if Kernel.errno == EAGAIN { return }
      code = Kernel.errno
    } else if count < rest.count {
      // The source fires when there is room again.
      return
    }
    source.cancel()
  }
  // endregion
}
