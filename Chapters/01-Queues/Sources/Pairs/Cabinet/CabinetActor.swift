extension Isolated {
  /// Two services that file into one cabinet: both are isolated to it.
  struct Cabinet: Sendable {
    private actor Cabinet {}

    private let cabinet = Cabinet()

    func fileInvoice(_ file: @Sendable () -> Void) async {
      await onCabinet(cabinet, file)
    }

    func fileLetter(_ file: @Sendable () -> Void) async {
      await onCabinet(cabinet, file)
    }

    /// A function takes an actor's isolation as a parameter, as a queue takes a target.
    private func onCabinet(_ cabinet: isolated Cabinet, _ file: @Sendable () -> Void) {
      file()
    }
  }
}
