extension Silent {
  /// A `send` that is easy to call, because it throws nothing. A sender that is cancelled is not told either.
  nonisolated(nonsending) static func send<Element>(
    _ element: Element, to channel: Channel<Element>
  ) async {
    try? await channel.send(element)
  }
}
