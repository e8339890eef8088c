import Dispatch
import Workbook

extension Subject {
  static let firstError = Subject(
    "first-error",
    asks: "One of two photos fails, and the album with it. What becomes of the other photo?",
    right: .allowed("it is cancelled"),
    implementations: [
      .before(
        "enter and leave",
        .surprising("it is downloaded, for nothing", "a group cannot stop its members")
      ) { _ in
        let network = Network(.concurrent)
        let photos = await result {
          Grouped.StrictAlbum(fetch: network.fetch)
            .load(["missing", "b"], on: .global(), then: $0)
        }
        return fate(of: photos, network)
      }
      .code("StrictAlbumGroup.swift", "group.notify(")
      .alwaysWrong,
      .after(
        "throwing task group", .allowed("it is cancelled"),
        .allowed("it is downloaded, for nothing", "it came before the other failed")
      ) { _ in
        let network = Network()
        let album = TaskGrouped.StrictAlbum(fetch: network.photo(named:))
        do {
          return fate(of: .success(try await album.load(["missing", "b"])), network)
        } catch { return fate(of: .failure(error), network) }
      }
      .code("StrictAlbumTaskGroup.swift", "for try await")
      .notPlayed("which comes first is up to the pool"),
    ])

  static let timeOver = Subject(
    "time-over",
    asks: "The time limit of the slideshow is over. What is still under way?",
    right: .allowed("1 photo, 0 under way"),
    implementations: [
      .before(
        "wait(timeout:)",
        .surprising("0 photos, 1 under way", "a limit on the wait is none on the download"),
        .allowed("1 photo, 0 under way"),
        .allowed("0 photos, 0 under way", "it came in right after")
      ) { _ in
        let network = Network()
        let photos = await result {
          Grouped.Slideshow(fetch: network.fetch)
            .load(["a"], within: .milliseconds(50), then: $0)
        }
        return begun(with: photos, network)
      }
      .code("SlideshowGroup.swift", "group.wait(timeout:")
      .notPlayed("groups/goes-on-running plays it"),
      .after(
        "task group with a deadline", .allowed("1 photo, 0 under way"),
        .allowed("0 photos, 0 under way", "what is late is cancelled, and awaited")
      ) { _ in
        let network = Network()
        let photos = await TaskGrouped.Slideshow(fetch: network.photo(named:))
          .load(["a"], within: .milliseconds(50))
        return begun(with: photos, network)
      }
      .code("SlideshowTaskGroup.swift", "return .timeIsOver")
      .notPlayed("groups/goes-on-running plays it"),
    ])
}

private func fate(of photos: Result<[Photo], any Error>, _ network: Network) -> String {
  guard case .failure = photos else { return "the album is there" }
  return network.downloads == 0 ? "it is cancelled" : "it is downloaded, for nothing"
}

private func begun(with photos: [Photo?], _ network: Network) -> String {
  let count = photos.count { $0 != nil }
  return "\(count) photo\(count == 1 ? "" : "s"), \(network.underWay) under way"
}
