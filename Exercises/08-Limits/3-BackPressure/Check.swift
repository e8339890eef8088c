import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Sending: Sendable {
  init(capacity: Int)
  func send(_ photo: String) async throws
  func next() async -> String?
  func close()
}

extension PhotoChannel: Sending {}

/// What comes of a photo that is sent.
@Sendable private func sent(_ photo: String, to channel: any Sending) async -> String {
  do {
    try await channel.send(photo)
    return "\(photo) sent"
  } catch {
    return
      "\(photo) \(error is CancellationError ? "cancelled" : error is Closed ? "refused" : "lost")"
  }
}

/// All that is still received.
@Sendable private func rest(of channel: any Sending) async -> String {
  channel.close()
  var photos: [String] = []
  while let photo = await channel.next() { photos.append(photo) }
  return photos.joined(separator: " ")
}

private let some = Orders.upTo(classes: 200, preempted: 80, drawn: 60)

@Test func `photos arrive in the order in which they were sent`() async {
  await everyOrder(gives: "a b c d", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 2)
    let sender = Task(name: "sender") {
      for photo in ["a", "b", "c", "d"] { _ = await sent(photo, to: channel) }
      channel.close()
    }
    var photos: [String] = []
    while let photo = await channel.next() { photos.append(photo) }
    await sender.value
    return photos.joined(separator: " ")
  }
}

@Test func `a sender goes on while there is a place`() async {
  await everyOrder(gives: "a sent, b sent; a b", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 2)
    let words = await "\(sent("a", to: channel)), \(sent("b", to: channel))"
    return "\(words); \(await rest(of: channel))"
  }
}

@Test func `a sender without a place waits until one is taken`() async {
  await everyOrder(gives: "waits, then b sent; a, then b", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let isBack = Mutex(false)
    let sender = Task.immediate(name: "sender") {
      let word = await sent("b", to: channel)
      isBack.withLock { $0 = true }
      return word
    }
    let waits = isBack.withLock { $0 } ? "does not wait" : "waits"
    let first = await channel.next() ?? "nothing"
    let word = await sender.value
    return "\(waits), then \(word); \(first), then \(await rest(of: channel))"
  }
}

@Test func `of two senders that wait, the first goes on first`() async {
  await everyOrder(gives: "b sent, c refused; a, then b", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let senders = ["b", "c"].map { photo in
      Task.immediate(name: photo) { await sent(photo, to: channel) }
    }
    let first = await channel.next() ?? "nothing"
    let photos = await rest(of: channel)
    return await "\(senders[0].value), \(senders[1].value); \(first), then \(photos)"
  }
}

@Test func `a sender that is cancelled while it waits is told at once, and sends nothing`() async {
  await everyOrder(gives: "b cancelled; a", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let sender = Task.immediate(name: "sender") { await sent("b", to: channel) }
    sender.cancel()
    let word = await sender.value
    return "\(word); \(await rest(of: channel))"
  }
}

@Test func `a place that comes as its sender is cancelled is used or not, and the sender knows`()
  async
{
  await everyOrder(
    gives: "b sent; a, then b", "b cancelled; a, then ",
    within: .upTo(classes: 400, preempted: 150, drawn: 100)
  ) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let sender = Task.immediate(name: "sender") { await sent("b", to: channel) }
    let other = Task(name: "other") { sender.cancel() }
    let first = await channel.next() ?? "nothing"
    await other.value
    let word = await sender.value
    return "\(word); \(first), then \(await rest(of: channel))"
  }
}

@Test func `one that is cancelled beforehand sends nothing, though there is a place`() async {
  await everyOrder(gives: "a cancelled; ", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    let sender = Task(name: "sender") {
      withUnsafeCurrentTask { $0?.cancel() }
      return await sent("a", to: channel)
    }
    return "\(await sender.value); \(await rest(of: channel))"
  }
}

@Test func `a closed channel refuses, and what has a place is received`() async {
  await everyOrder(gives: "b refused, c refused; a", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let sender = Task.immediate(name: "sender") { await sent("b", to: channel) }
    channel.close()
    let words = await "\(sender.value), \(sent("c", to: channel))"
    return "\(words); \(await rest(of: channel))"
  }
}

@Test func `a sender that is cancelled as it comes does not wait`() async {
  await everyOrder(gives: "b cancelled; a", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let sender = Task(name: "sender") { await sent("b", to: channel) }
    sender.cancel()
    let word = await sender.value
    return "\(word); \(await rest(of: channel))"
  }
}

@Test func `of two senders of equal photos, the one that is cancelled is told`() async {
  await everyOrder(gives: "b sent, b cancelled; a, then b", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    _ = await sent("a", to: channel)
    let senders = (0..<2).map { _ in
      Task.immediate(name: "sender") { await sent("b", to: channel) }
    }
    senders[1].cancel()
    let second = await senders[1].value
    let first = await channel.next() ?? "nothing"
    let word = await senders[0].value
    return "\(word), \(second); \(first), then \(await rest(of: channel))"
  }
}

@Test func `a photo that meets the close is received, or refused`() async {
  await everyOrder(gives: "a sent; a", "a refused; ", within: some) {
    let channel: any Sending = PhotoChannel(capacity: 1)
    let sender = Task(name: "sender") { await sent("a", to: channel) }
    let photos = await rest(of: channel)
    return "\(await sender.value); \(photos)"
  }
}
