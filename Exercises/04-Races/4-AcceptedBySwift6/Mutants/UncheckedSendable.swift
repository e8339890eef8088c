// Looks right: it compiles. Wrong: nobody has checked anything, and while one card copies a photo, the other
// takes the same number.

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
final class PhotoCount: @unchecked Sendable {
  var last = 0
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
