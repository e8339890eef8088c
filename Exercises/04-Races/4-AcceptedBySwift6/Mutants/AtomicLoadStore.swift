// Looks right: the number is an atomic. Wrong: the load is atomic, and so is the store, but not both together.

import Synchronization

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

/// Copies the photos of two memory cards into one folder, both cards at the same time.
///
/// The photos get the numbers 1, 2, 3 and so on, each number once, in any order. The check uses
/// `importPhotos(from:and:copy:)`.
///
/// - Parameters:
///   - first: The photos of one card.
///   - second: The photos of the other card.
///   - copy: Writes a photo into the folder, under its number. It stays as it is.
/// - Returns: How many photos were copied.
func importPhotos(
  from first: [String], and second: [String],
  copy: @Sendable (_ photo: String, _ number: Int) async -> Void
) async -> Int {
  let count = PhotoCount()
  async let one: Void = importCard(first, count, copy)
  async let two: Void = importCard(second, count, copy)
  _ = await (one, two)
  return count.last
}

/// Copies the photos of one card, one after another.
func importCard(
  _ photos: [String], _ count: PhotoCount,
  _ copy: @Sendable (_ photo: String, _ number: Int) async -> Void
) async {
  for photo in photos {
    let number = count.next()
    await copy(photo, number)
  }
}
