import ControlledDispatch

/// What is set up once, by code that waits for others.
public enum SetUps {
  private typealias Semaphore = ControlledDispatch.DispatchSemaphore

  private static func wait(_ body: @escaping @Sendable () -> Void = {}) -> Int {
    let isDone = Semaphore(value: 0)
    DispatchQueue.global().async {
      body()
      isDone.signal()
    }
    isDone.wait()
    return 7
  }

  private static let first = wait()
  private static let late = wait()
  private static let renewed = wait()
  /// Waits for code that asks for it.
  private static let circular: Int = wait { _ = circular }

  /// Two threads ask for what nobody has asked for before.
  public static func askForFirst() -> Int {
    let sum = Mutex(0)
    strands({ sum.withLock { $0 += first } }, { sum.withLock { $0 += first } })
    return sum.withLock(\.self)
  }

  /// Two threads ask for it, and nothing keeps one from doing so while the other sets it up.
  public static func askAtOnce() -> Int {
    strands({ _ = renewed }, { _ = renewed })
    return renewed
  }

  /// One of two threads asks for it if the other has come before.
  public static func askLate() -> Int {
    let hasCome = Mutex(false)
    strands({ if hasCome.withLock(\.self) { _ = late } }, { hasCome.withLock { $0 = true } })
    return 1
  }

  /// What sets it up waits for another thread that asks for it.
  public static func askForCircular() -> Int { circular }
}
