import Foundation

extension Operated {
  /// Shows the pictures of a search. It belongs to the main queue.
  // Sendable because what changes is used on the main queue only, and in `deinit`, when nobody else has the grid.
  final class PictureGrid: @unchecked Sendable {
    private let urls: [URL]
    private let loader: PictureLoader
    private let whenLoaded: @Sendable () -> Void
    private var tickets: [Int: Ticket] = [:]
    private var cells: [Int: PictureCell] = [:]

    /// - Parameter whenLoaded: Called whenever a picture has come, or has failed.
    init(_ urls: [URL], loader: PictureLoader, whenLoaded: @escaping @Sendable () -> Void = {}) {
      self.urls = urls
      self.loader = loader
      self.whenLoaded = whenLoaded
    }

    deinit { leave() }

    /// A cell comes, for the picture at an index.
    func show(_ index: Int, in cell: PictureCell) {
      cell.picture = nil
      cells[index] = cell
      if let ticket = tickets[index] { return loader.set(.visible, of: ticket) }
      tickets[index] = loader.load(urls[index], .visible) { [weak self] in
        self?.take($0, for: index)
      }
    }

    /// The cell goes. The picture is still loaded, when there is room.
    func hide(_ index: Int) {
      cells[index] = nil
      if let ticket = tickets[index] { loader.set(.offscreen, of: ticket) }
    }

    /// The user leaves the search.
    func leave() {
      loader.cancel(tickets.values)
      (tickets, cells) = ([:], [:])
    }

    private func take(_ result: Result<Picture, any Error>, for index: Int) {
      tickets[index] = nil
      // The cell that has this index now, whoever asked.
      cells[index]?.picture = try? result.get()
      whenLoaded()
    }
  }
}
