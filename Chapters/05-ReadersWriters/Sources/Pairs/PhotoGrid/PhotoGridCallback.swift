import Foundation

extension Barriered {
  /// The photos on the screen, and a hint as long as there are none.
  @MainActor final class PhotoGrid {
    private(set) var photos: [any Photo] = []
    private(set) var isHintHidden = false
    private let manager: PhotoManager
    // Nothing else guards it because `init` alone writes it, and `deinit` reads it when nobody else has the grid.
    private nonisolated(unsafe) var observer: (any NSObjectProtocol)?

    init(of manager: PhotoManager = .shared) {
      self.manager = manager
      // The manager posts on the main queue, and so the observer is called there.
      observer = NotificationCenter.default.addObserver(
        forName: .contentAdded, object: nil, queue: nil
      ) { [weak self] _ in
        MainActor.assumeIsolated { self?.reload() }
      }
    }

    deinit {
      if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    private func reload() {
      photos = manager.photos
      isHintHidden = !photos.isEmpty
    }
  }
}
