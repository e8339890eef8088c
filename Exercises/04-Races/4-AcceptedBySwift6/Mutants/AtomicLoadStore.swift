// Looks right: the number is an atomic. Wrong: the load is atomic, and so is the store, but not both together.

// region imports
import Synchronization

// endregion

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
final class PhotoCount: Sendable {
  private let count = Atomic(0)

  var last: Int { count.load(ordering: .acquiring) }

  /// The number of one more photo.
  func next() -> Int {
    let number = count.load(ordering: .acquiring) + 1
    count.store(number, ordering: .releasing)
    return number
  }
}
// endregion
