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
      let additions = manager.additions.stream()
      // Read after the stream is there, so that no photo is missed in between.
      await reload()
      for await _ in additions { await reload() }
    }

    private func reload() async {
      photos = await manager.photos
      isHintHidden = !photos.isEmpty
    }
  }

  /// The screen that shows the grid, and owns the task in which the grid observes.
  @MainActor final class PhotoScreen {
    let grid: PhotoGrid
    private var observing: Task<Void, Never>?

    init(_ grid: PhotoGrid) {
      self.grid = grid
    }

    func appear() {
      observing?.cancel()
      observing = Task { [grid] in await grid.observe() }
    }

    func disappear() { observing?.cancel() }
  }
}
