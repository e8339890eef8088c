import Foundation

extension Published {
  /// Shows the pictures of a search. It belongs to the main queue.
  // Sendable because it is used on the main queue only.
  final class PictureGrid: @unchecked Sendable {
    private let urls: [URL]
    private let loader: PictureLoader
    private let whenLoaded: @Sendable () -> Void

    init(_ urls: [URL], loader: PictureLoader, whenLoaded: @escaping @Sendable () -> Void = {}) {
      self.urls = urls
      self.loader = loader
      self.whenLoaded = whenLoaded
    }

    func show(_ index: Int, in cell: PictureCell) {
      cell.picture = nil
      loader.load(urls[index]) { [weak cell, whenLoaded] result in
        cell?.picture = try? result.get()
        whenLoaded()
      }
    }

    func hide(_ index: Int, of _: PictureCell) { loader.slowDown(urls[index]) }

    func leave() { loader.cancelAll() }
  }
}
