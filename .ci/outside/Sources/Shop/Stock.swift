/// Keeps what there is to sell; an order is checked with the supplier before it is taken.
public actor Stock {
  public private(set) var left: Int

  public init(left: Int) {
    self.left = left
  }

  public func order(confirm: @Sendable () async -> Void) async -> Bool {
    guard left > 0 else { return false }
    await confirm()
    left -= 1
    return true
  }
}
