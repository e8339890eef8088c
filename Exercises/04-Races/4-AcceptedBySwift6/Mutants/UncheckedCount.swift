// Looks right: the number is taken before the photo is copied, so that nothing comes in between, and it compiles.
// Wrong: both cards may be in `count.last += 1` at the same time, each on a thread of its own.

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
    count.last += 1
    let number = count.last
    await copy(photo, number)
  }
}
// endregion
