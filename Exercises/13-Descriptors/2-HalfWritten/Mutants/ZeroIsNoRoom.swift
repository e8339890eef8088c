// Looks right: a call that takes nothing has found no room, so it waits for the source. Wrong: of an empty message every
// call takes nothing, so the source fires on for ever.

extension Sender {
  // region sendSome
  /// Sends what there is room for.
  private func sendSome() {
    while true {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count == 0 { return }
      if count > 0 {
        rest = rest.dropFirst(count)
        if rest.isEmpty { return source.cancel() }
        continue
      }
      switch Kernel.errno {
      case EINTR: continue
      // The source fires when there is room again.
      case EAGAIN: return
      case let error:
        code = error
        return source.cancel()
      }
    }
  }
  // endregion
}
