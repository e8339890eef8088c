import Foundation

/// Shows the pictures of a search.
@MainActor final class PictureGrid {
  private let urls: [URL]
  private let loader: PictureLoader
  private let whenLoaded: @MainActor () -> Void
  private var loads: [Int: (request: PictureRequest, task: Task<Void, Never>)] = [:]
  private var cells: [Int: PictureCell] = [:]

  /// - Parameter whenLoaded: Called whenever a picture has come, or has failed.
  init(_ urls: [URL], loader: PictureLoader, whenLoaded: @escaping @MainActor () -> Void = {}) {
    self.urls = urls
    self.loader = loader
    self.whenLoaded = whenLoaded
  }

  deinit { for load in loads.values { load.task.cancel() } }

  /// A cell comes, for the picture at an index.
  func show(_ index: Int, in cell: PictureCell) {
    cell.picture = nil
    cells[index] = cell
    if let load = loads[index] {
      load.request.urgency = .visible
      return
    }
    let request = PictureRequest(urls[index])
    let task = Task { [weak self, loader] in
      let picture = try? await loader.picture(for: request)
      self?.take(picture, for: index)
    }
    loads[index] = (request, task)
  }

  /// The cell goes. The picture is still loaded, when there is room.
  func hide(_ index: Int) {
    cells[index] = nil
    loads[index]?.request.urgency = .offscreen
  }

  /// The user leaves the search.
  func leave() {
    // All at first, so that nothing begins in the room that the first one leaves.
    for load in loads.values { load.request.urgency = .leaving }
    for load in loads.values { load.task.cancel() }
    (loads, cells) = ([:], [:])
  }

  private func take(_ picture: Picture?, for index: Int) {
    loads[index] = nil
    // The cell that has this index now, whoever asked.
    cells[index]?.picture = picture
    whenLoaded()
  }
}
