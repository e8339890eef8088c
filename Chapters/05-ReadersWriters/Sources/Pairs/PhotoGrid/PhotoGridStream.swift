extension Isolated {
  /// The photos on the screen, and a hint as long as there are none.
  @MainActor final class PhotoGrid {
    private(set) var photos: [PhotoValue] = []
    private(set) var isHintHidden = false
    private let manager: PhotoManager

    init(of manager: PhotoManager = .shared) {
      self.manager = manager
    }

    /// Reloads at each addition, until the task is cancelled. A grid that is late reloads once for all that it missed.
    func observe() async {
      for await _ in manager.additions {
        photos = await manager.photos
        isHintHidden = !photos.isEmpty
      }
    }
  }
}
