import Workbook

extension Subject {
  static let cancelledSender = Subject(
    "cancelled-sender",
    asks: "A channel is full. A photo is taken as the next sender is cancelled. What does it know?",
    right: .allowed("a and b received, b sent"), .allowed("a received, b not sent"),
    implementations: [
      .after(
        "send without an error",
        .surprising("a received, b sent", "the sender returns as if b had a place"),
        .allowed("a and b received, b sent", "it was not cancelled in time").onlyExplored,
        meanwhile: .waits
      ) { cancellingSender { await Silent.send($0, to: $1) } }
      .code("ChannelSilent.swift", "try? await channel.send"),
      .after("send that throws") { cancellingSender { try await $1.send($0) } }
        .code("ChannelMutex.swift", "let sender = state.withLock"),
    ])

  static let cancelledReceiver = Subject(
    "cancelled-receiver",
    asks: "A receiver waits, and is cancelled as a photo is sent. Where is the photo?",
    right: .allowed("received"), .allowed("cancelled, and kept"), .forbidden("cancelled, and lost"),
    implementations: [
      .after(
        "a look at the flag after next()",
        .surprising("cancelled, and lost", "it was taken before the look"),
        .allowed("received"), .allowed("cancelled, and kept")
      ) { cancellingReceiver { try await LookingLate.next(of: $0) } }
      .code("ChannelLookingLate.swift", "try Task.checkCancellation()")
      .notPlayed("the receiver would have to be stopped between two of its lines"),
      .after("next() alone") { cancellingReceiver { try await $0.next() } }
        .code("ChannelMutex.swift", "let receiver = state.withLock"),
    ])
}

/// A cancels the second of two senders, and is stopped in the middle of that. B receives.
private func cancellingSender(
  _ send: @escaping @Sendable (String, Channel<String>) async throws -> Void
) -> Encounter {
  let channel = Channel<String>(capacity: 1)
  // Each has its place in the buffer or in the line before this goes on.
  let begin = { @Sendable (photo: String) in
    Task.immediate { (try? await send(photo, channel)) != nil }
  }
  _ = begin("a")
  let second = begin("b")
  return Encounter(over: channel, stoppedAt: .change(1), on: .tasks) {
    second.cancel()
  } by: {
    try? await channel.next()
  } outcome: { _, first in
    let isSent = await second.value
    channel.finish()
    let rest = try? await channel.next()
    let received = [first, rest].compactMap { $0 ?? nil }.joined(separator: " and ")
    return "\(received) received, b \(isSent ? "sent" : "not sent")"
  }
}

/// A cancels the receiver, and is stopped in the middle of that. B sends.
private func cancellingReceiver(
  _ next: @escaping @Sendable (Channel<String>) async throws -> String?
) -> Encounter {
  let channel = Channel<String>(capacity: 1)
  let receiver = Task.immediate { try await next(channel) }
  return Encounter(over: channel, stoppedAt: .change(1), on: .tasks) {
    receiver.cancel()
  } by: {
    try? await channel.send("a")
  } outcome: { _, _ in
    let received = try? await receiver.value
    channel.finish()
    let kept = try? await channel.next()
    return received != nil
      ? "received" : kept != nil ? "cancelled, and kept" : "cancelled, and lost"
  }
}
