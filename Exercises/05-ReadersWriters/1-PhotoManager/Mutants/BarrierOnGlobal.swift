// Looks right: there is a concurrent queue already, and changes are barriers. Wrong: on a global queue a
// barrier is no barrier.

extension PhotoManager {
  // region state
  private let queue = DispatchQueue.global()
  private let album = Album()
  // endregion
}
