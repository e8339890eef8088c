// Looks right: the number is used under the lock only, and it compiles. Wrong: the lock is free while the
// photo is copied, and the other card reads the same number.

// region imports
import Synchronization

// endregion

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
final class PhotoCount: Sendable {
  private let number = Mutex(0)

  var last: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
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
    await copy(photo, number)
    count.last = number
  }
}
// endregion
