// Looks right: all is on one serial queue, so nothing is raced for. Wrong: a read waits for each other read.

extension PhotoManager {
  // region state
  private let queue = DispatchQueue(label: "photos")
  private let album = Album()
  // endregion
}
