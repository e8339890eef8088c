public actor CounterActor: Counter {
  public private(set) var value = 0

  public init() {}

  public func increment(afterReading pause: @Sendable () -> Void) {
    let read = value
    pause()
    value = read + 1
  }
}
