/// Counts the photos of an import. Both cards use the same one.
final class PhotoCount {
  var last = 0
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

// TODO: Make Swift 6 accept this file, without silencing it, and give each number to one photo.
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
