// Looks right: every use of the number is under the lock, and nothing is awaited in between. Wrong: between the
// two uses the lock is free, and the other card reads the same number.

// region imports
import Synchronization

// endregion

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
final class PhotoCount: Sendable {
  private let count = Mutex(0)

  var last: Int {
    get { count.withLock { $0 } }
    set { count.withLock { $0 = newValue } }
  }
}
// endregion

// region importCard
/// Copies the photos of one card, one after another.
func importCard(
  _ photos: [String], _ count: PhotoCount,
  _ copy: @Sendable (_ photo: String, _ number: Int) async -> Void
) async {
  for photo in photos {
    let number = count.last + 1
    count.last = number
    await copy(photo, number)
  }
}
// endregion
