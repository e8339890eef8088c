// Looks right: an actor, and the number is taken before the photo is copied. Wrong: reading and writing are
// two calls, and the other card comes in between.

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
actor PhotoCount {
  private(set) var last = 0

  func set(_ number: Int) { last = number }
}
// endregion

// region importCard
/// Copies the photos of one card, one after another.
func importCard(
  _ photos: [String], _ count: PhotoCount,
  _ copy: @Sendable (_ photo: String, _ number: Int) async -> Void
) async {
  for photo in photos {
    let number = await count.last + 1
    await count.set(number)
    await copy(photo, number)
  }
}
// endregion
