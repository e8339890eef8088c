import Foundation

extension Operated {
  /// Shows the pictures of a search. It belongs to the main queue.
  // Sendable because what changes is used on the main queue only, and in `deinit`, when nobody else has the grid.
  final class PictureGrid: @unchecked Sendable {
    private let urls: [URL]
    private let loader: PictureLoader
    private let whenLoaded: @Sendable () -> Void
    private var loads: [Int: (id: Int, ticket: Ticket)] = [:]
    private var lastID = 0
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
      // A cell has one index, also if nobody has said that it left the last one.
      for (other, shown) in cells where shown === cell { hide(other, of: cell) }
      cells[index] = cell
      if let load = loads[index] { return loader.set(.visible, of: load.ticket) }
      lastID += 1
      let id = lastID
      let ticket = loader.load(urls[index], .visible) { [weak self] in
        self?.take($0, of: id, for: index)
      }
      loads[index] = (id, ticket)
    }

    /// The cell goes. The picture is still loaded, when there is room.
    func hide(_ index: Int, of cell: PictureCell) {
      // Another cell may have come for this index before the old one goes.
      guard cells[index] === cell else { return }
      cells[index] = nil
      if let load = loads[index] { loader.set(.offscreen, of: load.ticket) }
    }

    /// The user leaves the search.
    func leave() {
      loader.cancel(loads.values.map(\.ticket))
      (loads, cells) = ([:], [:])
    }

    private func take(_ result: Result<Picture, any Error>, of id: Int, for index: Int) {
      // After `leave`, there may be another load for this index.
      guard loads[index]?.id == id else { return }
      loads[index] = nil
      // The cell that has this index now, whoever asked.
      cells[index]?.picture = try? result.get()
      whenLoaded()
    }
  }
}
