// region imports
// endregion

// region PhotoCount
/// Counts the photos of an import. Both cards use the same one.
actor PhotoCount {
  private(set) var last = 0

  /// The number of one more photo.
  func next() -> Int {
    last += 1
    return last
  }
}
// endregion

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
  return await count.last
}

// region importCard
/// Copies the photos of one card, one after another.
func importCard(
  _ photos: [String], _ count: PhotoCount,
  _ copy: @Sendable (_ photo: String, _ number: Int) async -> Void
) async {
  for photo in photos {
    let number = await count.next()
    await copy(photo, number)
  }
}
// endregion
