/// What was taken in today. Every register adds to it.
public final class Till: @unchecked Sendable {
  public private(set) var takings = 0

  public init() {}

  public func add(_ amount: Int) { takings += amount }
}
