// Looks right: a call that was interrupted is made again, and any other error is told. Wrong: EAGAIN says only that there
// is no room yet.

extension Sender {
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
      case let error:
        code = error
        rest = []
      }
    }
    source.cancel()
  }
  // endregion
}
