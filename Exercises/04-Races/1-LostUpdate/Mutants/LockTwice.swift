// Looks right: every use of the value is under the lock. Wrong: the lock is given back between reading and
// writing, and what others write in between is overwritten.

// region imports
import Synchronization

// endregion

extension Warehouse {
  // region bookValue
  /// What all units cost when they came in.
  var bookValue: Int { lockedValue.withLock { $0 } }
  private(set) var units = 0
  private let lockedValue = Mutex(0)
  // endregion

  // region receive
  func receive(_ delivery: Delivery) async {
    units += delivery.units
    let before = lockedValue.withLock { $0 }
    let price = await price(delivery.item)
    lockedValue.withLock { $0 = before + delivery.units * price }
  }
  // endregion
}
