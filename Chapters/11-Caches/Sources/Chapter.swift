import CachesExplored
public import Workbook

extension Chapter {
  /// Pictures for a grid: one download for all that ask, the visible ones first, and what to keep.
  public static let caches = Chapter(
    11, "Caches", "one download per URL, and what to keep",
    Caches.subjects, explored: CachesExplored.subjects,
    demos: [
      .scroll, .whatIsEvicted, .biggerCache, .lowerQuality, .readInDelegate, .joinedByVisible,
    ])
}
