import Foundation

/// Counts what was sold, for the whole process, as many a program keeps it.
public final class Register: @unchecked Sendable {
  // Sendable: `total` is used on `queue`, or, where that is forgotten, is not.
  public static let shared = Register()

  private let queue = DispatchQueue(label: "register")
  private var total = 0

  private init() {}

  public func sell(_ price: Int) { queue.sync { total += price } }

  /// Gives a discount from the tenth coin on: wrong, since another may sell between the two.
  public func sellWithDiscount(_ price: Int) {
    let isEntitled = queue.sync { total >= 10 }
    queue.sync { total += isEntitled ? price - 1 : price }
  }

  public var takings: Int { queue.sync { total } }
}
