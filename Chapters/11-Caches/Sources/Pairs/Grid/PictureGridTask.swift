import Foundation

/// Shows the pictures of a search.
@MainActor final class PictureGrid {
  private typealias Load = (request: PictureRequest, task: Task<Void, Never>)

  private let urls: [URL]
  private let loader: PictureLoader
  private let whenLoaded: @MainActor () -> Void
  private var loads: [Int: Load] = [:]
  private var cells: [Int: PictureCell] = [:]

  /// - Parameter whenLoaded: Called whenever a picture has come, or has failed.
  init(_ urls: [URL], loader: PictureLoader, whenLoaded: @escaping @MainActor () -> Void = {}) {
    self.urls = urls
    self.loader = loader
    self.whenLoaded = whenLoaded
  }

  deinit { Self.leave(loads.values) }

  /// A cell comes, for the picture at an index.
  func show(_ index: Int, in cell: PictureCell) {
    cell.picture = nil
    // A cell has one index, also if nobody has said that it left the last one.
    for (other, shown) in cells where shown === cell { hide(other, of: cell) }
    cells[index] = cell
    if let load = loads[index] {
      load.request.urgency = .visible
      return
    }
    let request = PictureRequest(urls[index])
    let task = Task { [weak self, loader] in
      let picture = try? await loader.picture(for: request)
      self?.take(picture, of: request, for: index)
    }
    loads[index] = (request, task)
  }

  /// The cell goes. The picture is still loaded, when there is room.
  func hide(_ index: Int, of cell: PictureCell) {
    // Another cell may have come for this index before the old one goes.
    guard cells[index] === cell else { return }
    cells[index] = nil
    loads[index]?.request.urgency = .offscreen
  }

  /// The user leaves the search.
  func leave() {
    Self.leave(loads.values)
    (loads, cells) = ([:], [:])
  }

  nonisolated private static func leave(_ loads: some Collection<Load>) {
    // All at first, so that nothing begins in the room that the first one leaves.
    for load in loads { load.request.urgency = .leaving }
    for load in loads { load.task.cancel() }
  }

  private func take(_ picture: Picture?, of request: PictureRequest, for index: Int) {
    // After `leave`, there may be another load for this index.
    guard loads[index]?.request === request else { return }
    loads[index] = nil
    // The cell that has this index now, whoever asked.
    cells[index]?.picture = picture
    whenLoaded()
  }
}
