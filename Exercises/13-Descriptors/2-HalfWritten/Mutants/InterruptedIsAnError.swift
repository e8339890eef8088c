// Looks right: where there is no room it waits for the source, and any other error is told. Wrong: after EINTR nothing is
// broken, and the call can be made again.

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
      // The source fires when there is room again.
      case EAGAIN: return
      case let error:
        code = error
        rest = []
      }
    }
    source.cancel()
  }
  // endregion
}
