/// A fork that is taken by one at a time. Whoever waits for it suspends.
public protocol Fork: Sendable {
  func take() async
  func putBack() async
}

public actor ForkActor: Fork {
  private var isTaken = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  public init() {}

  public func take() async {
    if isTaken {
      await withCheckedContinuation { waiting.append($0) }
    } else {
      isTaken = true
    }
  }

  public func putBack() {
    if waiting.isEmpty {
      isTaken = false
    } else {
      waiting.removeFirst().resume()
    }
  }
}
