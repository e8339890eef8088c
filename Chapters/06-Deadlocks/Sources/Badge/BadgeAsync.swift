@MainActor public final class BadgeAsync {
  private var number = 0

  public init() {}

  /// Adds to the number and returns it.
  public func add(_ count: Int) -> Int {
    number += count
    return number
  }
}
