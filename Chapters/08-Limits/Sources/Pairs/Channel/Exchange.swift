/// The buffer of a channel and its two lines: what a channel decides, without tasks.
struct Exchange<Element: Sendable, Sender: Sendable, Receiver: Sendable> {
  enum Sending: Sendable {
    /// The channel is finished.
    case refused
    case buffered
    case handed(to: Receiver)
    /// There is no room; the sender is in line.
    case waits
  }

  enum Receiving: Sendable {
    /// An element, and the sender for whose element there is room now.
    case element(Element, makingRoomFor: Sender?)
    /// The channel is finished and empty.
    case ended
    /// There is nothing; the receiver is in line.
    case waits
  }

  private let capacity: Int
  private var buffer: [Element] = []
  // One of the lines is empty at any time: a receiver waits only if there is nothing to take.
  private var senders: [(id: Int, element: Element, sender: Sender)] = []
  private var receivers: [(id: Int, receiver: Receiver)] = []
  private var isFinished = false

  init(capacity: Int) {
    precondition(capacity >= 0, "a channel keeps 0 elements or more")
    self.capacity = capacity
  }

  var waitingSenders: Int { senders.count }

  mutating func send(_ element: Element, _ id: Int, _ sender: Sender) -> Sending {
    if isFinished { return .refused }
    if !receivers.isEmpty { return .handed(to: receivers.removeFirst().receiver) }
    if buffer.count < capacity {
      buffer.append(element)
      return .buffered
    }
    senders.append((id, element, sender))
    return .waits
  }

  mutating func receive(_ id: Int, _ receiver: Receiver) -> Receiving {
    let next = senders.isEmpty ? nil : senders.removeFirst()
    if let next { buffer.append(next.element) }
    if !buffer.isEmpty { return .element(buffer.removeFirst(), makingRoomFor: next?.sender) }
    if isFinished { return .ended }
    receivers.append((id, receiver))
    return .waits
  }

  mutating func leave(sender id: Int) -> Sender? {
    senders.firstIndex { $0.id == id }.map { senders.remove(at: $0).sender }
  }

  mutating func leave(receiver id: Int) -> Receiver? {
    receivers.firstIndex { $0.id == id }.map { receivers.remove(at: $0).receiver }
  }

  /// What was sent is still given out.
  ///
  /// - Returns: The senders, whose elements are refused, and the receivers, which get nothing.
  mutating func finish() -> (senders: [Sender], receivers: [Receiver]) {
    isFinished = true
    defer { (senders, receivers) = ([], []) }
    return (senders.map(\.sender), receivers.map(\.receiver))
  }
}
