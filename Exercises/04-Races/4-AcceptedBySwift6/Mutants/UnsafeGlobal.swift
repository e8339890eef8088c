// Looks right: the compiler has been told that the global is safe. Wrong: it is not.

// region PhotoCount
/// How many photos were copied. Both cards use it.
nonisolated(unsafe) private var lastNumber = 0

/// Counts the photos of an import.
struct PhotoCount: Sendable {
  var last: Int { lastNumber }

  init() { lastNumber = 0 }

  /// The number of one more photo.
  func next() -> Int {
    lastNumber += 1
    return lastNumber
  }
}
// endregion
